/*
 * fdtd-3d-pml: Maxwell's equations in three dimensions, D-E-H formulation in
 * normalised units (dx = 2 c dt), with a perfectly matched layer of NPML cells
 * on all sides.  The layer parameters are one-dimensional arrays per direction
 * (g: integer points, f: half points); the fields id?, ih? accumulate the curls.
 * A small dipole along z radiates a Gaussian doublet beside a dielectric sphere.
 *
 * Usage: fdtd-3d-pml [picture.pgm]        (sizes: -DN=.. -DT=..)
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef N
#define N 60
#endif
#ifndef T
#define T 75
#endif

enum { IE = N, JE = N, KE = N, NPML = N >= 32 ? 8 : N / 4 };

static float dx[IE][JE][KE], dy[IE][JE][KE], dz[IE][JE][KE];
static float ex[IE][JE][KE], ey[IE][JE][KE], ez[IE][JE][KE];
static float hx[IE][JE][KE], hy[IE][JE][KE], hz[IE][JE][KE];
static float idx[IE][JE][KE], idy[IE][JE][KE], idz[IE][JE][KE];
static float ihx[IE][JE][KE], ihy[IE][JE][KE], ihz[IE][JE][KE];
static float ga[IE][JE][KE];

static float gi1[IE], gi2[IE], gi3[IE], fi1[IE], fi2[IE], fi3[IE];
static float gj1[JE], gj2[JE], gj3[JE], fj1[JE], fj2[JE], fj3[JE];
static float gk1[KE], gk2[KE], gk3[KE], fk1[KE], fk2[KE], fk3[KE];

static void pml(float *g1, float *g2, float *g3, float *f1, float *f2, float *f3, int n)
{
    for (int i = 0; i < n; i++) {
        g1[i] = f1[i] = 0.0f;
        g2[i] = g3[i] = f2[i] = f3[i] = 1.0f;
    }
    for (int i = 0; i < NPML; i++) {
        float xn = 0.33f * powf((float)(NPML - i) / NPML, 3.0f);
        g1[i] = g1[n - 1 - i] = xn;
        g2[i] = g2[n - 1 - i] = 1.0f / (1.0f + xn);
        g3[i] = g3[n - 1 - i] = (1.0f - xn) / (1.0f + xn);
        xn = 0.33f * powf((NPML - i - 0.5f) / NPML, 3.0f);
        f1[i] = f1[n - 2 - i] = xn;
        f2[i] = f2[n - 2 - i] = 1.0f / (1.0f + xn);
        f3[i] = f3[n - 2 - i] = (1.0f - xn) / (1.0f + xn);
    }
}

int main(int argc, char **argv)
{
    const int ic = IE / 2, jc = JE / 2, kc = KE / 2;
    const float t0 = 18.0f, spread = 5.0f;

    pml(gi1, gi2, gi3, fi1, fi2, fi3, IE);
    pml(gj1, gj2, gj3, fj1, fj2, fj3, JE);
    pml(gk1, gk2, gk3, fk1, fk2, fk3, KE);
    for (int i = 0; i < IE; i++)
        for (int j = 0; j < JE; j++)
            for (int k = 0; k < KE; k++) {
                float x = i - 0.66f * IE, y = j - 0.6f * JE, z = k - 0.5f * KE;
                ga[i][j][k] = sqrtf(x * x + y * y + z * z) < 0.14f * N ? 1.0f / 4.0f : 1.0f;
            }

#pragma scop
    for (int n = 0; n < T; n++) {
        /* D field */
