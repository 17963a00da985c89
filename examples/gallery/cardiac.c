/*
 * Electrical excitation of cardiac tissue, the Aliev-Panfilov model:
 *     dE/dt = d laplace(E) - k E (E - a)(E - 1) - E R
 *     dR/dt = (eps + mu1 R / (E + mu2)) (-R - k E (E - b - 1))
 * E is the transmembrane potential, R the recovery variable.  Five-point
 * differences and forward Euler; no flux through the sides, by mirrored ghost
 * cells.  The initial state gives a spiral wave.
 *
 * Usage: cardiac [n] [steps] [picture.pgm]
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#pragma GCC diagnostic ignored "-Wunknown-pragmas"

static const double a = 0.1, b = 0.1, kk = 8.0, M1 = 0.07, M2 = 0.3;
static const double epsilon = 0.01, d = 5e-5;

static double **alloc2D(int m, int n)
{
    double **E = malloc(sizeof(double *) * m + sizeof(double) * n * m);
    if (!E)
        exit(1);
    for (int j = 0; j < m; j++)
        E[j] = (double *)(E + m) + j * n;
    return E;
}

/* m x n cells inside, rows and columns 0 and m+1 / n+1 are ghosts */
static double **solve(double **E, double **E_prev, double **R,
                      int m, int n, int niters, double alpha, double dt)
{
    int i, j;

#pragma scop
    for (int niter = 0; niter < niters; niter++) {
        /* copy data from the boundary of the domain to the ghost cells */
        for (j = 1; j <= m; j++)
            E_prev[j][0] = E_prev[j][2];
        for (j = 1; j <= m; j++)
            E_prev[j][n + 1] = E_prev[j][n - 1];
        for (i = 1; i <= n; i++)
            E_prev[0][i] = E_prev[2][i];
        for (i = 1; i <= n; i++)
            E_prev[m + 1][i] = E_prev[m - 1][i];

        /* solve for the excitation, the PDE */
#pragma omp parallel for private(i)
        for (j = 1; j <= m; j++)
            for (i = 1; i <= n; i++)
                E[j][i] = E_prev[j][i] + alpha * (E_prev[j][i + 1] + E_prev[j][i - 1]
                        - 4 * E_prev[j][i] + E_prev[j + 1][i] + E_prev[j - 1][i]);

        /* solve the ODEs, advancing excitation and recovery */
#pragma omp parallel for private(i)
        for (j = 1; j <= m; j++)
            for (i = 1; i <= n; i++)
                E[j][i] = E[j][i] - dt * (kk * E[j][i] * (E[j][i] - a) * (E[j][i] - 1)
                                          + E[j][i] * R[j][i]);

#pragma omp parallel for private(i)
        for (j = 1; j <= m; j++)
            for (i = 1; i <= n; i++)
                R[j][i] = R[j][i] + dt * (epsilon + M1 * R[j][i] / (E[j][i] + M2))
                                       * (-R[j][i] - kk * E[j][i] * (E[j][i] - b - 1));

        /* swap current and previous */
        double **tmp = E;
        E = E_prev;
        E_prev = tmp;
    }
#pragma endscop

    return E_prev;
}

static void stats(double **E, int m, int n, double *mx, double *l2norm)
{
    *mx = -1;
    *l2norm = 0;
    for (int j = 1; j <= m; j++)
        for (int i = 1; i <= n; i++) {
            *l2norm += E[j][i] * E[j][i];
            if (E[j][i] > *mx)
                *mx = E[j][i];
        }
    *l2norm = sqrt(*l2norm / ((double)m * n));
}

static void plot(const char *name, double **E, int m, int n)
{
    int s = (n + 399) / 400;
    double lo = E[1][1], hi = E[1][1];
    FILE *fp = fopen(name, "wb");
    if (!fp)
        exit(1);
    for (int j = 1; j <= m; j++)
        for (int i = 1; i <= n; i++) {
            lo = fmin(lo, E[j][i]);
            hi = fmax(hi, E[j][i]);
        }
    fprintf(fp, "P5\n%d %d\n255\n", (n + s - 1) / s, (m + s - 1) / s);
    for (int j = 1; j <= m; j += s)
        for (int i = 1; i <= n; i += s)
            fputc(hi > lo ? (int)(255 * (E[j][i] - lo) / (hi - lo)) : 0, fp);
    fclose(fp);
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 180;
    int niters = argc > 2 ? atoi(argv[2]) : 1800;
    int m = n;
    if (n < 2 || niters < 0) {
        fprintf(stderr, "usage: %s [n] [steps] [picture.pgm]\n", argv[0]);
        return 1;
    }

    double dx = 1.0 / n;
    double rp = kk * (b + 1) * (b + 1) / 4;
    double dte = (dx * dx) / (d * 4 + dx * dx * (rp + kk));
    double dtr = 1 / (epsilon + (M1 / M2) * rp);
    double dt = dte < dtr ? 0.95 * dte : 0.95 * dtr;
    double alpha = d * dt / (dx * dx);

    double **E = alloc2D(m + 2, n + 2);
    double **E_prev = alloc2D(m + 2, n + 2);
    double **R = alloc2D(m + 2, n + 2);
    for (int j = 0; j <= m + 1; j++)
        for (int i = 0; i <= n + 1; i++) {
            E_prev[j][i] = i > n / 2 ? 1.0 : 0.0;
            R[j][i] = j > m / 2 ? 1.0 : 0.0;
            E[j][i] = 0.0;
        }

    double **last = solve(E, E_prev, R, m, n, niters, alpha, dt);

    double mx, l2norm;
    stats(last, m, n, &mx, &l2norm);
    printf("n = %d, dt = %g, %d iterations (t = %g)\n", n, dt, niters, niters * dt);
    printf("Max: %.17g L2norm: %.17g\n", mx, l2norm);

    if (argc > 3)
        plot(argv[3], last, m, n);
    free(E);
    free(E_prev);
    free(R);
    return 0;
}
