/*
 * Electrostatic potential in a grounded box,  phi_xx + phi_yy = -rho, by
 * successive over-relaxation with red-black (odd-even) ordering: each sweep
 * updates the red points and then the black ones, all points of one colour
 * being independent.  Optimal omega for the model problem.
 *
 * Usage: red-black-sor [n] [sweeps] [picture.pgm]
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#pragma GCC diagnostic ignored "-Wunknown-pragmas"

enum { RED, BLACK };

/* Matrix with row pointers into one block of storage. */
static double **dmatrix(int nrow, int ncol)
{
    double **m = malloc(nrow * sizeof(double *));
    if (!m)
        exit(1);
    m[0] = calloc((size_t)nrow * ncol, sizeof(double));
    if (!m[0])
        exit(1);
    for (int i = 1; i < nrow; i++)
        m[i] = m[i - 1] + ncol;
    return m;
}

static void free_dmatrix(double **m)
{
    free(m[0]);
    free(m);
}

static void sor(double **phi, double **rho, int n, double h, double omega, int nsweep)
{
    int sweep, c, i, j;

#pragma scop
    for (sweep = 0; sweep < nsweep; sweep++) {
        for (c = RED; c <= BLACK; c++) {
#pragma omp parallel for private(j)
            for (i = 1; i < n - 1; i++) {
                for (j = 1 + (i + c) % 2; j < n - 1; j += 2) {
                    double resid = phi[i + 1][j] + phi[i - 1][j]
                                 + phi[i][j + 1] + phi[i][j - 1]
                                 - 4.0 * phi[i][j] + h * h * rho[i][j];
                    phi[i][j] += omega * 0.25 * resid;
                }
            }
        }
    }
#pragma endscop
}

static double max_residual(double **phi, double **rho, int n, double h)
{
    double rmax = 0.0;
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++) {
            double r = (phi[i + 1][j] + phi[i - 1][j] + phi[i][j + 1] + phi[i][j - 1]
                      - 4.0 * phi[i][j]) / (h * h) + rho[i][j];
            if (fabs(r) > rmax)
                rmax = fabs(r);
        }
    return rmax;
}

static void picture(const char *name, double **a, int n)
{
    FILE *f = fopen(name, "wb");
    int s = (n + 399) / 400, w = (n + s - 1) / s;
    double lo = a[0][0], hi = a[0][0];
    if (!f) {
        perror(name);
        return;
    }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            if (a[i][j] < lo) lo = a[i][j];
            if (a[i][j] > hi) hi = a[i][j];
        }
    fprintf(f, "P5\n%d %d\n255\n", w, w);
    for (int i = 0; i < n; i += s)
        for (int j = 0; j < n; j += s)
            fputc(hi > lo ? (int)(255 * (a[i][j] - lo) / (hi - lo)) : 0, f);
    fclose(f);
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 321;
    int nsweep = argc > 2 ? atoi(argv[2]) : 1000;
    if (n < 3 || nsweep < 0) {
        fprintf(stderr, "usage: %s [n] [sweeps] [picture.pgm]\n", argv[0]);
        return 1;
    }
    double h = 1.0 / (n - 1);
    double omega = 2.0 / (1.0 + sin(M_PI * h));
    double **phi = dmatrix(n, n), **rho = dmatrix(n, n);

    /* a quadrupole of charged bars and a line charge */
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++) {
            double x = j * h, y = i * h;
            if (fabs(x - 0.3) < 0.03 && fabs(y - 0.35) < 0.15) rho[i][j] = 100.0;
            if (fabs(x - 0.7) < 0.03 && fabs(y - 0.35) < 0.15) rho[i][j] = -100.0;
            if (fabs(x - 0.3) < 0.15 && fabs(y - 0.75) < 0.03) rho[i][j] = -100.0;
            if (fabs(x - 0.7) < 0.15 && fabs(y - 0.75) < 0.03) rho[i][j] = 100.0;
        }
    rho[n / 2][n / 2] += 0.5 / (h * h);

    double r0 = max_residual(phi, rho, n, h);
    sor(phi, rho, n, h, omega, nsweep);
    double r1 = max_residual(phi, rho, n, h);

    printf("SOR n = %d, omega = %.6f, %d sweeps\n", n, omega, nsweep);
    printf("max residual %.17g -> %.17g, phi(centre) = %.17g\n", r0, r1, phi[n / 2][n / 2]);

    if (argc > 3)
        picture(argv[3], phi, n);
    free_dmatrix(phi);
    free_dmatrix(rho);
    return 0;
}
