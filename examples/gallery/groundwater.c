/*
 * Transient flow in a confined aquifer of variable conductivity,
 *     S dh/dt = d/dx (T dh/dx) + d/dy (T dh/dy) - Q,
 * block-centred finite differences with harmonic means of the transmissivity
 * between blocks, explicit in time.  Fixed heads at the west and east side (river
 * and lake, flood and drought from t = 0 on), no flow over the north and south
 * side, pumping and injection wells.
 *
 * Usage: groundwater [n] [steps] [picture.pgm]
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#pragma GCC diagnostic ignored "-Wunknown-pragmas"

#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define MAX(a, b) ((a) > (b) ? (a) : (b))

struct aquifer {
    int nx, ny;             /* columns (west-east), rows (north-south) */
    double dx;              /* block size, m */
    double S;               /* storage coefficient */
    double *T;              /* transmissivity, m^2/s */
    double *Q;              /* pumping, m/s */
    double *cur, *next;     /* heads, m */
};

static inline double harmonic(double a, double b)
{
    return 2.0 * a * b / (a + b);
}

static void step(struct aquifer *g, double dt)
{
    const int nx = g->nx, ny = g->ny;
    const double *T = g->T, *Q = g->Q, *h = g->cur;
    double *hnew = g->next;
    const double rdx2 = 1.0 / (g->dx * g->dx);
    const double f = dt / g->S;

#pragma omp parallel for
    for (int j = 0; j < ny; j++) {
        int jn = MAX(j - 1, 0), js = MIN(j + 1, ny - 1);    /* no flow */
        for (int i = 1; i < nx - 1; i++) {
            int c = j * nx + i;
            int n = jn * nx + i, s = js * nx + i;
            double qw = harmonic(T[c], T[c - 1]) * (h[c - 1] - h[c]);
            double qe = harmonic(T[c], T[c + 1]) * (h[c + 1] - h[c]);
            double qn = harmonic(T[c], T[n]) * (h[n] - h[c]);
            double qs = harmonic(T[c], T[s]) * (h[s] - h[c]);
            hnew[c] = h[c] + f * ((qw + qe + qn + qs) * rdx2 - Q[c]);
        }
        hnew[j * nx] = h[j * nx];                           /* fixed heads */
        hnew[j * nx + nx - 1] = h[j * nx + nx - 1];
    }
}

static void simulate(struct aquifer *g, double dt, int steps)
{
#pragma scop
    for (int t = 0; t < steps; t++) {
        step(g, dt);
        double *tmp = g->cur;
        g->cur = g->next;
        g->next = tmp;
    }
#pragma endscop
}

static void contour(const char *name, const struct aquifer *g)
{
    const double *h = g->cur;
    int s = (MAX(g->nx, g->ny) + 399) / 400;
    double lo = h[0], hi = h[0];
    FILE *fp = fopen(name, "wb");
    if (!fp) {
        perror(name);
        exit(1);
    }
    for (int c = 0; c < g->nx * g->ny; c++) {
        lo = MIN(lo, h[c]);
        hi = MAX(hi, h[c]);
    }
    fprintf(fp, "P5\n%d %d\n255\n", (g->nx + s - 1) / s, (g->ny + s - 1) / s);
    for (int j = 0; j < g->ny; j += s)
        for (int i = 0; i < g->nx; i += s)
            fputc((int)(255.0 * (h[j * g->nx + i] - lo) / (hi - lo)), fp);
    fclose(fp);
}

int main(int argc, char **argv)
{
    struct aquifer g = { .dx = 20.0, .S = 2.0e-3 };
    g.nx = argc > 1 ? atoi(argv[1]) : 140;
    g.ny = MAX(g.nx * 2 / 3, 1);
    int steps = argc > 2 ? atoi(argv[2]) : 3000;
    if (g.nx < 3 || steps < 0) {
        fprintf(stderr, "usage: %s [n] [steps] [picture.pgm]\n", argv[0]);
        return 1;
    }
    size_t size = (size_t)g.nx * g.ny;
    g.T = malloc(size * sizeof(double));
    g.Q = calloc(size, sizeof(double));
    g.cur = malloc(size * sizeof(double));
    g.next = malloc(size * sizeof(double));
    if (!g.T || !g.Q || !g.cur || !g.next)
        return 1;

    double Tmax = 0.0;
    for (int j = 0; j < g.ny; j++)
        for (int i = 0; i < g.nx; i++) {
            int c = j * g.nx + i;
            double x = (double)i / g.nx, y = (double)j / g.nx;
            /* sands with lenses of silt, and a buried gravel channel */
            double lnT = -6.5 + 0.9 * sin(17 * x + 3 * sin(9 * y)) + 0.8 * cos(23 * y - 6 * x);
            if (fabs(y - 0.3 - 0.1 * sin(8 * x)) < 0.035)
                lnT = -4.2;
            g.T[c] = exp(lnT);
            Tmax = MAX(Tmax, g.T[c]);
            g.cur[c] = g.next[c] = i == 0 ? 32.0 : i == g.nx - 1 ? 16.0 : 24.0;
        }
    double dt = 0.22 * g.S * g.dx * g.dx / Tmax;

    /* wells: fraction of x and y, rate in m^3/s (negative: injection) */
    static const double well[4][3] = {
        { 0.28, 0.20, 0.020 }, { 0.62, 0.80, 0.012 }, { 0.70, 0.25, 0.010 }, { 0.40, 0.82, -0.006 } };
    for (int w = 0; w < 4; w++) {
        int i = (int)(well[w][0] * g.nx), j = (int)(well[w][1] * g.ny);
        g.Q[j * g.nx + i] += well[w][2] / (g.dx * g.dx);
    }

    simulate(&g, dt, steps);

    double hmin = g.cur[0], storage = 0.0;
    for (size_t c = 0; c < size; c++) {
        hmin = MIN(hmin, g.cur[c]);
        storage += g.S * g.cur[c] * g.dx * g.dx;
    }
    printf("%d x %d blocks, %d steps of %.4g s\n", g.nx, g.ny, steps, dt);
    printf("lowest head %.17g m, water in storage %.17g m3\n", hmin, storage);

    if (argc > 3)
        contour(argv[3], &g);
    free(g.T);
    free(g.Q);
    free(g.cur);
    free(g.next);
    return 0;
}
