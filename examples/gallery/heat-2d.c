/*
 * heat-2d: explicit heat conduction in a square plate,
 *
 *     du/dt = alpha (d2u/dx2 + d2u/dy2),   u given on the four edges.
 *
 * Forward in time, central in space (FTCS) on an n x n grid; alpha dt/h^2
 * is 0.24, just inside the stability limit of 1/4.  The left edge carries a
 * sine profile, the plate starts with a few hot and cold discs.
 *
 * Usage: heat-2d [n] [steps] [picture.pgm]
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static void swap(double **a, double **b)
{
    double *t = *a;
    *a = *b;
    *b = t;
}

static void heat_step(const double *u, double *unew, int nx, int ny, double r)
{
    int i, j;
#pragma omp parallel for private(j) schedule(static)
    for (i = 1; i < ny - 1; i++) {
        for (j = 1; j < nx - 1; j++) {
            int k = i * nx + j;
            int up = k - nx, down = k + nx;
            unew[k] = u[k] + r * (u[up] + u[down] + u[k - 1] + u[k + 1] - 4.0 * u[k]);
        }
    }
}

static void init_plate(double *u, double *unew, int nx, int ny)
{
    static const struct { double x, y, radius, temp; } disc[] = {
        { 0.30, 0.30, 0.12, 100.0 }, { 0.70, 0.25, 0.08, -60.0 },
        { 0.62, 0.68, 0.18,  60.0 }, { 0.25, 0.75, 0.10, -80.0 },
        { 0.85, 0.85, 0.06, 120.0 },
    };
    for (int i = 0; i < ny; i++)
        for (int j = 0; j < nx; j++) {
            double x = (double)j / (nx - 1), y = (double)i / (ny - 1), t = 0.0;
            for (size_t d = 0; d < sizeof disc / sizeof disc[0]; d++)
                if (hypot(x - disc[d].x, y - disc[d].y) < disc[d].radius)
                    t = disc[d].temp;
            if (j == 0)
                t = 100.0 * sin(M_PI * y);
            else if (j == nx - 1 || i == 0 || i == ny - 1)
                t = 0.0;
            u[i * nx + j] = unew[i * nx + j] = t;
        }
}

static void write_pgm(const char *name, const double *a, int nx, int ny)
{
    int w = nx < 400 ? nx : 400, h = ny < 400 ? ny : 400;
    double lo = a[0], hi = a[0];
    FILE *f = fopen(name, "wb");
    if (!f) {
        perror(name);
        exit(1);
    }
    for (int k = 0; k < nx * ny; k++) {
        lo = fmin(lo, a[k]);
        hi = fmax(hi, a[k]);
    }
    fprintf(f, "P5\n%d %d\n255\n", w, h);
    for (int i = 0; i < h; i++)
        for (int j = 0; j < w; j++) {
            double v = a[(size_t)i * ny / h * nx + (size_t)j * nx / w];
            fputc(hi > lo ? (int)(255.0 * (v - lo) / (hi - lo)) : 0, f);
        }
    fclose(f);
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 400;
    int steps = argc > 2 ? atoi(argv[2]) : 1000;
    const double r = 0.24;
    double *u = malloc((size_t)n * n * sizeof *u);
    double *unew = malloc((size_t)n * n * sizeof *unew);

    if (n < 3 || !u || !unew) {
        fprintf(stderr, "heat-2d: bad size or out of memory\n");
        return 1;
    }
    init_plate(u, unew, n, n);

#pragma scop
    for (int t = 0; t < steps; t++) {
        heat_step(u, unew, n, n, r);
        swap(&u, &unew);
    }
#pragma endscop

    double sum = 0.0, peak = u[0];
    for (int k = 0; k < n * n; k++) {
        sum += u[k];
        peak = fmax(peak, u[k]);
    }
    printf("heat-2d %dx%d, %d steps: mean temperature %.17g, maximum %.17g\n",
           n, n, steps, sum / ((double)n * n), peak);
    if (argc > 3)
        write_pgm(argv[3], u, n, n);
    free(u);
    free(unew);
    return 0;
}
