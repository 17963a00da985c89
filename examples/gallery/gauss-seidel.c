/*
 * Deflection of a loaded membrane,  w_xx + w_yy = -p / T,  clamped at the frame.
 * Five-point differences, point Gauss-Seidel in lexicographic order (new values
 * are used as soon as they are there), stopped on the largest update.
 *
 * Usage: gauss-seidel [n] [max sweeps] [picture.pgm]
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#pragma GCC diagnostic ignored "-Wunknown-pragmas"

static const double eps = 1.0e-5;

/* load per tension at (x, y): two heavy patches, and a ring pulled upwards */
static double load(double x, double y)
{
    double r = sqrt((x - 0.6) * (x - 0.6) + (y - 0.6) * (y - 0.6));
    double p = 1.0;
    if (x > 0.1 && x < 0.25 && y > 0.15 && y < 0.4)
        p += 60.0;
    if (x > 0.6 && x < 0.9 && y > 0.1 && y < 0.2)
        p += 60.0;
    if (r > 0.15 && r < 0.22)
        p -= 45.0;
    return p;
}

static int gauss_seidel(double *w, const double *b, int nx, int ny,
                        int maxsweeps, double *change)
{
    int sweep = 0;
    double dmax;

#pragma scop
    do {
        dmax = 0.0;
        for (int i = 1; i < ny - 1; i++) {
            for (int j = 1; j < nx - 1; j++) {
                int k = i * nx + j;
                int up = k - nx;
                int down = k + nx;
                double old = w[k];
                w[k] = 0.25 * (w[up] + w[down] + w[k - 1] + w[k + 1] + b[k]);
                double d = fabs(w[k] - old);
                if (d > dmax)
                    dmax = d;
            }
        }
        sweep++;
    } while (dmax > eps && sweep < maxsweeps);
#pragma endscop

    *change = dmax;
    return sweep;
}

static void write_pgm(const char *name, const double *w, int nx, int ny)
{
    int s = ((nx > ny ? nx : ny) + 399) / 400;
    double lo = w[0], hi = w[0];
    FILE *fp = fopen(name, "wb");

    if (!fp) {
        perror(name);
        exit(1);
    }
    for (int k = 0; k < nx * ny; k++) {
        lo = fmin(lo, w[k]);
        hi = fmax(hi, w[k]);
    }
    if (hi <= lo)
        hi = lo + 1.0;
    fprintf(fp, "P5\n%d %d\n255\n", (nx + s - 1) / s, (ny + s - 1) / s);
    for (int i = 0; i < ny; i += s)
        for (int j = 0; j < nx; j += s)
            fputc((int)(255.0 * (w[i * nx + j] - lo) / (hi - lo)), fp);
    fclose(fp);
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 130;
    int maxsweeps = argc > 2 ? atoi(argv[2]) : 6000;

    if (n < 3 || maxsweeps < 1) {
        fprintf(stderr, "usage: %s [n] [max sweeps] [picture.pgm]\n", argv[0]);
        return 1;
    }

    int nx = n, ny = n;
    double h = 1.0 / (n - 1);
    double *w = calloc((size_t)nx * ny, sizeof *w);
    double *b = malloc((size_t)nx * ny * sizeof *b);
    if (!w || !b)
        return 1;

    for (int i = 0; i < ny; i++)
        for (int j = 0; j < nx; j++)
            b[i * nx + j] = h * h * load(j * h, i * h);

    double change;
    int sweeps = gauss_seidel(w, b, nx, ny, maxsweeps, &change);

    double deepest = 0.0, volume = 0.0;
    for (int k = 0; k < nx * ny; k++) {
        deepest = fmax(deepest, w[k]);
        volume += w[k] * h * h;
    }
    printf("membrane %d x %d: %d sweeps, last change %.17g\n", nx, ny, sweeps, change);
    printf("deepest point %.17g, volume %.17g\n", deepest, volume);

    if (argc > 3)
        write_pgm(argv[3], w, nx, ny);
    free(w);
    free(b);
    return 0;
}
