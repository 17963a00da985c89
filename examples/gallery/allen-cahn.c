/*
 * Allen-Cahn equation, phase-field model of grain / domain growth
 *
 *     d(phi)/dt = -M * dF/d(phi),   dF/d(phi) = phi^3 - phi - kappa lap(phi)
 *
 * Finite differences on a periodic square, explicit Euler in time.  Starting
 * from small random noise the field separates into domains of phi = +1 and -1
 * which coarsen by curvature-driven interface motion.
 *
 * usage: allen-cahn [n] [steps] [picture.pgm]
 */
#include <stdio.h>
#include <stdlib.h>

static const double mobility = 1.0;
static const double kappa = 1.5;
static const double dx = 1.0;
static const double dtime = 0.1;

static void init_noise(int n, double phi[n][n])
{
    unsigned seed = 2718281;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            seed = 1103515245u * seed + 12345u;
            phi[i][j] = 0.2 * ((seed >> 16 & 0x7fff) / 32767.0 - 0.5);
        }
}

static void solve(int n, int nstep, double phi[n][n], double phi_new[n][n])
{
#pragma scop
    for (int istep = 0; istep < nstep; istep++) {

#pragma omp parallel for
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++) {
                int ip = i + 1;
                int im = i - 1;
                int jp = j + 1;
                int jm = j - 1;
                if (im == -1) im = n - 1;
                if (ip == n) ip = 0;
                if (jm == -1) jm = n - 1;
                if (jp == n) jp = 0;

                double hne = phi[ip][j];
                double hnw = phi[im][j];
                double hns = phi[i][jm];
                double hnn = phi[i][jp];
                double hnc = phi[i][j];
                double lap = (hnw + hne + hns + hnn - 4.0 * hnc) / (dx * dx);

                double dfdphi = hnc * hnc * hnc - hnc - kappa * lap;
                phi_new[i][j] = hnc - dtime * mobility * dfdphi;
            }
        }

#pragma omp parallel for
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                phi[i][j] = phi_new[i][j];
    }
#pragma endscop
}

static double free_energy(int n, double phi[n][n])
{
    double energy = 0.0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double p = phi[i][j];
            double gx = (phi[(i + 1) % n][j] - p) / dx;
            double gy = (phi[i][(j + 1) % n] - p) / dx;
            energy += 0.25 * (1.0 - p * p) * (1.0 - p * p) + 0.5 * kappa * (gx * gx + gy * gy);
        }
    return energy;
}

static void write_picture(const char *path, int n, double phi[n][n])
{
    FILE *f = fopen(path, "wb");
    if (f == NULL) {
        perror(path);
        exit(EXIT_FAILURE);
    }
    int skip = (n + 399) / 400;
    int m = (n + skip - 1) / skip;
    double lo = phi[0][0], hi = phi[0][0];
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            if (phi[i][j] < lo) lo = phi[i][j];
            if (phi[i][j] > hi) hi = phi[i][j];
        }
    fprintf(f, "P5\n%d %d\n255\n", m, m);
    for (int i = 0; i < n; i += skip)
        for (int j = 0; j < n; j += skip)
            fputc((int)(255.0 * (phi[i][j] - lo) / (hi - lo)), f);
    fclose(f);
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 256;
    int nstep = argc > 2 ? atoi(argv[2]) : 1000;

    double (*phi)[n] = malloc(sizeof(double[n][n]));
    double (*phi_new)[n] = malloc(sizeof(double[n][n]));
    if (!phi || !phi_new)
        return EXIT_FAILURE;

    init_noise(n, phi);
    solve(n, nstep, phi, phi_new);

    double sum = 0.0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            sum += phi[i][j];
    printf("Allen-Cahn %d x %d, %d steps, time %g\n", n, n, nstep, nstep * dtime);
    printf("mean phi = %.17g, free energy = %.17g\n", sum / n / n, free_energy(n, phi));
    if (argc > 3)
        write_picture(argv[3], n, phi);

    free(phi);
    free(phi_new);
    return EXIT_SUCCESS;
}
