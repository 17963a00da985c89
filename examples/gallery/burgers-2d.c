/*
 * burgers-2d: the two coupled Burgers equations,
 *
 *     u_t + u u_x + v u_y = nu (u_xx + u_yy),
 *     v_t + u v_x + v v_y = nu (v_xx + v_yy),
 *
 * on [0,2] x [0,2]: backward differences for the convection, central
 * differences for the diffusion, explicit Euler in time; u = v = 1 on all
 * walls.  This is step 8 of the twelve, with hat functions for u and v.
 *
 * Usage: burgers-2d [picture.pgm]        (sizes: -DN=.. -DT=..)
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef N
#define N 301
#endif
#ifndef T
#define T 400
#endif

#define NX N
#define NY N
#define NU 0.01

double u[NY][NX], v[NY][NX];
double un[NY][NX], vn[NY][NX];

void write_pgm(const char *name)
{
    int w = NX < 400 ? NX : 400, h = NY < 400 ? NY : 400;
    double smin = 1e30, smax = -1e30;

    for (int j = 0; j < NY; j++)
        for (int i = 0; i < NX; i++) {
            double s = hypot(u[j][i], v[j][i]);
            smin = fmin(smin, s);
            smax = fmax(smax, s);
        }
    FILE *f = fopen(name, "wb");
    if (!f) {
        perror(name);
        exit(1);
    }
    fprintf(f, "P5\n%d %d\n255\n", w, h);
    for (int j = h - 1; j >= 0; j--)
        for (int i = 0; i < w; i++) {
            double s = hypot(u[j * NY / h][i * NX / w], v[j * NY / h][i * NX / w]);
            fputc(smax > smin ? (int)(255 * (s - smin) / (smax - smin)) : 0, f);
        }
    fclose(f);
}

int main(int argc, char **argv)
{
    double dx = 2.0 / (NX - 1);
    double dy = 2.0 / (NY - 1);
    double dt = fmin(0.15 * dx * dy / NU, 0.1 * dx);

    /* initial conditions: u = 2 in one box, v = 2 in another */
    for (int j = 0; j < NY; j++) {
        for (int i = 0; i < NX; i++) {
            double x = i * dx, y = j * dy;
            u[j][i] = (x >= 0.5 && x <= 1.0 && y >= 0.5 && y <= 1.0) ? 2.0 : 1.0;
            v[j][i] = (x >= 0.3 && x <= 0.8 && y >= 0.7 && y <= 1.2) ? 2.0 : 1.0;
        }
    }

#pragma scop
    for (int n = 0; n < T; n++) {
        /* un = u.copy(), vn = v.copy() */
#pragma omp parallel for
        for (int j = 0; j < NY; j++) {
            for (int i = 0; i < NX; i++) {
                un[j][i] = u[j][i];
                vn[j][i] = v[j][i];
            }
        }

#pragma omp parallel for
        for (int j = 1; j < NY - 1; j++) {
            for (int i = 1; i < NX - 1; i++) {
                u[j][i] = un[j][i]
                        - dt / dx * un[j][i] * (un[j][i] - un[j][i-1])
                        - dt / dy * vn[j][i] * (un[j][i] - un[j-1][i])
                        + NU * dt / (dx * dx) * (un[j][i+1] - 2.0 * un[j][i] + un[j][i-1])
                        + NU * dt / (dy * dy) * (un[j+1][i] - 2.0 * un[j][i] + un[j-1][i]);
                v[j][i] = vn[j][i]
                        - dt / dx * un[j][i] * (vn[j][i] - vn[j][i-1])
                        - dt / dy * vn[j][i] * (vn[j][i] - vn[j-1][i])
                        + NU * dt / (dx * dx) * (vn[j][i+1] - 2.0 * vn[j][i] + vn[j][i-1])
                        + NU * dt / (dy * dy) * (vn[j+1][i] - 2.0 * vn[j][i] + vn[j-1][i]);
            }
        }

        /* boundary conditions */
        for (int i = 0; i < NX; i++) {
            u[0][i] = 1.0;
            u[NY-1][i] = 1.0;
            v[0][i] = 1.0;
            v[NY-1][i] = 1.0;
        }
        for (int j = 0; j < NY; j++) {
            u[j][0] = 1.0;
            u[j][NX-1] = 1.0;
            v[j][0] = 1.0;
            v[j][NX-1] = 1.0;
        }
    }
#pragma endscop

    double su = 0.0, sv = 0.0, umax = 0.0;
    for (int j = 0; j < NY; j++) {
        for (int i = 0; i < NX; i++) {
            su += u[j][i];
            sv += v[j][i];
            umax = fmax(umax, u[j][i]);
        }
    }
    printf("burgers-2d: nx = %d, ny = %d, nt = %d, dt = %g\n", NX, NY, T, dt);
    printf("mean u = %.17g, mean v = %.17g, max u = %.17g\n", su / (NX * NY), sv / (NX * NY), umax);
    if (argc > 1)
        write_pgm(argv[1]);
    return 0;
}
