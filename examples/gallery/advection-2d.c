/*
 * advection-2d: transport of a tracer (specific humidity, say) by a given
 * non-divergent wind on a doubly periodic domain,
 *
 *     dq/dt + d(u q)/dx + d(v q)/dy = 0.
 *
 * Lax-Wendroff fluxes in flux form, x and y sweeps alternating in each step
 * (directional splitting).  Winds are staggered on the faces of the cells.  The
 * wind is the swirling deformation flow plus a uniform zonal current.
 *
 * Usage: advection-2d [n] [steps] [picture.pgm]
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct {
    int nx, ny;
    double dx, dy;
    double *u, *v;              /* winds on the east and north faces */
    double *cur, *next;         /* tracer, two time levels */
} Grid;

static inline double lw_flux(double ql, double qr, double c)
{
    return 0.5 * c * (ql + qr) - 0.5 * c * c * (qr - ql);
}

static void sweep_x(Grid *grid, double dt)
{
    const int nx = grid->nx, ny = grid->ny;
    const double *q = grid->cur, *u = grid->u;
    double *qn = grid->next;
    const double r = dt / grid->dx;

#pragma omp parallel for
    for (int j = 0; j < ny; j++)
        for (int i = 0; i < nx; i++) {
            int im = (i - 1 + nx) % nx;
            int ip = (i + 1) % nx;
            double fw = lw_flux(q[j * nx + im], q[j * nx + i], r * u[j * nx + im]);
            double fe = lw_flux(q[j * nx + i], q[j * nx + ip], r * u[j * nx + i]);
            qn[j * nx + i] = q[j * nx + i] - (fe - fw);
        }
}

static void sweep_y(Grid *grid, double dt)
{
    const int nx = grid->nx, ny = grid->ny;
    const double *q = grid->cur, *v = grid->v;
    double *qn = grid->next;
    const double r = dt / grid->dy;

#pragma omp parallel for
    for (int j = 0; j < ny; j++) {
        int jm = (j - 1 + ny) % ny;
        int jp = (j + 1) % ny;
        for (int i = 0; i < nx; i++) {
            double fs = lw_flux(q[jm * nx + i], q[j * nx + i], r * v[jm * nx + i]);
            double fn = lw_flux(q[j * nx + i], q[jp * nx + i], r * v[j * nx + i]);
            qn[j * nx + i] = q[j * nx + i] - (fn - fs);
        }
    }
}

static void swap_levels(Grid *grid)
{
    double *tmp = grid->cur;
    grid->cur = grid->next;
    grid->next = tmp;
}

static double psi(double x, double y)          /* stream function */
{
    double sx = sin(M_PI * x), sy = sin(M_PI * y);
    return sx * sx * sy * sy / M_PI - 0.1 * y;
}

static void init(Grid *grid, int n)
{
    grid->nx = grid->ny = n;
    grid->dx = grid->dy = 1.0 / n;
    grid->u = malloc(sizeof(double) * n * n);
    grid->v = malloc(sizeof(double) * n * n);
    grid->cur = malloc(sizeof(double) * n * n);
    grid->next = malloc(sizeof(double) * n * n);
    if (!grid->u || !grid->v || !grid->cur || !grid->next) {
        fprintf(stderr, "advection-2d: out of memory\n");
        exit(1);
    }
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++) {
            double x0 = i * grid->dx, x1 = x0 + grid->dx, y0 = j * grid->dy, y1 = y0 + grid->dy;
            double x = 0.5 * (x0 + x1), y = 0.5 * (y0 + y1);
            double r1 = hypot(x - 0.5, y - 0.75) / 0.15, r2 = hypot(x - 0.3, y - 0.35) / 0.12;
            grid->u[j * n + i] = -(psi(x1, y1) - psi(x1, y0)) / grid->dy;
            grid->v[j * n + i] = (psi(x1, y1) - psi(x0, y1)) / grid->dx;
            grid->cur[j * n + i] = (r1 < 1.0 ? 0.5 * (1.0 + cos(M_PI * r1)) : 0.0)
                                 + (r2 < 1.0 ? 1.0 - r2 * r2 : 0.0);
        }
}

static void write_pgm(const char *name, const double *q, int n, double lo, double hi)
{
    int w = n < 400 ? n : 400;
    FILE *f = fopen(name, "wb");
    if (!f) {
        perror(name);
        exit(1);
    }
    fprintf(f, "P5\n%d %d\n255\n", w, w);
    for (int j = w - 1; j >= 0; j--)
        for (int i = 0; i < w; i++)
            fputc(hi > lo ? (int)(255 * (q[j * n / w * n + i * n / w] - lo) / (hi - lo)) : 0, f);
    fclose(f);
}

int main(int argc, char **argv)
{
    Grid g, *grid = &g;
    int n = argc > 1 ? atoi(argv[1]) : 256, nsteps = argc > 2 ? atoi(argv[2]) : 500;
    if (n < 2)
        return fprintf(stderr, "usage: advection-2d [n] [steps] [picture.pgm]\n"), 1;
    init(grid, n);
    const double dt = 0.4 / n;                  /* |u| is at most 1.1 */

#pragma scop
    for (int t = 0; t < nsteps; t++) {
        sweep_x(grid, dt);
        swap_levels(grid);
        sweep_y(grid, dt);
        swap_levels(grid);
    }
#pragma endscop

    double mass = 0.0, qmin = grid->cur[0], qmax = grid->cur[0];
    for (int k = 0; k < n * n; k++) {
        mass += grid->cur[k] * grid->dx * grid->dy;
        qmin = fmin(qmin, grid->cur[k]);
        qmax = fmax(qmax, grid->cur[k]);
    }
    printf("advection-2d %dx%d after %d steps (t = %g)\n", n, n, nsteps, nsteps * dt);
    printf("tracer mass %.17g  min %.17g  max %.17g\n", mass, qmin, qmax);
    if (argc > 3)
        write_pgm(argv[3], grid->cur, n, qmin, qmax);
    free(grid->u); free(grid->v); free(grid->cur); free(grid->next);
    return 0;
}
