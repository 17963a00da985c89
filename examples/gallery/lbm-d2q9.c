/*
 * Lattice Boltzmann simulation of the flow past a cylinder in a plane channel.
 *
 * D2Q9 lattice, single relaxation time (BGK) collision, pull streaming.  The
 * flow is periodic in x and driven by a constant body force; the channel walls
 * (first and last row) and the cylinder are half-way bounce-back.  The picture
 * is the speed |u|.
 *
 * usage: lbm-d2q9 [ny] [steps] [picture.pgm]        (the channel is 3 ny long)
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define Q 9

static const int ex[Q]  = { 0, 1, 0, -1,  0, 1, -1, -1,  1 };
static const int ey[Q]  = { 0, 0, 1,  0, -1, 1,  1, -1, -1 };
static const int opp[Q] = { 0, 3, 4,  1,  2, 7,  8,  5,  6 };
static const double w[Q] = { 4.0 / 9,
    1.0 / 9,  1.0 / 9,  1.0 / 9,  1.0 / 9,
    1.0 / 36, 1.0 / 36, 1.0 / 36, 1.0 / 36 };

static inline double equilibrium(int q, double rho, double ux, double uy)
{
    double eu = ex[q] * ux + ey[q] * uy;
    return w[q] * rho * (1.0 + 3.0 * eu + 4.5 * eu * eu - 1.5 * (ux * ux + uy * uy));
}

static void collide_and_stream(int nx, int ny, const double (*f)[Q], double (*fnew)[Q],
                               const unsigned char *solid, double tau, double force)
{
    const double omega = 1.0 / tau;

#pragma omp parallel for schedule(static)
    for (int y = 0; y < ny; y++) {
        for (int x = 0; x < nx; x++) {
            int k = y * nx + x;
            if (solid[k])
                continue;

            double fin[Q];
            double rho = 0.0, ux = 0.0, uy = 0.0;
            for (int q = 0; q < Q; q++) {
                int xs = (x - ex[q] + nx) % nx;
                int ys = y - ey[q];
                int ks = ys * nx + xs;
                /* populations from a wall are our own, turned around */
                fin[q] = solid[ks] ? f[k][opp[q]] : f[ks][q];
                rho += fin[q];
                ux += ex[q] * fin[q];
                uy += ey[q] * fin[q];
            }
            ux = ux / rho + tau * force / rho;
            uy = uy / rho;

            for (int q = 0; q < Q; q++)
                fnew[k][q] = fin[q] - omega * (fin[q] - equilibrium(q, rho, ux, uy));
        }
    }
}

static void write_pgm(const char *name, const double *a, int nx, int ny)
{
    int s = (nx > ny ? nx : ny) / 400 + 1;
    double lo = a[0], hi = a[0];
    for (int k = 0; k < nx * ny; k++) {
        lo = fmin(lo, a[k]);
        hi = fmax(hi, a[k]);
    }
    FILE *fp = fopen(name, "wb");
    if (!fp) { perror(name); exit(1); }
    fprintf(fp, "P5\n%d %d\n255\n", (nx + s - 1) / s, (ny + s - 1) / s);
    for (int y = 0; y < ny; y += s)
        for (int x = 0; x < nx; x += s)
            fputc(hi > lo ? (int)(255.0 * (a[y * nx + x] - lo) / (hi - lo)) : 0, fp);
    fclose(fp);
}

int main(int argc, char **argv)
{
    int ny = argc > 1 ? atoi(argv[1]) : 100;
    int steps = argc > 2 ? atoi(argv[2]) : 120;
    int nx = 3 * ny;
    double tau = 0.53, force = 1e-6, u0 = 0.12;

    double (*f)[Q] = malloc((size_t)nx * ny * sizeof *f);
    double (*fnew)[Q] = malloc((size_t)nx * ny * sizeof *fnew);
    unsigned char *solid = malloc((size_t)nx * ny);

    double r = ny / 9.0, xc = ny / 1.7, yc = ny / 2.0 + 0.3;
    for (int y = 0; y < ny; y++)
        for (int x = 0; x < nx; x++) {
            int k = y * nx + x;
            double dx = x - xc, dy = y - yc;
            solid[k] = y == 0 || y == ny - 1 || dx * dx + dy * dy < r * r;
            for (int q = 0; q < Q; q++)
                f[k][q] = fnew[k][q] = equilibrium(q, 1.0, solid[k] ? 0.0 : u0, 0.0);
        }

#pragma scop
    for (int t = 0; t < steps; t++) {
        collide_and_stream(nx, ny, (const double (*)[Q])f, fnew, solid, tau, force);
        double (*tmp)[Q] = f;
        f = fnew;
        fnew = tmp;
    }
#pragma endscop

    double mass = 0.0, mx = 0.0, my = 0.0;
    double *speed = calloc((size_t)nx * ny, sizeof *speed);
    for (int k = 0; k < nx * ny; k++) {
        double jx = 0.0, jy = 0.0;
        if (solid[k])
            continue;
        for (int q = 0; q < Q; q++) {
            mass += f[k][q];
            jx += ex[q] * f[k][q];
            jy += ey[q] * f[k][q];
        }
        mx += jx;
        my += jy;
        speed[k] = sqrt(jx * jx + jy * jy);
    }
    printf("lbm-d2q9 %d x %d, %d steps, tau %g\n", nx, ny, steps, tau);
    printf("mass %.17g momentum %.17g %.17g\n", mass, mx, my);
    if (argc > 3)
        write_pgm(argv[3], speed, nx, ny);
    free(f); free(fnew); free(solid); free(speed);
    return 0;
}
