/*
 * wave-2d: scalar wave equation in a rectangular basin,
 *
 *     u_tt = c(x,y)^2 (u_xx + u_yy) + s(t) delta(x - xs),   u = 0 on the rim,
 *
 * second order in space and time (leapfrog, three time levels).  The source
 * is a Ricker wavelet, tabulated once for all time steps.  A slow disc in the
 * middle of the basin focuses the waves.
 *
 * Usage: wave-2d [n] [steps] [picture.pgm]
 */
#include <stdio.h>
#include <stdlib.h>
#include <math.h>

static double ricker(double t, double f0)
{
    double a = M_PI * f0 * (t - 1.2 / f0);
    return (1.0 - 2.0 * a * a) * exp(-a * a);
}

static void save_pgm(const char *name, int ny, int nx, double (*u)[nx])
{
    int w = nx > 400 ? 400 : nx, h = ny > 400 ? 400 : ny;
    double lo = u[0][0], hi = u[0][0];

    for (int i = 0; i < ny; i++)
        for (int j = 0; j < nx; j++) {
            lo = fmin(lo, u[i][j]);
            hi = fmax(hi, u[i][j]);
        }
    FILE *f = fopen(name, "wb");
    if (!f) {
        perror(name);
        exit(1);
    }
    fprintf(f, "P5\n%d %d\n255\n", w, h);
    for (int i = 0; i < h; i++)
        for (int j = 0; j < w; j++) {
            double v = u[i * ny / h][j * nx / w];
            putc(hi > lo ? (int)(255.0 * (v - lo) / (hi - lo)) : 0, f);
        }
    fclose(f);
}

int main(int argc, char **argv)
{
    int nx = argc > 1 ? atoi(argv[1]) : 360, ny = nx;
    int nt = argc > 2 ? atoi(argv[2]) : 700;
    if (nx < 4 || nt < 0) {
        fprintf(stderr, "usage: %s [n] [steps] [picture.pgm]\n", argv[0]);
        return 1;
    }
    const double h = 5.0, c0 = 1500.0, dt = 0.5 * h / c0, f0 = 15.0;
    const int is = ny / 4, js = nx / 3;         /* source */

    double (*um)[nx] = calloc(ny, sizeof *um);  /* u at t - dt */
    double (*u)[nx] = calloc(ny, sizeof *u);    /* u at t      */
    double (*up)[nx] = calloc(ny, sizeof *up);  /* u at t + dt */
    double (*c2)[nx] = malloc(ny * sizeof *c2); /* (c dt / h)^2 */
    double *wavelet = malloc((nt + 1) * sizeof *wavelet);
    if (!um || !u || !up || !c2 || !wavelet) {
        fprintf(stderr, "out of memory\n");
        return 1;
    }
    for (int i = 0; i < ny; i++)
        for (int j = 0; j < nx; j++) {
            double c = hypot(i - 0.55 * ny, j - 0.55 * nx) < 0.15 * nx ? 0.6 * c0 : c0;
            c2[i][j] = c * c * dt * dt / (h * h);
        }
    for (int it = 0; it < nt; it++)
        wavelet[it] = ricker(it * dt, f0);

#pragma scop
    for (int it = 0; it < nt; it++) {
#pragma omp parallel for schedule(static)
        for (int i = 1; i < ny - 1; i++)
            for (int j = 1; j < nx - 1; j++) {
                double lap = u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1]
                           - 4.0 * u[i][j];
                up[i][j] = 2.0 * u[i][j] - um[i][j] + c2[i][j] * lap;
            }
        up[is][js] += wavelet[it];

        double (*tmp)[nx] = um;
        um = u;
        u = up;
        up = tmp;
    }
#pragma endscop

    double kin = 0.0, amp = 0.0;
    for (int i = 0; i < ny; i++)
        for (int j = 0; j < nx; j++) {
            double v = (u[i][j] - um[i][j]) / dt;
            kin += 0.5 * v * v * h * h;
            amp = fmax(amp, fabs(u[i][j]));
        }
    printf("wave-2d %d x %d, %d steps, t = %g s\n", ny, nx, nt, nt * dt);
    printf("kinetic energy %.17g, max |u| %.17g\n", kin, amp);
    if (argc > 3)
        save_pgm(argv[3], ny, nx, u);
    free(um); free(u); free(up); free(c2); free(wavelet);
    return 0;
}
