/*
 * Lattice Boltzmann method in three dimensions (D3Q19, BGK).
 *
 * A closed box of fluid with a moving lid (top) and a pressure pulse in it at
 * the start.  Collision and streaming are fused, populations are pushed to the
 * neighbours; walls are full-way bounce-back cells.  The cells are stored one
 * after another with their 19 populations and a flag word; two layers of
 * margin on either side take what the outermost wall cells send out.
 *
 * usage: lbm-d3q19 [picture.pgm]     (sizes: -DN=cells per side, -DT=steps)
 */
#include <stdio.h>
#include <stdlib.h>

#ifndef N
#define N 48
#endif
#ifndef T
#define T 24
#endif
#define OMEGA 1.85

typedef enum { dC, dN, dS, dE, dW, dT, dB, dNE, dNW, dSE, dSW,
               dNT, dNB, dST, dSB, dET, dEB, dWT, dWB, FLAGS, N_ENTRIES } entry_t;
enum { FLUID = 0, OBSTACLE = 1, LID = 2 };

#define DFL1 (1.0 / 3.0)
#define DFL2 (1.0 / 18.0)
#define DFL3 (1.0 / 36.0)

#define CALC_INDEX(x, y, z, e) ((e) + N_ENTRIES * ((x) + (y) * N + (z) * N * N))
#define SRC(e)             src[CALC_INDEX(x, y, z, e)]
#define DST(dx, dy, dz, e) dst[CALC_INDEX(x + (dx), y + (dy), z + (dz), e)]
#define MARGIN (2 * N * N * N_ENTRIES)

static void stream_collide(double *src, double *dst)
{
    int x, y, z;
    double ux, uy, uz, u2, rho;

#pragma omp parallel for private(x, y, ux, uy, uz, u2, rho) schedule(static)
    for (z = 0; z < N; z++)
        for (y = 0; y < N; y++)
            for (x = 0; x < N; x++) {
                if (SRC(FLAGS) == OBSTACLE) {
                    DST( 0, 0, 0, dC)  = SRC(dC);
                    DST( 0,-1, 0, dS)  = SRC(dN);   DST( 0, 1, 0, dN)  = SRC(dS);
                    DST(-1, 0, 0, dW)  = SRC(dE);   DST( 1, 0, 0, dE)  = SRC(dW);
                    DST( 0, 0,-1, dB)  = SRC(dT);   DST( 0, 0, 1, dT)  = SRC(dB);
                    DST(-1,-1, 0, dSW) = SRC(dNE);  DST( 1,-1, 0, dSE) = SRC(dNW);
                    DST(-1, 1, 0, dNW) = SRC(dSE);  DST( 1, 1, 0, dNE) = SRC(dSW);
                    DST( 0,-1,-1, dSB) = SRC(dNT);  DST( 0,-1, 1, dST) = SRC(dNB);
                    DST( 0, 1,-1, dNB) = SRC(dST);  DST( 0, 1, 1, dNT) = SRC(dSB);
                    DST(-1, 0,-1, dWB) = SRC(dET);  DST(-1, 0, 1, dWT) = SRC(dEB);
                    DST( 1, 0,-1, dEB) = SRC(dWT);  DST( 1, 0, 1, dET) = SRC(dWB);
                    continue;
                }

                rho = SRC(dC) + SRC(dN) + SRC(dS) + SRC(dE) + SRC(dW) + SRC(dT) + SRC(dB)
                    + SRC(dNE) + SRC(dNW) + SRC(dSE) + SRC(dSW) + SRC(dNT) + SRC(dNB)
                    + SRC(dST) + SRC(dSB) + SRC(dET) + SRC(dEB) + SRC(dWT) + SRC(dWB);
                ux = SRC(dE) - SRC(dW) + SRC(dNE) - SRC(dNW) + SRC(dSE) - SRC(dSW)
                   + SRC(dET) + SRC(dEB) - SRC(dWT) - SRC(dWB);
                uy = SRC(dN) - SRC(dS) + SRC(dNE) + SRC(dNW) - SRC(dSE) - SRC(dSW)
                   + SRC(dNT) + SRC(dNB) - SRC(dST) - SRC(dSB);
                uz = SRC(dT) - SRC(dB) + SRC(dNT) - SRC(dNB) + SRC(dST) - SRC(dSB)
                   + SRC(dET) - SRC(dEB) + SRC(dWT) - SRC(dWB);
                ux /= rho;
                uy /= rho;
                uz /= rho;
                if (SRC(FLAGS) == LID) {
                    ux = 0.001;
                    uy = 0.0005;
                    uz = 0.0;
                }
                u2 = 1.5 * (ux * ux + uy * uy + uz * uz);

#define RELAX(dx, dy, dz, e, wt, eu) \
    DST(dx, dy, dz, e) = (1.0 - OMEGA) * SRC(e) \
        + (wt) * OMEGA * rho * (1.0 + (eu) * (4.5 * (eu) + 3.0) - u2)
                DST(0, 0, 0, dC) = (1.0 - OMEGA) * SRC(dC) + DFL1 * OMEGA * rho * (1.0 - u2);
                RELAX( 0, 1, 0, dN, DFL2,  uy);         RELAX( 0,-1, 0, dS, DFL2, -uy);
                RELAX( 1, 0, 0, dE, DFL2,  ux);         RELAX(-1, 0, 0, dW, DFL2, -ux);
                RELAX( 0, 0, 1, dT, DFL2,  uz);         RELAX( 0, 0,-1, dB, DFL2, -uz);
                RELAX( 1, 1, 0, dNE, DFL3,  ux + uy);   RELAX(-1, 1, 0, dNW, DFL3, -ux + uy);
                RELAX( 1,-1, 0, dSE, DFL3,  ux - uy);   RELAX(-1,-1, 0, dSW, DFL3, -ux - uy);
                RELAX( 0, 1, 1, dNT, DFL3,  uy + uz);   RELAX( 0, 1,-1, dNB, DFL3,  uy - uz);
                RELAX( 0,-1, 1, dST, DFL3, -uy + uz);   RELAX( 0,-1,-1, dSB, DFL3, -uy - uz);
                RELAX( 1, 0, 1, dET, DFL3,  ux + uz);   RELAX( 1, 0,-1, dEB, DFL3,  ux - uz);
                RELAX(-1, 0, 1, dWT, DFL3, -ux + uz);   RELAX(-1, 0,-1, dWB, DFL3, -ux - uz);
            }
}

