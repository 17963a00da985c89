/*
 * schrodinger-1d: wave packet at a double barrier (resonant tunnelling),
 *
 *     i psi_t = -1/2 psi_xx + V(x) psi,      psi = R + i I,
 *
 * in atomic units.  Visscher's explicit leapfrog: R at whole, I at half time
 * steps,  R += dt H I,  I -= dt H R;  psi = 0 at both ends.  The density at
 * whole steps, R^2 + I(t-dt/2) I(t+dt/2), is conserved exactly by the scheme.
 *
 * Usage: schrodinger-1d [n] [steps] [picture.pgm]
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static void update_real(double *re, const double *im, const double *V, int n, double dt, double dx)
{
    const double a = 0.5 / (dx * dx);
#pragma omp parallel for schedule(static)
    for (int i = 1; i < n - 1; i++)
        re[i] += dt * (-a * (im[i - 1] - 2.0 * im[i] + im[i + 1]) + V[i] * im[i]);
}

static void update_imag(double *im, const double *re, const double *V, int n, double dt, double dx)
{
    const double a = 0.5 / (dx * dx);
#pragma omp parallel for schedule(static)
    for (int i = 1; i < n - 1; i++)
        im[i] -= dt * (-a * (re[i - 1] - 2.0 * re[i] + re[i + 1]) + V[i] * re[i]);
}

static void evolve(double *re, double *im, const double *V, int n, int nsteps, double dt, double dx)
{
#pragma scop
    for (int t = 0; t < nsteps; t++) {
        update_real(re, im, V, n, dt, dx);
        update_imag(im, re, V, n, dt, dx);
    }
#pragma endscop
}

/* Gaussian packet exp(ik(x-x0)) at time 0 (R) and dt/2 (I, free motion) */
static void packet(double *re, double *im, int n, double dt, double dx)
{
    const double k0 = 0.4, width = 0.035 * n * dx, x0 = 0.3 * n * dx;
    const double shift = 0.5 * dt;
    double norm = 0.0;

    for (int i = 1; i < n - 1; i++) {
        double x = i * dx - x0, xs = x - k0 * shift;
        re[i] = exp(-x * x / (2.0 * width * width)) * cos(k0 * x);
        im[i] = exp(-xs * xs / (2.0 * width * width)) * sin(k0 * x - 0.5 * k0 * k0 * shift);
        norm += (re[i] * re[i] + im[i] * im[i]) * dx;
    }
    re[0] = im[0] = re[n - 1] = im[n - 1] = 0.0;
    for (int i = 1; i < n - 1; i++) {
        re[i] /= sqrt(norm);
        im[i] /= sqrt(norm);
    }
}

/* graph of the density, the barriers in grey */
static void write_pgm(const char *name, const double *re, const double *im, const double *V, int n)
{
    const int w = n < 400 ? n : 400, h = 160;
    double *rho = calloc(w, sizeof *rho), top = 0.0;
    int *wall = calloc(w, sizeof *wall);
    FILE *f = fopen(name, "wb");

    if (!f || !rho || !wall) {
        perror(name);
        exit(1);
    }
    for (int i = 0; i < n; i++) {
        int p = (long)i * w / n;
        rho[p] = fmax(rho[p], re[i] * re[i] + im[i] * im[i]);
        wall[p] |= V[i] > 0.0;
        top = fmax(top, rho[p]);
    }
    fprintf(f, "P5\n%d %d\n255\n", w, h);
    for (int y = h - 1; y >= 0; y--)
        for (int p = 0; p < w; p++)
            fputc(rho[p] * (h - 4) > y * top ? 255 : wall[p] ? 110 : 0, f);
    fclose(f);
    free(rho);
    free(wall);
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 6000;
    int nsteps = argc > 2 ? atoi(argv[2]) : 16000;
    const double dx = 1.0, dt = 0.4;            /* stable for dt < 2 / (2/dx^2 + Vmax) */
    double *re, *im, *V;

    if (n < 3)
        return fprintf(stderr, "usage: schrodinger-1d [n] [steps] [picture.pgm]\n"), 1;
    re = malloc(n * sizeof *re);
    im = malloc(n * sizeof *im);
    V = calloc(n, sizeof *V);
    if (!re || !im || !V)
        return perror("malloc"), 1;
    for (int i = 0; i < n; i++) {
        int d = abs(i - n / 2);
        if (d >= 9 && d < 12)
            V[i] = 0.10;
    }
    packet(re, im, n, dt, dx);

    evolve(re, im, V, n, nsteps, dt, dx);

    double norm = 0.0, right = 0.0, xmean = 0.0;
    for (int i = 0; i < n; i++) {
        double rho = (re[i] * re[i] + im[i] * im[i]) * dx;
        norm += rho;
        xmean += rho * i * dx;
        if (i > n / 2)
            right += rho;
    }
    printf("schrodinger-1d n=%d t=%g: norm %.17g, <x> %.17g\n", n, nsteps * dt, norm, xmean / norm);
    printf("transmitted %.17g\n", right / norm);
    if (argc > 3)
        write_pgm(argv[3], re, im, V, n);
    free(re);
    free(im);
    free(V);
    return 0;
}
