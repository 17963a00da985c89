/*
 * shallow-water: surface gravity waves in a closed basin with an island,
 *
 *     du/dt = -g d(eta)/dx,   dv/dt = -g d(eta)/dy,
 *     d(eta)/dt = -d(h u)/dx - d(h v)/dy,   h = h0 + eta,
 *
 * on an Arakawa C grid, forward-backward in time, upwind layer thickness in
 * the fluxes, first-order Shapiro filter against grid noise.  Coasts and the
 * rim of the domain are land cells (wet = 0) and reflect.
 *
 * Usage: shallow-water [n] [steps] [picture.pgm]
 */
#include <stdio.h>
#include <stdlib.h>
#include <math.h>

#define G 9.81
#define EPS 0.05                /* Shapiro filter */

/* matrix with subscripts [0..nr][0..nc] */
static double **dmatrix(int nr, int nc)
{
    double **m = malloc((nr + 1) * sizeof(double *));
    if (!m) goto fail;
    for (int i = 0; i <= nr; i++)
        if (!(m[i] = calloc(nc + 1, sizeof(double))))
            goto fail;
    return m;
fail:
    fprintf(stderr, "allocation failure in dmatrix()\n");
    exit(1);
}

static void free_dmatrix(double **m, int nr)
{
    for (int i = 0; i <= nr; i++)
        free(m[i]);
    free(m);
}

/* one time step; u[j][k] sits on the east face, v[j][k] on the north face */
static void dyn(int ny, int nx, double dt, double dx, double dy, double **eta, double **etan,
                double **h, double **hzero, double **u, double **un, double **v, double **vn,
                double **wet)
{
    int j, k;

#pragma omp parallel for private(k)
    for (j = 1; j <= ny; j++)
        for (k = 1; k <= nx; k++) {
            un[j][k] = 0.0;
            vn[j][k] = 0.0;
            if (wet[j][k] == 1.0 && wet[j][k+1] == 1.0)
                un[j][k] = u[j][k] - dt * G * (eta[j][k+1] - eta[j][k]) / dx;
            if (wet[j][k] == 1.0 && wet[j+1][k] == 1.0)
                vn[j][k] = v[j][k] - dt * G * (eta[j+1][k] - eta[j][k]) / dy;
        }

#pragma omp parallel for private(k)
    for (j = 1; j <= ny; j++)
        for (k = 1; k <= nx; k++) {
            double hue = 0.5 * (un[j][k] + fabs(un[j][k])) * h[j][k]
                       + 0.5 * (un[j][k] - fabs(un[j][k])) * h[j][k+1];
            double huw = 0.5 * (un[j][k-1] + fabs(un[j][k-1])) * h[j][k-1]
                       + 0.5 * (un[j][k-1] - fabs(un[j][k-1])) * h[j][k];
            double hvn = 0.5 * (vn[j][k] + fabs(vn[j][k])) * h[j][k]
                       + 0.5 * (vn[j][k] - fabs(vn[j][k])) * h[j+1][k];
            double hvs = 0.5 * (vn[j-1][k] + fabs(vn[j-1][k])) * h[j-1][k]
                       + 0.5 * (vn[j-1][k] - fabs(vn[j-1][k])) * h[j][k];
            etan[j][k] = eta[j][k] - dt * (hue - huw) / dx - dt * (hvn - hvs) / dy;
        }

#pragma omp parallel for private(k)
    for (j = 1; j <= ny; j++)
        for (k = 1; k <= nx; k++) {
            if (wet[j][k] == 1.0) {
                double near = wet[j][k+1] + wet[j][k-1] + wet[j+1][k] + wet[j-1][k];
                double term = wet[j][k+1] * etan[j][k+1] + wet[j][k-1] * etan[j][k-1]
                            + wet[j+1][k] * etan[j+1][k] + wet[j-1][k] * etan[j-1][k];
                eta[j][k] = (1.0 - 0.25 * EPS * near) * etan[j][k] + 0.25 * EPS * term;
            }
        }

#pragma omp parallel for private(k)
    for (j = 1; j <= ny; j++)
        for (k = 1; k <= nx; k++) {
            h[j][k] = hzero[j][k] + eta[j][k];
            u[j][k] = un[j][k];
            v[j][k] = vn[j][k];
        }
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 200, nt = argc > 2 ? atoi(argv[2]) : 320;
    int nx = n, ny = n, j, k, it;
    if (n < 2)
        return fprintf(stderr, "shallow-water: n is too small\n"), 1;
    double dx = 100.0, dy = 100.0, dt = 0.5 * dx / sqrt(2.0 * G * 32.0);
    double **eta = dmatrix(ny + 1, nx + 1), **etan = dmatrix(ny + 1, nx + 1);
    double **u = dmatrix(ny + 1, nx + 1), **un = dmatrix(ny + 1, nx + 1);
    double **v = dmatrix(ny + 1, nx + 1), **vn = dmatrix(ny + 1, nx + 1);
    double **h = dmatrix(ny + 1, nx + 1), **hzero = dmatrix(ny + 1, nx + 1);
    double **wet = dmatrix(ny + 1, nx + 1);

    for (j = 1; j <= ny; j++)
        for (k = 1; k <= nx; k++) {
            double x = (k - 0.5) / nx, y = (j - 0.5) / ny;
            wet[j][k] = hypot(x - 0.65, 1.4 * (y - 0.6)) < 0.13 ? 0.0 : 1.0;
            hzero[j][k] = wet[j][k] * (30.0 - 20.0 * x);        /* shoals eastwards */
            eta[j][k] = wet[j][k] * 1.5 * exp(-((x - 0.25) * (x - 0.25) + (y - 0.3) * (y - 0.3)) / 0.003);
            h[j][k] = hzero[j][k] + eta[j][k];
        }

#pragma scop
    for (it = 1; it <= nt; it++)
        dyn(ny, nx, dt, dx, dy, eta, etan, h, hzero, u, un, v, vn, wet);
#pragma endscop

    double volume = 0.0, lo = 0.0, hi = 0.0;
    for (j = 1; j <= ny; j++)
        for (k = 1; k <= nx; k++) {
            volume += eta[j][k] * dx * dy;
            lo = fmin(lo, eta[j][k]);
            hi = fmax(hi, eta[j][k]);
        }
    printf("shallow-water %d x %d, t = %.1f s\n", ny, nx, nt * dt);
    printf("excess volume %.17g m3, elevation %.17g .. %.17g m\n", volume, lo, hi);
    if (argc > 3) {
        int w = n < 400 ? n : 400;
        FILE *f = fopen(argv[3], "wb");
        if (!f)
            return perror(argv[3]), 1;
        fprintf(f, "P5\n%d %d\n255\n", w, w);
        for (j = w - 1; j >= 0; j--)            /* north is up */
            for (k = 0; k < w; k++)
                fputc((int)(255.0 * (eta[1 + j * ny / w][1 + k * nx / w] - lo) / (hi > lo ? hi - lo : 1.0)), f);
        fclose(f);
    }
    double **all[] = { eta, etan, u, un, v, vn, h, hzero, wet };
    for (k = 0; k < 9; k++)
        free_dmatrix(all[k], ny + 1);
    return 0;
}