static void swap_grids(double **a, double **b)
{
    double *aux = *a;
    *a = *b;
    *b = aux;
}

static double density(const double *g, int x, int y, int z)
{
    double rho = 0.0;
    for (int e = dC; e < FLAGS; e++)
        rho += g[CALC_INDEX(x, y, z, e)];
    return rho;
}

int main(int argc, char **argv)
{
    const size_t size = (size_t)N * N * N * N_ENTRIES + 2 * MARGIN;
    double *mem_a = calloc(size, sizeof(double)), *mem_b = calloc(size, sizeof(double));
    double *src = mem_a + MARGIN, *dst = mem_b + MARGIN;

    for (int z = 0; z < N; z++)
        for (int y = 0; y < N; y++)
            for (int x = 0; x < N; x++) {
                double dx = x - N / 3, dy = y - N / 2, dz = z - N / 3;
                double rho = dx * dx + dy * dy + dz * dz < N * N / 100.0 ? 1.05 : 1.0;
                int wall = x == 0 || x == N - 1 || y == 0 || y == N - 1 || z == 0 || z == N - 1;
                for (int e = dC; e < FLAGS; e++)
                    src[CALC_INDEX(x, y, z, e)] = rho * (e == dC ? DFL1 : e <= dB ? DFL2 : DFL3);
                src[CALC_INDEX(x, y, z, FLAGS)] = dst[CALC_INDEX(x, y, z, FLAGS)] =
                    wall ? OBSTACLE : z == N - 2 ? LID : FLUID;
            }

#pragma scop
    for (int t = 0; t < T; t++) {
        stream_collide(src, dst);
        swap_grids(&src, &dst);
    }
#pragma endscop

    double mass = 0.0, lo = 1e9, hi = -1e9, r;
    for (int z = 1; z < N - 1; z++)
        for (int y = 1; y < N - 1; y++)
            for (int x = 1; x < N - 1; x++) {
                mass += r = density(src, x, y, z);
                if (r < lo) lo = r;
                if (r > hi) hi = r;
            }
    printf("lbm-d3q19 %d^3 cells, %d steps: mass %.17g, density %.17g .. %.17g\n", N, T, mass, lo, hi);

    FILE *fp = argc > 1 ? fopen(argv[1], "wb") : NULL;
    if (fp) {                                   /* density in the middle plane */
        const int s = (N - 3) / 400 + 1;
        fprintf(fp, "P5\n%d %d\n255\n", (N - 2 + s - 1) / s, (N - 2 + s - 1) / s);
        for (int z = N - 2; z > 0; z -= s)
            for (int x = 1; x < N - 1; x += s)
                fputc((int)(255.0 * (density(src, x, N / 2, z) - lo) / (hi - lo)), fp);
        fclose(fp);
    }
    free(mem_a);
    free(mem_b);
    return 0;
}
