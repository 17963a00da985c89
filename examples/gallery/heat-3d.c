/*
 * heat-3d: heat conduction in an insulated cube,
 *
 *     du/dt = alpha (u_xx + u_yy + u_zz),   du/dn = 0 on all six faces,
 *
 * with the 7-point explicit scheme.  Cells are centred, so an insulated face
 * means that the missing neighbour equals the cell itself; the total heat is
 * conserved up to rounding.
 *
 * Usage: heat-3d [picture.pgm]        (sizes: -DN=.. -DT=..)
 */
#include <stdio.h>
#include <stdlib.h>
#include <math.h>

#ifndef N
#define N 80
#endif
#ifndef T
#define T 100
#endif

static double u[2][N][N][N];

static void init(void)
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            for (int k = 0; k < N; k++) {
                double x = (i + 0.5) / N, y = (j + 0.5) / N, z = (k + 0.5) / N;
                double v = 20.0;
                /* a hot rod, a hot wall corner and a cold ball */
                if (hypot(x - 0.5, y - 0.3) < 0.08)
                    v = 90.0;
                if (y > 0.85 && z < 0.3)
                    v = 70.0;
                if ((x-0.5)*(x-0.5) + (y-0.65)*(y-0.65) + (z-0.6)*(z-0.6) < 0.03)
                    v = -40.0;
                u[0][i][j][k] = v;
            }
}

/* the plane i = N/2, scaled to 0..255 */
static void picture(const char *name, double p[N][N])
{
    const int w = N < 400 ? N : 400;
    double lo = p[0][0], hi = p[0][0];

    for (int j = 0; j < N; j++)
        for (int k = 0; k < N; k++) {
            if (p[j][k] < lo) lo = p[j][k];
            if (p[j][k] > hi) hi = p[j][k];
        }
    FILE *f = fopen(name, "wb");
    if (f == NULL) {
        perror(name);
        exit(EXIT_FAILURE);
    }
    fprintf(f, "P5\n%d %d\n255\n", w, w);
    for (int j = 0; j < w; j++)
        for (int k = 0; k < w; k++) {
            double v = p[(long)j * N / w][(long)k * N / w];
            fputc(hi > lo ? (int)(255 * (v - lo) / (hi - lo)) : 128, f);
        }
    fclose(f);
}

int main(int argc, char *argv[])
{
    const double r = 0.15;              /* alpha dt / h^2, limit 1/6 */

    init();

#pragma scop
    for (int t = 0; t < T; t++) {
#pragma omp parallel for
        for (int i = 0; i < N; i++)
            for (int j = 0; j < N; j++)
                for (int k = 0; k < N; k++) {
                    double c = u[t % 2][i][j][k];
                    double west  = i > 0     ? u[t % 2][i - 1][j][k] : c;
                    double east  = i < N - 1 ? u[t % 2][i + 1][j][k] : c;
                    double south = j > 0     ? u[t % 2][i][j - 1][k] : c;
                    double north = j < N - 1 ? u[t % 2][i][j + 1][k] : c;
                    double below = k > 0     ? u[t % 2][i][j][k - 1] : c;
                    double above = k < N - 1 ? u[t % 2][i][j][k + 1] : c;
                    u[(t + 1) % 2][i][j][k] =
                        c + r * (west + east + south + north + below + above - 6.0 * c);
                }
    }
#pragma endscop

    double heat = 0.0, lo = u[T % 2][0][0][0], hi = lo;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            for (int k = 0; k < N; k++) {
                double v = u[T % 2][i][j][k];
                heat += v;
                lo = v < lo ? v : lo;
                hi = v > hi ? v : hi;
            }
    printf("heat-3d %d^3, %d steps\n", N, T);
    printf("mean %.17g  min %.17g  max %.17g\n", heat / ((double)N * N * N), lo, hi);
    if (argc > 1)
        picture(argv[1], u[T % 2][N / 2]);
    return 0;
}
