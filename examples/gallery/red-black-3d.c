/*
 * Screened Poisson (Helmholtz) equation in a box,
 *     laplace(u) - kappa^2 u = -f,   u = 0 on the walls,
 * relaxed by red-black Gauss-Seidel.  Points with i+j+k even are updated first,
 * then the odd ones.  Typical as the electrostatics step of a particle code.
 *
 * Usage: red-black-3d [n] [sweeps] [picture.pgm]
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#pragma GCC diagnostic ignored "-Wunknown-pragmas"

typedef struct {
    int nx, ny, nz;     /* points, with the walls */
    double h;
    double *u;          /* potential */
    double *f;          /* charge density */
} Grid;

static inline int at(const Grid *g, int i, int j, int k)
{
    return (k * g->ny + j) * g->nx + i;
}

static void relax(Grid *g, double kappa, int nsweeps)
{
    const int nx = g->nx, ny = g->ny, nz = g->nz;
    const double h2 = g->h * g->h;
    const double diag = 1.0 / (6.0 + kappa * kappa * h2);
    double *u = g->u;
    double *f = g->f;

#pragma scop
    for (int it = 0; it < nsweeps; it++) {
        for (int c = 0; c < 2; c++) {
#pragma omp parallel for
            for (int k = 1; k < nz - 1; k++)
                for (int j = 1; j < ny - 1; j++)
                    for (int i = 1; i < nx - 1; i++)
                        if ((i + j + k) % 2 == c)
                            u[at(g, i, j, k)] = diag *
                                (u[at(g, i - 1, j, k)] + u[at(g, i + 1, j, k)] +
                                 u[at(g, i, j - 1, k)] + u[at(g, i, j + 1, k)] +
                                 u[at(g, i, j, k - 1)] + u[at(g, i, j, k + 1)] +
                                 h2 * f[at(g, i, j, k)]);
        }
    }
#pragma endscop
}

static double residual(const Grid *g, double kappa)
{
    double rmax = 0.0, h2 = g->h * g->h;
    for (int k = 1; k < g->nz - 1; k++)
        for (int j = 1; j < g->ny - 1; j++)
            for (int i = 1; i < g->nx - 1; i++) {
                double s = g->u[at(g, i - 1, j, k)] + g->u[at(g, i + 1, j, k)]
                         + g->u[at(g, i, j - 1, k)] + g->u[at(g, i, j + 1, k)]
                         + g->u[at(g, i, j, k - 1)] + g->u[at(g, i, j, k + 1)]
                         - (6.0 + kappa * kappa * h2) * g->u[at(g, i, j, k)];
                double r = fabs(s / h2 + g->f[at(g, i, j, k)]);
                if (r > rmax)
                    rmax = r;
            }
    return rmax;
}

static void picture(const char *name, const Grid *g)
{
    int k = g->nz / 2, s = (g->nx + 399) / 400;
    double lo = 1e300, hi = -1e300;
    FILE *fp = fopen(name, "wb");
    if (!fp) {
        perror(name);
        exit(1);
    }
    for (int j = 0; j < g->ny; j++)
        for (int i = 0; i < g->nx; i++) {
            lo = fmin(lo, g->u[at(g, i, j, k)]);
            hi = fmax(hi, g->u[at(g, i, j, k)]);
        }
    fprintf(fp, "P5\n%d %d\n255\n", (g->nx + s - 1) / s, (g->ny + s - 1) / s);
    for (int j = 0; j < g->ny; j += s)
        for (int i = 0; i < g->nx; i += s) {
            double v = g->u[at(g, i, j, k)];
            fputc(hi > lo ? (int)(255.0 * (v - lo) / (hi - lo)) : 0, fp);
        }
    fclose(fp);
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 96;
    int nsweeps = argc > 2 ? atoi(argv[2]) : 60;
    if (n < 3 || nsweeps < 0) {
        fprintf(stderr, "usage: %s [n] [sweeps] [picture.pgm]\n", argv[0]);
        return 1;
    }
    const double kappa = 8.0;
    Grid g = { n, n, n / 2 + 2, 1.0 / (n - 1), NULL, NULL };
    size_t size = (size_t)g.nx * g.ny * g.nz;
    g.u = calloc(size, sizeof *g.u);
    g.f = calloc(size, sizeof *g.f);
    if (!g.u || !g.f)
        return 1;

    /* ions on a rough spiral, alternating sign, spread over a few cells */
    for (int p = 0; p < 24; p++) {
        double r = 0.08 + 0.014 * p, a = 0.85 * p;
        double x = 0.5 + r * cos(a), y = 0.5 + r * sin(a);
        double z = 0.5 * g.h * (g.nz - 1), q = p % 2 ? -1.0 : 1.0;
        for (int k = 1; k < g.nz - 1; k++)
            for (int j = 1; j < g.ny - 1; j++)
                for (int i = 1; i < g.nx - 1; i++) {
                    double dx = i * g.h - x, dy = j * g.h - y, dz = k * g.h - z;
                    g.f[at(&g, i, j, k)] += q * 800.0 * exp(-700.0 * (dx * dx + dy * dy + dz * dz));
                }
    }

    double r0 = residual(&g, kappa);
    relax(&g, kappa, nsweeps);
    double r1 = residual(&g, kappa);
    printf("%d x %d x %d, %d red-black sweeps\n", g.nx, g.ny, g.nz, nsweeps);
    printf("residual %.17g -> %.17g\n", r0, r1);

    if (argc > 3)
        picture(argv[3], &g);
    free(g.u);
    free(g.f);
    return 0;
}
