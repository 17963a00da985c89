/*
 * Spinodal decomposition of a binary alloy: Cahn-Hilliard equation
 *
 *     dc/dt = lap( M mu ),     mu = df/dc - kappa lap(c),
 *     f(c) = A c^2 (1-c)^2
 *
 * Conserved composition c, explicit Euler, five-point Laplacians, periodic in
 * both directions.  N must be a power of two.
 *
 * usage: cahn-hilliard [picture.pgm]      (sizes: -DN=.. -DT=..)
 */
#include <stdio.h>
#include <stdint.h>

#ifndef N
#define N 128
#endif
#ifndef T
#define T 3000
#endif

#if (N & (N - 1)) != 0
#error "N must be a power of two"
#endif

#define IDX(i, j) ((i) * N + (j))
#define WRAP(i)   ((i) & (N - 1))

static double c[N * N];
static double mu[N * N];

static const double A = 1.0, kappa = 0.5, M = 1.0;
static const double dx = 1.0, dt = 0.03;

static double laplacian(const double *a, int i, int j)
{
    return (a[IDX(WRAP(i + 1), j)] + a[IDX(WRAP(i - 1), j)]
          + a[IDX(i, WRAP(j + 1))] + a[IDX(i, WRAP(j - 1))]
          - 4.0 * a[IDX(i, j)]) / (dx * dx);
}

static void initialise(double c0, double noise)
{
    uint32_t s = 88172645u;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            s ^= s << 13;
            s ^= s >> 17;
            s ^= s << 5;
            c[IDX(i, j)] = c0 + noise * (0.5 - (s & 0xffff) / 65535.0);
        }
}

static double energy(void)
{
    double e = 0.0;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            double x = c[IDX(i, j)];
            double gx = (c[IDX(WRAP(i + 1), j)] - x) / dx;
            double gy = (c[IDX(i, WRAP(j + 1))] - x) / dx;
            e += A * x * x * (1 - x) * (1 - x) + 0.5 * kappa * (gx * gx + gy * gy);
        }
    return e * dx * dx;
}

int main(int argc, char **argv)
{
    initialise(0.42, 0.04);
    double e0 = energy();

#pragma scop
    for (int step = 0; step < T; step++) {
        /* chemical potential */
        #pragma omp parallel for schedule(static)
        for (int i = 0; i < N; i++)
            for (int j = 0; j < N; j++) {
                double x = c[IDX(i, j)];
                double dfdc = A * (2.0 * x * (1 - x) * (1 - x) - 2.0 * x * x * (1 - x));
                mu[IDX(i, j)] = dfdc - kappa * laplacian(c, i, j);
            }

        /* composition */
        #pragma omp parallel for schedule(static)
        for (int i = 0; i < N; i++)
            for (int j = 0; j < N; j++)
                c[IDX(i, j)] += dt * M * laplacian(mu, i, j);
    }
#pragma endscop

    double sum = 0.0, lo = c[0], hi = c[0];
    for (int k = 0; k < N * N; k++) {
        sum += c[k];
        if (c[k] < lo) lo = c[k];
        if (c[k] > hi) hi = c[k];
    }
    printf("t = %g: mean composition %.17g, c in [%.6f, %.6f]\n", T * dt, sum / (N * N), lo, hi);
    printf("free energy %.17g (initially %.17g)\n", energy(), e0);

    if (argc > 1) {
        FILE *fp = fopen(argv[1], "wb");
        if (!fp) {
            perror(argv[1]);
            return 1;
        }
        int d = N > 400 ? (N + 399) / 400 : 1;
        fprintf(fp, "P5 %d %d 255\n", (N + d - 1) / d, (N + d - 1) / d);
        for (int i = 0; i < N; i += d)
            for (int j = 0; j < N; j += d)
                fputc((int)(255.0 * (c[IDX(i, j)] - lo) / (hi - lo)), fp);
        fclose(fp);
    }
    return 0;
}
