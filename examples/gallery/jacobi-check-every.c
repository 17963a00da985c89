/*
 * Steady temperature of a rectangular plate,  u_xx + u_yy = 0, with heated
 * patches on its edges.  Plain Jacobi sweeps; since the norm costs about as
 * much as a sweep it is only asked for every CHECK iterations.
 *
 * Usage: jacobi-check-every [n] [maxiter] [picture.pgm]
 */
#include <stdio.h>
#include <stdlib.h>
#include <math.h>

#pragma GCC diagnostic ignored "-Wunknown-pragmas"

#define IDX(i, j) ((i) * nx + (j))
#define CHECK 50

static void set_edges(double *u, int ny, int nx)
{
    for (int j = 0; j < nx; j++) {
        u[IDX(0, j)] = (j > nx / 5 && j < nx / 2) ? 100.0 : 20.0;
        u[IDX(ny - 1, j)] = (j > 3 * nx / 4) ? 80.0 : 0.0;
    }
    for (int i = 0; i < ny; i++) {
        u[IDX(i, 0)] = (i > ny / 2) ? 60.0 : 20.0;
        u[IDX(i, nx - 1)] = 20.0;
    }
}

/* Returns the array with the last iterate. */
static double *relax(double *u, double *unew, int ny, int nx,
                     double tol, int maxiter, int *iters, double *norm)
{
    int iter = 0;
    double diff = 2.0 * tol;
    double *tmp;

#pragma scop
    while (diff > tol && iter < maxiter) {
#pragma omp parallel for
        for (int i = 1; i < ny - 1; i++)
            for (int j = 1; j < nx - 1; j++)
                unew[IDX(i, j)] = 0.25 * (u[IDX(i - 1, j)] + u[IDX(i + 1, j)] +
                                          u[IDX(i, j - 1)] + u[IDX(i, j + 1)]);
        iter++;

        if (iter % CHECK == 0) {
            diff = 0.0;
#pragma omp parallel for reduction(max:diff)
            for (int i = 1; i < ny - 1; i++)
                for (int j = 1; j < nx - 1; j++) {
                    double d = fabs(unew[IDX(i, j)] - u[IDX(i, j)]);
                    if (d > diff)
                        diff = d;
                }
        }

        tmp = u;
        u = unew;
        unew = tmp;
    }
#pragma endscop

    *iters = iter;
    *norm = diff;
    return u;
}

static void save_picture(const char *name, const double *u, int ny, int nx)
{
    int s = ((nx > ny ? nx : ny) + 399) / 400;
    double lo = u[0], hi = u[0];
    FILE *f = fopen(name, "wb");
    if (f == NULL) {
        perror(name);
        return;
    }
    for (int k = 0; k < nx * ny; k++) {
        if (u[k] < lo) lo = u[k];
        if (u[k] > hi) hi = u[k];
    }
    fprintf(f, "P5\n%d %d\n255\n", (nx + s - 1) / s, (ny + s - 1) / s);
    for (int i = 0; i < ny; i += s)
        for (int j = 0; j < nx; j += s)
            putc((int)(255.0 * (u[IDX(i, j)] - lo) / (hi - lo)), f);
    fclose(f);
}

int main(int argc, char *argv[])
{
    int nx = argc > 1 ? atoi(argv[1]) : 300;
    int maxiter = argc > 2 ? atoi(argv[2]) : 5000;
    int ny = nx - nx / 4;
    double tol = 2e-3, norm;
    int iters;

    if (nx < 4 || maxiter < 0) {
        fprintf(stderr, "usage: %s [nx] [maxiter] [picture.pgm]\n", argv[0]);
        return 1;
    }

    double *a = malloc((size_t)nx * ny * sizeof(double));
    double *b = malloc((size_t)nx * ny * sizeof(double));
    if (a == NULL || b == NULL)
        return 1;

    for (int k = 0; k < nx * ny; k++)
        a[k] = b[k] = 30.0;
    set_edges(a, ny, nx);
    set_edges(b, ny, nx);

    double *u = relax(a, b, ny, nx, tol, maxiter, &iters, &norm);

    double mean = 0.0;
    for (int k = 0; k < nx * ny; k++)
        mean += u[k];
    mean /= (double)nx * ny;

    printf("plate %dx%d: %d sweeps, last checked change %.17g\n", ny, nx, iters, norm);
    printf("mean temperature %.17g, centre %.17g\n", mean, u[IDX(ny / 2, nx / 2)]);

    if (argc > 3)
        save_picture(argv[3], u, ny, nx);
    free(a);
    free(b);
    return 0;
}