#pragma omp parallel for
        for (int i = 1; i < IE; i++)
            for (int j = 1; j < JE; j++)
                for (int k = 1; k < KE; k++) {
                    float curl_h = hz[i][j][k] - hz[i][j-1][k] - hy[i][j][k] + hy[i][j][k-1];
                    idx[i][j][k] += curl_h;
                    dx[i][j][k] = gj3[j] * gk3[k] * dx[i][j][k]
                                + gj2[j] * gk2[k] * 0.5f * (curl_h + fi1[i] * idx[i][j][k]);
                    curl_h = hx[i][j][k] - hx[i][j][k-1] - hz[i][j][k] + hz[i-1][j][k];
                    idy[i][j][k] += curl_h;
                    dy[i][j][k] = gi3[i] * gk3[k] * dy[i][j][k]
                                + gi2[i] * gk2[k] * 0.5f * (curl_h + fj1[j] * idy[i][j][k]);
                    curl_h = hy[i][j][k] - hy[i-1][j][k] - hx[i][j][k] + hx[i][j-1][k];
                    idz[i][j][k] += curl_h;
                    dz[i][j][k] = gi3[i] * gj3[j] * dz[i][j][k]
                                + gi2[i] * gj2[j] * 0.5f * (curl_h + fk1[k] * idz[i][j][k]);
                }

        /* source */
        float tau = (n - t0) / spread;
        float pulse = -tau * expf(-0.5f * tau * tau);
        dz[ic][jc][kc] += pulse;

        /* E from D; the outermost E stays zero behind the layer */
#pragma omp parallel for
        for (int i = 1; i < IE - 1; i++)
            for (int j = 1; j < JE - 1; j++)
                for (int k = 1; k < KE - 1; k++) {
                    ex[i][j][k] = ga[i][j][k] * dx[i][j][k];
                    ey[i][j][k] = ga[i][j][k] * dy[i][j][k];
                    ez[i][j][k] = ga[i][j][k] * dz[i][j][k];
                }

        /* H field */
#pragma omp parallel for
        for (int i = 0; i < IE - 1; i++)
            for (int j = 0; j < JE - 1; j++)
                for (int k = 0; k < KE - 1; k++) {
                    float curl_e = ey[i][j][k+1] - ey[i][j][k] - ez[i][j+1][k] + ez[i][j][k];
                    ihx[i][j][k] += curl_e;
                    hx[i][j][k] = fj3[j] * fk3[k] * hx[i][j][k]
                                + fj2[j] * fk2[k] * 0.5f * (curl_e + gi1[i] * ihx[i][j][k]);
                    curl_e = ez[i+1][j][k] - ez[i][j][k] - ex[i][j][k+1] + ex[i][j][k];
                    ihy[i][j][k] += curl_e;
                    hy[i][j][k] = fi3[i] * fk3[k] * hy[i][j][k]
                                + fi2[i] * fk2[k] * 0.5f * (curl_e + gj1[j] * ihy[i][j][k]);
                    curl_e = ex[i][j+1][k] - ex[i][j][k] - ey[i+1][j][k] + ey[i][j][k];
                    ihz[i][j][k] += curl_e;
                    hz[i][j][k] = fi3[i] * fj3[j] * hz[i][j][k]
                                + fi2[i] * fj2[j] * 0.5f * (curl_e + gk1[k] * ihz[i][j][k]);
                }
    }
#pragma endscop

    double we = 0.0, wh = 0.0, hi = 0.0;
    for (int i = 0; i < IE; i++)
        for (int j = 0; j < JE; j++) {
            for (int k = 0; k < KE; k++) {
                we += ex[i][j][k] * dx[i][j][k] + ey[i][j][k] * dy[i][j][k] + ez[i][j][k] * dz[i][j][k];
                wh += hx[i][j][k] * hx[i][j][k] + hy[i][j][k] * hy[i][j][k] + hz[i][j][k] * hz[i][j][k];
            }
            hi = fmax(hi, fabs(ez[i][j][kc]));
        }
    printf("fdtd-3d-pml %d^3, %d steps: electric %.17g magnetic %.17g\n", N, T, 0.5 * we, 0.5 * wh);
    if (argc > 1) {                     /* |Ez|^(1/2) in the plane of the dipole */
        int w = N < 400 ? N : 400;
        FILE *f = fopen(argv[1], "wb");
        if (!f)
            return perror(argv[1]), 1;
        fprintf(f, "P5\n%d %d\n255\n", w, w);
        for (int j = 0; j < w; j++)
            for (int i = 0; i < w; i++)
                fputc(hi > 0 ? (int)(255.0 * sqrt(fabs(ez[i * N / w][j * N / w][kc]) / hi)) : 0, f);
        fclose(f);
    }
    return 0;
}
