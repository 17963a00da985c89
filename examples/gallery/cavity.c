/*
 * Lid-driven cavity flow: incompressible Navier-Stokes in a square box,
 *     u_t + u u_x + v u_y = -p_x/rho + nu (u_xx + u_yy)     (and v alike)
 * with the pressure from  p_xx + p_yy = b(u, v)  by NIT Jacobi iterations a time
 * step.  Backward differences for convection, central ones for diffusion.
 *
 * Usage: cavity [picture.pgm]      (sizes: -DN=.. -DT=..)
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#pragma GCC diagnostic ignored "-Wunknown-pragmas"

#ifndef N
#define N 64
#endif
#ifndef T
#define T 1000
#endif
#define NIT 50

#define MIN(a, b) ((a) < (b) ? (a) : (b))

static const double rho = 1.0, nu = 0.01;
static const double dx = 1.0 / (N - 1), dy = 1.0 / (N - 1);

static double u[N][N], v[N][N], un[N][N], vn[N][N];
static double p[N][N], pn[N][N], b[N][N];

static void build_up_b(double dt)
{
#pragma omp parallel for
    for (int i = 1; i < N - 1; i++)
        for (int j = 1; j < N - 1; j++) {
            double ux = (u[i][j + 1] - u[i][j - 1]) / (2 * dx);
            double uy = (u[i + 1][j] - u[i - 1][j]) / (2 * dy);
            double vx = (v[i][j + 1] - v[i][j - 1]) / (2 * dx);
            double vy = (v[i + 1][j] - v[i - 1][j]) / (2 * dy);
            b[i][j] = rho * (1 / dt * (ux + vy) - ux * ux - 2 * uy * vx - vy * vy);
        }
}

static void pressure_poisson(void)
{
    for (int q = 0; q < NIT; q++) {
#pragma omp parallel for
        for (int i = 0; i < N; i++)
            for (int j = 0; j < N; j++)
                pn[i][j] = p[i][j];

#pragma omp parallel for
        for (int i = 1; i < N - 1; i++)
            for (int j = 1; j < N - 1; j++)
                p[i][j] = ((pn[i][j + 1] + pn[i][j - 1]) * dy * dy +
                           (pn[i + 1][j] + pn[i - 1][j]) * dx * dx -
                           b[i][j] * dx * dx * dy * dy) / (2 * (dx * dx + dy * dy));

        for (int i = 0; i < N; i++) {
            p[i][N - 1] = p[i][N - 2];      /* dp/dx = 0 at x = 1 */
            p[i][0] = p[i][1];              /* dp/dx = 0 at x = 0 */
        }
        for (int j = 0; j < N; j++) {
            p[0][j] = p[1][j];              /* dp/dy = 0 at y = 0 */
            p[N - 1][j] = 0.0;              /* p = 0 at the lid */
        }
    }
}

static void velocity(double dt)
{
#pragma omp parallel for
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            un[i][j] = u[i][j];
            vn[i][j] = v[i][j];
        }

#pragma omp parallel for
    for (int i = 1; i < N - 1; i++)
        for (int j = 1; j < N - 1; j++) {
            u[i][j] = un[i][j]
                - un[i][j] * dt / dx * (un[i][j] - un[i][j - 1])
                - vn[i][j] * dt / dy * (un[i][j] - un[i - 1][j])
                - dt / (2 * rho * dx) * (p[i][j + 1] - p[i][j - 1])
                + nu * dt / (dx * dx) * (un[i][j + 1] - 2 * un[i][j] + un[i][j - 1])
                + nu * dt / (dy * dy) * (un[i + 1][j] - 2 * un[i][j] + un[i - 1][j]);
            v[i][j] = vn[i][j]
                - un[i][j] * dt / dx * (vn[i][j] - vn[i][j - 1])
                - vn[i][j] * dt / dy * (vn[i][j] - vn[i - 1][j])
                - dt / (2 * rho * dy) * (p[i + 1][j] - p[i - 1][j])
                + nu * dt / (dx * dx) * (vn[i][j + 1] - 2 * vn[i][j] + vn[i][j - 1])
                + nu * dt / (dy * dy) * (vn[i + 1][j] - 2 * vn[i][j] + vn[i - 1][j]);
        }
}

static void apply_bc(void)
{
    for (int k = 0; k < N; k++) {
        u[k][0] = u[k][N - 1] = 0.0;
        v[k][0] = v[k][N - 1] = 0.0;
        u[0][k] = v[0][k] = v[N - 1][k] = 0.0;
        u[N - 1][k] = 1.0;                  /* the moving lid */
    }
}

int main(int argc, char **argv)
{
    double dt = MIN(0.2 * dx * dx / nu, 0.2 * dx);

    apply_bc();
#pragma scop
    for (int n = 0; n < T; n++) {
        build_up_b(dt);
        pressure_poisson();
        velocity(dt);
        apply_bc();
    }
#pragma endscop

    double energy = 0.0, vmax = 0.0;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            energy += 0.5 * (u[i][j] * u[i][j] + v[i][j] * v[i][j]) * dx * dy;
            vmax = fmax(vmax, fabs(v[i][j]));
        }
    printf("cavity %dx%d, t = %g: kinetic energy %.17g\n", N, N, T * dt, energy);
    printf("max |v| %.17g, p(centre) %.17g\n", vmax, p[N / 2][N / 2]);

    if (argc > 1) {                         /* root of the speed, lid at the top */
        int s = (N + 399) / 400, w = (N + s - 1) / s;
        FILE *fp = fopen(argv[1], "wb");
        if (!fp) {
            perror(argv[1]);
            return 1;
        }
        fprintf(fp, "P5\n%d %d\n255\n", w, w);
        for (int i = N - 1; i >= 0; i -= s)
            for (int j = 0; j < N; j += s)
                fputc((int)(255 * fmin(1.0, sqrt(hypot(u[i][j], v[i][j])))), fp);
        fclose(fp);
    }
    return 0;
}
