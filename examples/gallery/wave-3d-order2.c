/*
 * wave-3d-order2: sound pulse in a closed box,
 *
 *     p_tt = c^2 (p_xx + p_yy + p_zz),   p = 0 on the walls,
 *
 * second order leapfrog on an n x n x n grid with three time levels.  Two
 * Gaussian pulses of opposite sign start at rest and are reflected at the
 * pressure-release walls.
 *
 * Usage: wave-3d-order2 [n] [steps] [picture.pgm]
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

struct grid {
    int nx, ny, nz;
    double courant2;                /* (c dt / h)^2 */
    double *prev, *cur, *next;
};

static inline size_t idx(const struct grid *g, int i, int j, int k)
{
    return ((size_t)i * g->ny + j) * g->nz + k;
}

static struct grid *grid_new(int nx, int ny, int nz)
{
    struct grid *g = malloc(sizeof *g);
    size_t cells = (size_t)nx * ny * nz;

    g->nx = nx;
    g->ny = ny;
    g->nz = nz;
    g->courant2 = 0.5 * 0.5;
    g->prev = calloc(cells, sizeof(double));
    g->cur = calloc(cells, sizeof(double));
    g->next = calloc(cells, sizeof(double));
    if (!g->prev || !g->cur || !g->next) {
        fprintf(stderr, "out of memory\n");
        exit(1);
    }
    return g;
}

static void add_pulse(struct grid *g, double x, double y, double z, double width, double amp)
{
    for (int i = 1; i < g->nx - 1; i++)
        for (int j = 1; j < g->ny - 1; j++)
            for (int k = 1; k < g->nz - 1; k++) {
                double dx = (double)i / (g->nx - 1) - x;
                double dy = (double)j / (g->ny - 1) - y;
                double dz = (double)k / (g->nz - 1) - z;
                double p = amp * exp(-(dx * dx + dy * dy + dz * dz) / (width * width));
                g->cur[idx(g, i, j, k)] += p;
                g->prev[idx(g, i, j, k)] += p;
            }
}

static void step(struct grid *g)
{
#pragma omp parallel for collapse(2)
    for (int i = 1; i < g->nx - 1; i++)
        for (int j = 1; j < g->ny - 1; j++)
            for (int k = 1; k < g->nz - 1; k++) {
                double c = g->cur[idx(g, i, j, k)];
                double lap = g->cur[idx(g, i - 1, j, k)] + g->cur[idx(g, i + 1, j, k)]
                           + g->cur[idx(g, i, j - 1, k)] + g->cur[idx(g, i, j + 1, k)]
                           + g->cur[idx(g, i, j, k - 1)] + g->cur[idx(g, i, j, k + 1)]
                           - 6.0 * c;
                g->next[idx(g, i, j, k)] =
                    2.0 * c - g->prev[idx(g, i, j, k)] + g->courant2 * lap;
            }
}

static void rotate(struct grid *g)
{
    double *oldest = g->prev;
    g->prev = g->cur;
    g->cur = g->next;
    g->next = oldest;
}

static void write_slice(const struct grid *g, const char *name)
{
    int w = g->nz < 400 ? g->nz : 400, h = g->ny < 400 ? g->ny : 400;
    const double *p = g->cur + idx(g, g->nx / 2, 0, 0);
    double lo = 0.0, hi = 0.0;
    FILE *f = fopen(name, "wb");

    if (!f) {
        perror(name);
        exit(1);
    }
    for (int m = 0; m < g->ny * g->nz; m++) {
        lo = fmin(lo, p[m]);
        hi = fmax(hi, p[m]);
    }
    fprintf(f, "P5\n%d %d\n255\n", w, h);
    for (int j = 0; j < h; j++)
        for (int k = 0; k < w; k++) {
            double v = p[j * g->ny / h * g->nz + k * g->nz / w];
            fputc(hi > lo ? (int)(255.0 * (v - lo) / (hi - lo)) : 0, f);
        }
    fclose(f);
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 96;
    int steps = argc > 2 ? atoi(argv[2]) : 96;
    if (n < 3)
        return fprintf(stderr, "n must be at least 3\n"), 1;

    struct grid *g = grid_new(n, n, n);
    add_pulse(g, 0.50, 0.35, 0.30, 0.06, 1.0);
    add_pulse(g, 0.45, 0.60, 0.70, 0.04, -1.5);

#pragma scop
    for (int t = 0; t < steps; t++) {
        step(g);
        rotate(g);
    }
#pragma endscop

    double sq = 0.0;
    for (size_t m = 0; m < (size_t)n * n * n; m++)
        sq += g->cur[m] * g->cur[m];
    printf("wave-3d n=%d steps=%d  rms pressure %.17g\n", n, steps, sqrt(sq / ((double)n * n * n)));
    if (argc > 3)
        write_slice(g, argv[3]);
    free(g->prev);
    free(g->cur);
    free(g->next);
    free(g);
    return 0;
}
