/*
 * Korteweg-de Vries equation  u_t + u u_x + delta^2 u_xxx = 0  on a periodic
 * interval of length 2, from u = cos(pi x) as in Zabusky and Kruskal (1965): the
 * wave steepens and breaks up into solitons, which pass through each other.
 * Their leapfrog scheme, three time levels, five points.
 *
 * Usage: kdv [picture.pgm]      (sizes: -DN=.. -DT=..; picture: x to the right,
 * time downwards)
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#pragma GCC diagnostic ignored "-Wunknown-pragmas"

#ifndef N
#define N 400               /* grid points */
#endif
#ifndef T
#define T 80000             /* time steps */
#endif
#define PICROWS 300

static double u[3][N];      /* level t is in u[t % 3] */

static const double delta = 0.022;
static const double dx = 2.0 / N;

/* Steps which compute the levels first .. last. */
static void leapfrog(int first, int last, double dt)
{
    const double c1 = dt / (3.0 * dx);
    const double c2 = delta * delta * dt / (dx * dx * dx);

#pragma scop
    for (int t = first; t <= last; t++) {
#pragma omp parallel for
        for (int i = 0; i < N; i++) {
            double um2 = u[(t - 1) % 3][(i + N - 2) % N];
            double um1 = u[(t - 1) % 3][(i + N - 1) % N];
            double u0 = u[(t - 1) % 3][i];
            double up1 = u[(t - 1) % 3][(i + 1) % N];
            double up2 = u[(t - 1) % 3][(i + 2) % N];
            u[t % 3][i] = u[(t - 2) % 3][i]
                        - c1 * (up1 + u0 + um1) * (up1 - um1)
                        - c2 * (up2 - 2.0 * up1 + 2.0 * um1 - um2);
        }
    }
#pragma endscop
}

int main(int argc, char **argv)
{
    /* the limit of the linearised scheme is 2 / (3 sqrt(3)) = 0.38 */
    double dt = 0.25 * dx * dx * dx / (delta * delta + dx * dx);
    double mass0 = 0.0, mass = 0.0, energy = 0.0, umax = -1e300;

    /* level 0, and level 1 by a forward step */
    for (int i = 0; i < N; i++)
        u[0][i] = cos(M_PI * i * dx);
    for (int i = 0; i < N; i++) {
        double *v = u[0];
        double um2 = v[(i + N - 2) % N], um1 = v[(i + N - 1) % N];
        double up1 = v[(i + 1) % N], up2 = v[(i + 2) % N];
        u[1][i] = v[i] - dt / (6.0 * dx) * (up1 + v[i] + um1) * (up1 - um1)
                - delta * delta * dt / (2.0 * dx * dx * dx) * (up2 - 2.0 * up1 + 2.0 * um1 - um2);
        mass0 += v[i] * dx;
    }

    if (argc > 1) {
        /* a row of the picture every T / PICROWS steps */
        int s = (N + 399) / 400, w = (N + s - 1) / s, done = 1;
        double *row = malloc(sizeof(double) * PICROWS * w), lo = 1e300, hi = -1e300;
        FILE *fp = fopen(argv[1], "wb");
        if (!fp || !row) {
            perror(argv[1]);
            return 1;
        }
        for (int r = 0; r < PICROWS; r++) {
            int until = (int)((long)T * (r + 1) / PICROWS);
            if (until > done) {
                leapfrog(done + 1, until, dt);
                done = until;
            }
            for (int c = 0; c < w; c++) {
                double v = u[done % 3][c * s];
                row[r * w + c] = v;
                lo = fmin(lo, v);
                hi = fmax(hi, v);
            }
        }
        fprintf(fp, "P5\n%d %d\n255\n", w, PICROWS);
        for (int k = 0; k < PICROWS * w; k++)
            fputc((int)(255.0 * (row[k] - lo) / (hi - lo)), fp);
        fclose(fp);
        free(row);
    } else {
        leapfrog(2, T, dt);
    }

    for (int i = 0; i < N; i++) {
        double v = u[T % 3][i];
        mass += v * dx;
        energy += 0.5 * v * v * dx;
        umax = fmax(umax, v);
    }
    printf("KdV, N = %d, t = %.6f (%d steps), mass drift %.3g\n", N, T * dt, T, mass - mass0);
    printf("energy %.17g, highest soliton %.17g\n", energy, umax);
    return 0;
}
