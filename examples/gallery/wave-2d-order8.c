/*
 * wave-2d-order8: acoustic forward modelling of one shot,
 *
 *     p_tt = v(x,z)^2 (p_xx + p_zz) + w(t) delta(x - xs) delta(z - zs),
 *
 * eighth order in space, second order in time, constant density.  The n x n
 * model is padded by NB points on every side, where a Cerjan sponge takes the
 * waves out.  Traces are recorded along the surface.
 *
 * Usage: wave-2d-order8 [n] [steps] [picture.pgm]
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define NB 30                   /* width of the sponge */

static const float c0 = -205.0f / 72.0f, c1 = 8.0f / 5.0f, c2 = -1.0f / 5.0f,
                   c3 = 8.0f / 315.0f, c4 = -1.0f / 560.0f;

static float **alloc2float(int n1, int n2)      /* n2 rows of n1 */
{
    float **p = malloc(n2 * sizeof(float *));
    if (p)
        p[0] = calloc((size_t)n1 * n2, sizeof(float));
    if (!p || !p[0]) {
        fprintf(stderr, "alloc2float: out of memory\n");
        exit(1);
    }
    for (int i = 1; i < n2; i++)
        p[i] = p[0] + (size_t)i * n1;
    return p;
}

static void free2float(float **p)
{
    free(p[0]);
    free(p);
}

static void step_forward(float **p0, float **p1, float **vv, int nzpad, int nxpad)
{
    int ix, iz;
    float lap;
#pragma omp parallel for private(ix, iz, lap) schedule(static)
    for (ix = 4; ix < nxpad - 4; ix++)
        for (iz = 4; iz < nzpad - 4; iz++) {
            lap = 2.0f * c0 * p1[ix][iz]
                + c1 * (p1[ix][iz-1] + p1[ix][iz+1] + p1[ix-1][iz] + p1[ix+1][iz])
                + c2 * (p1[ix][iz-2] + p1[ix][iz+2] + p1[ix-2][iz] + p1[ix+2][iz])
                + c3 * (p1[ix][iz-3] + p1[ix][iz+3] + p1[ix-3][iz] + p1[ix+3][iz])
                + c4 * (p1[ix][iz-4] + p1[ix][iz+4] + p1[ix-4][iz] + p1[ix+4][iz]);
            p0[ix][iz] = 2.0f * p1[ix][iz] - p0[ix][iz] + vv[ix][iz] * lap;
        }
}

static void apply_sponge(float **p, const float *bndr, int nzpad, int nxpad)
{
    int ix, iz, ib;
#pragma omp parallel for private(ix, ib)
    for (ix = 0; ix < nxpad; ix++)
        for (ib = 0; ib < NB; ib++) {
            p[ix][ib] *= bndr[ib];
            p[ix][nzpad - 1 - ib] *= bndr[ib];
        }
#pragma omp parallel for private(ib, iz)
    for (ib = 0; ib < NB; ib++)
        for (iz = 0; iz < nzpad; iz++) {
            p[ib][iz] *= bndr[ib];
            p[nxpad - 1 - ib][iz] *= bndr[ib];
        }
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 240;
    int nt = argc > 2 ? atoi(argv[2]) : 760;
    if (n < 2 || nt < 1) {
        fprintf(stderr, "usage: wave-2d-order8 [n] [steps] [picture.pgm]\n");
        return 1;
    }
    int nxpad = n + 2 * NB, nzpad = n + 2 * NB;
    int sx = NB + n / 2, sz = NB + n / 40, gz = NB;
    float dx = 10.0f, dt = 0.0012f, fm = 18.0f;
    float **p0 = alloc2float(nzpad, nxpad), **p1 = alloc2float(nzpad, nxpad);
    float **vv = alloc2float(nzpad, nxpad), **dcal = alloc2float(n, nt), **ptr;
    float *wlt = malloc(nt * sizeof(float)), bndr[NB];

    for (int it = 0; it < nt; it++) {
        float a = (float)M_PI * fm * (it * dt - 1.0f / fm);
        wlt[it] = (1.0f - 2.0f * a * a) * expf(-a * a);
    }
    for (int ib = 0; ib < NB; ib++) {
        float d = 0.015f * (NB - 1 - ib);
        bndr[ib] = expf(-d * d);
    }
    for (int ix = 0; ix < nxpad; ix++)          /* layers over an anticline */
        for (int iz = 0; iz < nzpad; iz++) {
            float x = (float)(ix - NB) / n - 0.6f, z = (float)(iz - NB) / n;
            float v = z < 0.3f ? 1600.0f : z + 0.15f * expf(-20.0f * x * x) < 0.55f ? 2400.0f : 3600.0f;
            vv[ix][iz] = v * v * dt * dt / (dx * dx);
        }

#pragma scop
    for (int it = 0; it < nt; it++) {
        p1[sx][sz] += wlt[it];
        step_forward(p0, p1, vv, nzpad, nxpad);
        apply_sponge(p0, bndr, nzpad, nxpad);
        apply_sponge(p1, bndr, nzpad, nxpad);
        ptr = p0; p0 = p1; p1 = ptr;
        for (int ix = 0; ix < n; ix++)          /* record the seismogram */
            dcal[it][ix] = p1[NB + ix][gz];
    }
#pragma endscop

    double e = 0.0, d = 0.0;
    for (int ix = 0; ix < nxpad; ix++)
        for (int iz = 0; iz < nzpad; iz++)
            e += (double)p1[ix][iz] * p1[ix][iz];
    for (int i = 0; i < nt * n; i++)
        d += (double)dcal[0][i] * dcal[0][i];
    printf("wave-2d-order8 n=%d nt=%d  wavefield %.17g  seismogram %.17g\n", n, nt, e, d);
    if (argc > 3) {                             /* snapshot, z downwards */
        int w = n < 400 ? n : 400;
        float lo = 0.0f, hi = 0.0f;
        FILE *f = fopen(argv[3], "wb");
        if (!f)
            return perror(argv[3]), 1;
        for (int i = 0; i < nxpad * nzpad; i++) {
            lo = fminf(lo, p1[0][i]);
            hi = fmaxf(hi, p1[0][i]);
        }
        fprintf(f, "P5\n%d %d\n255\n", w, w);
        for (int i = 0; i < w; i++)
            for (int j = 0; j < w; j++) {
                float v = p1[NB + j * n / w][NB + i * n / w];
                fputc(hi > lo ? (int)(255.0f * (v - lo) / (hi - lo)) : 0, f);
            }
        fclose(f);
    }
    free2float(p0); free2float(p1); free2float(vv); free2float(dcal);
    free(wlt);
    return 0;
}
