/*
 * FitzHugh-Nagumo model of an excitable medium (cardiac tissue sheet)
 *
 *     v_t = D lap(v) + v (v - a)(1 - v) - w
 *     w_t = eps (b v - w)
 *
 * Forward Euler with a five-point Laplacian.  No-flux boundaries are imposed
 * through one layer of ghost points.  A broken plane wave is the initial state;
 * its free end curls up into a rotating spiral wave.
 *
 * usage: fitzhugh-nagumo [n] [steps] [picture.pgm]
 */
#include <stdio.h>
#include <stdlib.h>

#define SQR(x) ((x) * (x))

/* matrix m[0..nr-1][0..nc-1], rows in one block */
static double **dmatrix(int nr, int nc)
{
    double **m = malloc(nr * sizeof(double *));
    if (m) {
        m[0] = calloc((size_t)nr * nc, sizeof(double));
        if (!m[0]) { free(m); m = NULL; }
    }
    if (!m) {
        fprintf(stderr, "allocation failure in dmatrix()\n");
        exit(1);
    }
    for (int i = 1; i < nr; i++)
        m[i] = m[i - 1] + nc;
    return m;
}

static void free_dmatrix(double **m)
{
    free(m[0]);
    free(m);
}

int main(int argc, char *argv[])
{
    int n = 200, nsteps = 2400;
    if (argc > 1) n = atoi(argv[1]);
    if (argc > 2) nsteps = atoi(argv[2]);

    const double D = 1.0, a = 0.1, eps = 0.01, b = 0.5;
    const double h = 1.0, dt = 0.15;
    const double lam = D * dt / SQR(h);
    int i, j, t;

    double **v = dmatrix(n + 2, n + 2);
    double **vnew = dmatrix(n + 2, n + 2);
    double **w = dmatrix(n + 2, n + 2);

    for (i = 1; i <= n; i++)
        for (j = 1; j <= n; j++) {
            v[i][j] = j < n / 2 && i < n / 2 ? 1.0 : 0.0;
            w[i][j] = j < n / 4 ? 0.2 : 0.0;
        }

#pragma scop
    for (t = 0; t < nsteps; t++) {
        /* no flux: ghost points mirror the outermost points */
        for (i = 1; i <= n; i++) {
            v[i][0] = v[i][1];
            v[i][n + 1] = v[i][n];
        }
        for (j = 1; j <= n; j++) {
            v[0][j] = v[1][j];
            v[n + 1][j] = v[n][j];
        }

#pragma omp parallel for private(j) schedule(static)
        for (i = 1; i <= n; i++) {
            for (j = 1; j <= n; j++) {
                double lap = v[i - 1][j] + v[i + 1][j] + v[i][j - 1] + v[i][j + 1]
                           - 4.0 * v[i][j];
                double f = v[i][j] * (v[i][j] - a) * (1.0 - v[i][j]) - w[i][j];
                vnew[i][j] = v[i][j] + lam * lap + dt * f;
                w[i][j] += dt * eps * (b * v[i][j] - w[i][j]);
            }
        }

        double **tmp = v;
        v = vnew;
        vnew = tmp;
    }
#pragma endscop

    double sumv = 0.0, sumw = 0.0, vmin = v[1][1], vmax = v[1][1];
    int excited = 0;
    for (i = 1; i <= n; i++)
        for (j = 1; j <= n; j++) {
            sumv += v[i][j];
            sumw += w[i][j];
            excited += v[i][j] > 0.5;
            if (v[i][j] < vmin) vmin = v[i][j];
            if (v[i][j] > vmax) vmax = v[i][j];
        }
    printf("FitzHugh-Nagumo n=%d t=%g: v in [%.6f, %.6f], %d points excited\n",
           n, nsteps * dt, vmin, vmax, excited);
    printf("sum v %.17g sum w %.17g\n", sumv, sumw);

    if (argc > 3) {
        FILE *out = fopen(argv[3], "wb");
        if (!out) { perror(argv[3]); return 1; }
        int s = 1 + (n - 1) / 400, m = (n + s - 1) / s;
        double scale = vmax > vmin ? 255.0 / (vmax - vmin) : 0.0;
        fprintf(out, "P5\n%d %d\n255\n", m, m);
        for (i = 1; i <= n; i += s)
            for (j = 1; j <= n; j += s)
                fputc((int)(scale * (v[i][j] - vmin)), out);
        fclose(out);
    }
    free_dmatrix(v);
    free_dmatrix(vnew);
    free_dmatrix(w);
    return 0;
}
