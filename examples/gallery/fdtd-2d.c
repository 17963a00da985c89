/*
 * fdtd-2d: TMz Maxwell equations on a Yee grid,
 *
 *     mu dHx/dt = -dEz/dy,  mu dHy/dt = dEz/dx,
 *     eps dEz/dt = dHy/dx - dHx/dy - sigma Ez,
 *
 * normalised to the impedance of free space, Courant number 1/sqrt(2), grid
 * terminated by a perfect conductor.  A Ricker source radiates next to a
 * dielectric cylinder and a lossy block.
 *
 * Usage: fdtd-2d [n] [steps] [picture.pgm]
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct {
    double *hx, *chxh, *chxe;
    double *hy, *chyh, *chye;
    double *ez, *ceze, *cezh;
    int sizeX, sizeY;
    int time, maxTime;
    double cdtds;
} Grid;

#define SizeX       g->sizeX
#define SizeY       g->sizeY
#define Time        g->time
#define MaxTime     g->maxTime
#define Cdtds       g->cdtds
#define Hx(M, N)    g->hx[(M) * (SizeY - 1) + (N)]
#define Chxh(M, N)  g->chxh[(M) * (SizeY - 1) + (N)]
#define Chxe(M, N)  g->chxe[(M) * (SizeY - 1) + (N)]
#define Hy(M, N)    g->hy[(M) * SizeY + (N)]
#define Chyh(M, N)  g->chyh[(M) * SizeY + (N)]
#define Chye(M, N)  g->chye[(M) * SizeY + (N)]
#define Ez(M, N)    g->ez[(M) * SizeY + (N)]
#define Ceze(M, N)  g->ceze[(M) * SizeY + (N)]
#define Cezh(M, N)  g->cezh[(M) * SizeY + (N)]

#define PPW 24.0    /* points per wavelength of the Ricker source */

static double *alloc(size_t n)
{
    double *p = calloc(n, sizeof(double));
    if (!p) {
        perror("alloc");
        exit(-1);
    }
    return p;
}

static void gridInit(Grid *g, int n, int maxTime)
{
    const double imp0 = 377.0;
    int mm, nn;

    SizeX = SizeY = n;
    MaxTime = maxTime;
    Cdtds = 1.0 / sqrt(2.0);
    g->hx = alloc((size_t)n * n);   g->chxh = alloc((size_t)n * n);   g->chxe = alloc((size_t)n * n);
    g->hy = alloc((size_t)n * n);   g->chyh = alloc((size_t)n * n);   g->chye = alloc((size_t)n * n);
    g->ez = alloc((size_t)n * n);   g->ceze = alloc((size_t)n * n);   g->cezh = alloc((size_t)n * n);
    for (mm = 0; mm < SizeX; mm++)
        for (nn = 0; nn < SizeY; nn++) {
            double epsr = hypot(mm - 0.65 * n, nn - 0.6 * n) < 0.15 * n ? 4.0 : 1.0;
            double loss = mm > 0.1 * n && mm < 0.25 * n && nn > 0.6 * n && nn < 0.8 * n ? 0.02 : 0.0;
            Ceze(mm, nn) = (1.0 - loss) / (1.0 + loss);
            Cezh(mm, nn) = Cdtds * imp0 / epsr / (1.0 + loss);
        }
    for (mm = 0; mm < SizeX; mm++)
        for (nn = 0; nn < SizeY - 1; nn++) {
            Chxh(mm, nn) = 1.0;
            Chxe(mm, nn) = Cdtds / imp0;
        }
    for (mm = 0; mm < SizeX - 1; mm++)
        for (nn = 0; nn < SizeY; nn++) {
            Chyh(mm, nn) = 1.0;
            Chye(mm, nn) = Cdtds / imp0;
        }
}

static void updateH2d(Grid *g)
{
    int mm, nn;
#pragma omp parallel for private(nn)
    for (mm = 0; mm < SizeX; mm++)
        for (nn = 0; nn < SizeY - 1; nn++)
            Hx(mm, nn) = Chxh(mm, nn) * Hx(mm, nn)
                       - Chxe(mm, nn) * (Ez(mm, nn + 1) - Ez(mm, nn));
#pragma omp parallel for private(nn)
    for (mm = 0; mm < SizeX - 1; mm++)
        for (nn = 0; nn < SizeY; nn++)
            Hy(mm, nn) = Chyh(mm, nn) * Hy(mm, nn)
                       + Chye(mm, nn) * (Ez(mm + 1, nn) - Ez(mm, nn));
}

static void updateE2d(Grid *g)
{
    int mm, nn;
#pragma omp parallel for private(nn)
    for (mm = 1; mm < SizeX - 1; mm++)
        for (nn = 1; nn < SizeY - 1; nn++)
            Ez(mm, nn) = Ceze(mm, nn) * Ez(mm, nn)
                       + Cezh(mm, nn) * ((Hy(mm, nn) - Hy(mm - 1, nn)) - (Hx(mm, nn) - Hx(mm, nn - 1)));
}

static double ezInc(double time, double cdtds)
{
    double arg = M_PI * (cdtds * time / PPW - 1.0);
    arg = arg * arg;
    return (1.0 - 2.0 * arg) * exp(-arg);
}

int main(int argc, char **argv)
{
    Grid grid, *g = &grid;
    int n = argc > 1 ? atoi(argv[1]) : 280, maxTime = argc > 2 ? atoi(argv[2]) : 430;
    if (n < 4)
        return fprintf(stderr, "fdtd-2d: need n >= 4\n"), 1;
    gridInit(g, n, maxTime);

#pragma scop
    for (Time = 0; Time < MaxTime; Time++) {
        updateH2d(g);
        updateE2d(g);
        Ez(SizeX / 3, SizeY / 3) += ezInc(Time, Cdtds);
    }
#pragma endscop

    double energy = 0.0, lo = 0.0, hi = 0.0;
    for (int i = 0; i < n * n; i++) {
        energy += g->ez[i] * g->ez[i];
        lo = fmin(lo, g->ez[i]);
        hi = fmax(hi, g->ez[i]);
    }
    printf("fdtd-2d %d x %d, %d steps: sum Ez^2 = %.17g, peak Ez = %.17g\n", n, n, maxTime, energy, hi);
    if (argc > 3) {
        FILE *f = fopen(argv[3], "wb");
        int w = n < 400 ? n : 400;
        if (!f)
            return perror(argv[3]), 1;
        fprintf(f, "P5\n%d %d\n255\n", w, w);
        for (int i = 0; i < w * w; i++)
            fputc((int)(255.0 * (Ez(i % w * n / w, i / w * n / w) - lo) / (hi > lo ? hi - lo : 1.0)), f);
        fclose(f);
    }
    free(g->hx); free(g->chxh); free(g->chxe);
    free(g->hy); free(g->chyh); free(g->chye);
    free(g->ez); free(g->ceze); free(g->cezh);
    return 0;
}
