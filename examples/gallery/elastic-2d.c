/*
 * elastic-2d: P-SV waves in an isotropic elastic medium, velocity-stress form
 * on a staggered grid (Virieux 1986, fourth order in space after Levander),
 *
 *     rho dvx/dt = dsxx/dx + dsxz/dz,      rho dvz/dt = dsxz/dx + dszz/dz,
 *     dsxx/dt = (lam+2mu) dvx/dx + lam dvz/dz,   szz likewise,
 *     dsxz/dt = mu (dvx/dz + dvz/dx).
 *
 * Explosive source with a Ricker wavelet, absorbing taper along the edges.
 *
 * Usage: elastic-2d [n] [steps] [picture.pgm]
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define IDX(i, j) ((i) * nz + (j))
#define C1 (9.0f / 8.0f)
#define C2 (-1.0f / 24.0f)

/* fourth order first derivatives, forward and backward half a cell */
#define DXF(a) (C1 * (a[k + nz] - a[k]) + C2 * (a[k + 2 * nz] - a[k - nz]))
#define DXB(a) (C1 * (a[k] - a[k - nz]) + C2 * (a[k + nz] - a[k - 2 * nz]))
#define DZF(a) (C1 * (a[k + 1] - a[k]) + C2 * (a[k + 2] - a[k - 1]))
#define DZB(a) (C1 * (a[k] - a[k - 1]) + C2 * (a[k + 1] - a[k - 2]))

static void update_velocity(size_t nx, size_t nz, float *vx, float *vz, const float *sxx,
                            const float *szz, const float *sxz, const float *buoy, float dtdx)
{
#pragma omp parallel for schedule(static)
    for (size_t i = 2; i < nx - 2; i++) {
        for (size_t j = 2; j < nz - 2; j++) {
            size_t k = IDX(i, j);
            vx[k] += dtdx * buoy[k] * (DXB(sxx) + DZB(sxz));
            vz[k] += dtdx * buoy[k] * (DXF(sxz) + DZF(szz));
        }
    }
}

static void update_stress(size_t nx, size_t nz, const float *vx, const float *vz, float *sxx,
                          float *szz, float *sxz, const float *lam, const float *mu, float dtdx)
{
#pragma omp parallel for schedule(static)
    for (size_t i = 2; i < nx - 2; i++) {
        for (size_t j = 2; j < nz - 2; j++) {
            size_t k = IDX(i, j);
            float exx = DXF(vx), ezz = DZB(vz);
            sxx[k] += dtdx * ((lam[k] + 2.0f * mu[k]) * exx + lam[k] * ezz);
            szz[k] += dtdx * ((lam[k] + 2.0f * mu[k]) * ezz + lam[k] * exx);
            sxz[k] += dtdx * mu[k] * (DZF(vx) + DXB(vz));
        }
    }
}

static void apply_taper(size_t nx, size_t nz, float *vx, float *vz, float *sxx, float *szz,
                        float *sxz, const float *tx, const float *tz)
{
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < nx; i++)
        for (size_t j = 0; j < nz; j++) {
            const float w = tx[i] * tz[j];
            vx[IDX(i, j)] *= w;
            vz[IDX(i, j)] *= w;
            sxx[IDX(i, j)] *= w;
            szz[IDX(i, j)] *= w;
            sxz[IDX(i, j)] *= w;
        }
}

static float *field(size_t n)
{
    float *p = calloc(n, sizeof *p);
    if (!p) {
        fprintf(stderr, "elastic-2d: out of memory\n");
        exit(1);
    }
    return p;
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 260, nt = argc > 2 ? atoi(argv[2]) : 440;
    if (n < 5 || nt < 0)
        return fprintf(stderr, "usage: elastic-2d [n>=5] [steps] [picture.pgm]\n"), 1;
    const size_t nx = n, nz = n, nn = nx * nz;
    const float h = 5.0f, dt = 0.0007f, dtdx = dt / h, f0 = 25.0f;
    float *vx = field(nn), *vz = field(nn), *sxx = field(nn), *szz = field(nn), *sxz = field(nn);
    float *lam = field(nn), *mu = field(nn), *buoy = field(nn);
    float *taper = field(n), *src = field(nt + 1);

    for (size_t i = 0; i < nx; i++)             /* sediment over a dipping basement */
        for (size_t j = 0; j < nz; j++) {
            int rock = j > 0.55f * nz + 0.2f * i;
            float vp = rock ? 3800.0f : 2200.0f, vs = rock ? 2100.0f : 1100.0f;
            float rho = rock ? 2500.0f : 2000.0f;
            mu[IDX(i, j)] = rho * vs * vs;
            lam[IDX(i, j)] = rho * (vp * vp - 2.0f * vs * vs);
            buoy[IDX(i, j)] = 1.0f / rho;
        }
    for (int i = 0; i < n; i++) {
        int edge = i < n - 1 - i ? i : n - 1 - i, width = n / 10;
        float d = edge < width ? 0.35f * (width - edge) / width : 0.0f;
        taper[i] = expf(-d * d);
    }
    for (int it = 0; it < nt; it++) {
        float a = (float)M_PI * f0 * (it * dt - 1.2f / f0);
        src[it] = 1.0e6f * (1.0f - 2.0f * a * a) * expf(-a * a);
    }
    const size_t isrc = IDX(nx / 2, nz / 3);

#pragma scop
    for (int it = 0; it < nt; it++) {
        update_velocity(nx, nz, vx, vz, sxx, szz, sxz, buoy, dtdx);
        update_stress(nx, nz, vx, vz, sxx, szz, sxz, lam, mu, dtdx);
        sxx[isrc] += src[it];
        szz[isrc] += src[it];
        apply_taper(nx, nz, vx, vz, sxx, szz, sxz, taper, taper);
    }
#pragma endscop

    double ekin = 0.0, vmax = 0.0;
    for (size_t k = 0; k < nn; k++) {
        double v2 = (double)vx[k] * vx[k] + (double)vz[k] * vz[k];
        ekin += 0.5 * v2 * h * h / buoy[k];
        vmax = fmax(vmax, v2);
    }
    printf("elastic-2d %d x %d, %d steps: kinetic energy %.17g J/m, max speed %.17g m/s\n",
           n, n, nt, ekin, sqrt(vmax));
    if (argc > 3) {                             /* vertical velocity, clipped at half of the peak */
        size_t w = n < 400 ? n : 400;
        double clip = 0.5 * sqrt(vmax);
        FILE *f = fopen(argv[3], "wb");
        if (!f)
            return perror(argv[3]), 1;
        fprintf(f, "P5\n%zu %zu\n255\n", w, w);
        for (size_t j = 0; j < w; j++)
            for (size_t i = 0; i < w; i++) {
                double v = clip > 0 ? vz[IDX(i * nx / w, j * nz / w)] / clip : 0.0;
                fputc((int)(127.5 * (1.0 + fmax(-1.0, fmin(1.0, v)))), f);
            }
        fclose(f);
    }
    free(vx); free(vz); free(sxx); free(szz); free(sxz);
    free(lam); free(mu); free(buoy); free(taper); free(src);
    return 0;
}
