/*
 * euler-2d: compressible Euler equations of an ideal gas,
 *
 *     q_t + f(q)_x + g(q)_y = 0,   q = (rho, rho u, rho v, E),
 *
 * first order finite volumes with the Rusanov (local Lax-Friedrichs) flux and
 * a CFL time step; one layer of ghost cells with zero gradient.  The initial
 * data are a four-quadrant Riemann problem (Lax & Liu, configuration 3).
 *
 * Usage: euler-2d [n] [steps] [picture.pgm]
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct { double rho, mx, my, E; } State;

static const double GAMMA = 1.4, CFL = 0.4;

static inline double pressure(State q)
{
    return (GAMMA - 1.0) * (q.E - 0.5 * (q.mx * q.mx + q.my * q.my) / q.rho);
}

static inline double sound(State q)
{
    return sqrt(GAMMA * pressure(q) / q.rho);
}

static inline State flux_x(State q)
{
    double u = q.mx / q.rho, p = pressure(q);
    return (State){ q.mx, q.mx * u + p, q.my * u, (q.E + p) * u };
}

static inline State flux_y(State q)
{
    double v = q.my / q.rho, p = pressure(q);
    return (State){ q.my, q.mx * v, q.my * v + p, (q.E + p) * v };
}

static inline State rusanov(State fl, State fr, State ql, State qr, double s)
{
    return (State){
        0.5 * (fl.rho + fr.rho) - 0.5 * s * (qr.rho - ql.rho),
        0.5 * (fl.mx + fr.mx) - 0.5 * s * (qr.mx - ql.mx),
        0.5 * (fl.my + fr.my) - 0.5 * s * (qr.my - ql.my),
        0.5 * (fl.E + fr.E) - 0.5 * s * (qr.E - ql.E),
    };
}

static State face_x(State l, State r)
{
    double s = fmax(fabs(l.mx / l.rho) + sound(l), fabs(r.mx / r.rho) + sound(r));
    return rusanov(flux_x(l), flux_x(r), l, r, s);
}

static State face_y(State l, State r)
{
    double s = fmax(fabs(l.my / l.rho) + sound(l), fabs(r.my / r.rho) + sound(r));
    return rusanov(flux_y(l), flux_y(r), l, r, s);
}

static void apply_bc(State *q, int nx, int ny)
{
    const int ld = nx + 2;
    for (int j = 1; j <= ny; j++) {
        q[j * ld] = q[j * ld + 1];
        q[j * ld + nx + 1] = q[j * ld + nx];
    }
    for (int i = 0; i < nx + 2; i++) {
        q[i] = q[ld + i];
        q[(ny + 1) * ld + i] = q[ny * ld + i];
    }
}

static double max_speed(const State *q, int nx, int ny)
{
    const int ld = nx + 2;
    double smax = 0.0;
#pragma omp parallel for reduction(max:smax)
    for (int j = 1; j <= ny; j++)
        for (int i = 1; i <= nx; i++) {
            State c = q[j * ld + i];
            smax = fmax(smax, fmax(fabs(c.mx), fabs(c.my)) / c.rho + sound(c));
        }
    return smax;
}

static void update(const State *q, State *qnew, int nx, int ny, double lambda)
{
    const int ld = nx + 2;
#pragma omp parallel for schedule(static)
    for (int j = 1; j <= ny; j++)
        for (int i = 1; i <= nx; i++) {
            int k = j * ld + i;
            State w = face_x(q[k - 1], q[k]), e = face_x(q[k], q[k + 1]);
            State s = face_y(q[k - ld], q[k]), n = face_y(q[k], q[k + ld]);
            qnew[k].rho = q[k].rho - lambda * (e.rho - w.rho + n.rho - s.rho);
            qnew[k].mx = q[k].mx - lambda * (e.mx - w.mx + n.mx - s.mx);
            qnew[k].my = q[k].my - lambda * (e.my - w.my + n.my - s.my);
            qnew[k].E = q[k].E - lambda * (e.E - w.E + n.E - s.E);
        }
}

static void swap(State **a, State **b) { State *t = *a; *a = *b; *b = t; }

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 128, steps = argc > 2 ? atoi(argv[2]) : 360;
    const int ld = n + 2;
    const double dx = 1.0 / n;
    double time = 0.0;
    static const double quad[4][4] = {  /* rho, u, v, p: SW, SE, NW, NE */
        { 0.138, 1.206, 1.206, 0.029 }, { 0.5323, 0.0, 1.206, 0.3 },
        { 0.5323, 1.206, 0.0, 0.3 },    { 1.5, 0.0, 0.0, 1.5 },
    };
    State *q = calloc((size_t)ld * ld, sizeof *q), *qnew = calloc((size_t)ld * ld, sizeof *qnew);
    if (n < 1 || !q || !qnew)
        return fprintf(stderr, "usage: euler-2d [n] [steps] [picture.pgm]\n"), 1;

    for (int j = 1; j <= n; j++)
        for (int i = 1; i <= n; i++) {
            const double *w = quad[2 * ((j - 0.5) * dx > 0.75) + ((i - 0.5) * dx > 0.75)];
            q[j * ld + i] = (State){ w[0], w[0] * w[1], w[0] * w[2],
                w[3] / (GAMMA - 1.0) + 0.5 * w[0] * (w[1] * w[1] + w[2] * w[2]) };
        }

#pragma scop
    for (int it = 0; it < steps; it++) {
        apply_bc(q, n, n);
        double dt = CFL * dx / max_speed(q, n, n);
        update(q, qnew, n, n, dt / dx);
        swap(&q, &qnew);
        time += dt;
    }
#pragma endscop

    double mass = 0.0, energy = 0.0, lo = q[ld + 1].rho, hi = lo;
    for (int j = 1; j <= n; j++)
        for (int i = 1; i <= n; i++) {
            mass += q[j * ld + i].rho * dx * dx;
            energy += q[j * ld + i].E * dx * dx;
            lo = fmin(lo, q[j * ld + i].rho);
            hi = fmax(hi, q[j * ld + i].rho);
        }
    printf("euler-2d %dx%d  t %.17g  mass %.17g  energy %.17g\n", n, n, time, mass, energy);
    if (argc > 3) {
        int w = n < 400 ? n : 400;
        FILE *f = fopen(argv[3], "wb");
        if (!f) return perror(argv[3]), 1;
        fprintf(f, "P5\n%d %d\n255\n", w, w);
        for (int j = w - 1; j >= 0; j--)
            for (int i = 0; i < w; i++)
                fputc((int)(255.0 * (q[(1 + j * n / w) * ld + 1 + i * n / w].rho - lo) / (hi > lo ? hi - lo : 1.0)), f);
        fclose(f);
    }
    free(q); free(qnew);
    return 0;
}
