/*
 * advection-diffusion: spread of an air pollutant from a few stacks,
 *
 *     dc/dt + u dc/dx + v dc/dy = K (c_xx + c_yy) - lambda c + E(x,y,t),
 *
 * in a steady wind field u(x,y), v(x,y).  Upwind advection, central diffusion,
 * first order decay; open borders (zero gradient).  The emissions follow the
 * hour of the day.
 *
 * Usage: advection-diffusion [n] [steps] [picture.pgm]
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define MAX(a, b) ((a) > (b) ? (a) : (b))

enum { NSTACKS = 3, HOURS = 24 };

struct stack {
    double x, y;                /* position, fraction of the domain */
    double rate;                /* g/s per cell volume */
    int i, j;                   /* cell */
};

static const double profile[HOURS] = {
    0.2, 0.2, 0.2, 0.2, 0.3, 0.6, 1.2, 1.8, 1.9, 1.6, 1.3, 1.2,
    1.2, 1.1, 1.1, 1.2, 1.5, 1.9, 1.8, 1.4, 0.9, 0.6, 0.4, 0.3,
};

static void transport(int ny, int nx, double c[ny][nx], double cnew[ny][nx],
                      double u[ny][nx], double v[ny][nx],
                      double dt, double h, double K, double lambda)
{
#pragma omp parallel for schedule(static)
    for (int i = 0; i < ny; i++) {
        for (int j = 0; j < nx; j++) {
            const int im = MAX(i - 1, 0), ip = MIN(i + 1, ny - 1);
            const int jm = MAX(j - 1, 0), jp = MIN(j + 1, nx - 1);
            const double adv_x = MAX(u[i][j], 0.0) * (c[i][j] - c[i][jm])
                               + MIN(u[i][j], 0.0) * (c[i][jp] - c[i][j]);
            const double adv_y = MAX(v[i][j], 0.0) * (c[i][j] - c[im][j])
                               + MIN(v[i][j], 0.0) * (c[ip][j] - c[i][j]);
            const double diff = c[i][jm] + c[i][jp] + c[im][j] + c[ip][j] - 4.0 * c[i][j];
            cnew[i][j] = c[i][j] - dt / h * (adv_x + adv_y) + K * dt / (h * h) * diff
                       - dt * lambda * c[i][j];
        }
    }
}

static void emit(int ny, int nx, double c[ny][nx], const struct stack *s, double factor)
{
    for (int k = 0; k < NSTACKS; k++)
        c[s[k].i][s[k].j] += factor * s[k].rate;
}

static void write_pgm(const char *name, int ny, int nx, double c[ny][nx])
{
    const int w = MIN(nx, 400), d = MIN(ny, 400);
    double lo = 1e300, hi = 0.0;
    FILE *f = fopen(name, "wb");

    if (!f) {
        perror(name);
        exit(1);
    }
    for (int i = 0; i < ny; i++)
        for (int j = 0; j < nx; j++) {
            lo = MIN(lo, sqrt(c[i][j]));
            hi = MAX(hi, sqrt(c[i][j]));
        }
    fprintf(f, "P5\n%d %d\n255\n", w, d);
    for (int i = d - 1; i >= 0; i--)
        for (int j = 0; j < w; j++)
            fputc((int)(255 * (sqrt(c[i * ny / d][j * nx / w]) - lo) / (hi > lo ? hi - lo : 1.0)), f);
    fclose(f);
}

int main(int argc, char **argv)
{
    const int nx = argc > 1 ? atoi(argv[1]) : 240, ny = nx;
    const int nt = argc > 2 ? atoi(argv[2]) : 576;
    if (nx < 1 || nt < 0) {
        fprintf(stderr, "usage: %s [n] [steps] [picture.pgm]\n", argv[0]);
        return 1;
    }
    const double h = 48000.0 / nx;              /* 48 km square */
    const double K = 12.0, lambda = 1.0e-5;     /* m2/s, 1/s */
    const double dt = 0.35 * h / 6.0;           /* wind up to about 6 m/s */
    const int steps_per_hour = MAX(1, nt / HOURS);
    struct stack stacks[NSTACKS] = {
        { .x = 0.15, .y = 0.30, .rate = 1.0 },
        { .x = 0.35, .y = 0.55, .rate = 0.5 },
        { .x = 0.22, .y = 0.75, .rate = 0.8 },
    };
    double (*c)[nx] = calloc(ny, sizeof *c), (*cnew)[nx] = calloc(ny, sizeof *cnew);
    double (*u)[nx] = malloc(ny * sizeof *u), (*v)[nx] = malloc(ny * sizeof *v);
    if (!c || !cnew || !u || !v)
        return perror("malloc"), 1;

    for (int k = 0; k < NSTACKS; k++) {
        stacks[k].i = stacks[k].y * ny;
        stacks[k].j = stacks[k].x * nx;
    }
    for (int i = 0; i < ny; i++)
        for (int j = 0; j < nx; j++) {          /* westerly wind over hills */
            double x = (j + 0.5) / nx, y = (i + 0.5) / ny;
            u[i][j] = 3.5 + 1.2 * sin(2.0 * M_PI * y);
            v[i][j] = 2.0 * cos(3.0 * M_PI * x) * sin(M_PI * y);
        }

#pragma scop
    for (int t = 0; t < nt; t++) {
        transport(ny, nx, c, cnew, u, v, dt, h, K, lambda);
        emit(ny, nx, cnew, stacks, dt * profile[(t / steps_per_hour) % HOURS]);
        double (*tmp)[nx] = c;
        c = cnew;
        cnew = tmp;
    }
#pragma endscop

    double burden = 0.0, peak = 0.0;
    for (int i = 0; i < ny; i++)
        for (int j = 0; j < nx; j++) {
            burden += c[i][j];
            peak = MAX(peak, c[i][j]);
        }
    printf("advection-diffusion %dx%d, %d steps of %.2f s: burden %.17g peak %.17g\n",
           ny, nx, nt, dt, burden * h * h, peak);
    if (argc > 3)
        write_pgm(argv[3], ny, nx, c);
    free(c); free(cnew); free(u); free(v);
    return 0;
}
