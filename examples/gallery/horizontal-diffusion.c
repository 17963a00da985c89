/*
 * Fourth-order horizontal diffusion with monotonic flux limiter, as applied to
 * the prognostic fields of a limited-area weather model:
 *     q_new = q - alpha * div( limit( grad( lap(q) ) ) )
 * Fluxes which go up the gradient of q are set to zero.  All model levels are
 * treated alike; a frame of HALO points around the domain is not changed.
 *
 * Usage: horizontal-diffusion [picture.pgm]      (sizes: -DN=.. -DKE=.. -DT=..)
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#pragma GCC diagnostic ignored "-Wunknown-pragmas"

#ifndef N
#define N 128               /* points in x and y, with the frame */
#endif
#ifndef KE
#define KE 20               /* levels */
#endif
#ifndef T
#define T 150               /* time steps */
#endif
#define IE N
#define JE N
#define HALO 2

static double q[2][KE][JE][IE];     /* tracer at the two time levels */
static double lap[KE][JE][IE];
static double flx[KE][JE][IE], fly[KE][JE][IE];
static double alpha[JE][IE];        /* diffusion coefficient */

static void init_fields(void)
{
    for (int k = 0; k < KE; k++)
        for (int j = 0; j < JE; j++)
            for (int i = 0; i < IE; i++) {
                double x = (i - 0.5 * IE) / IE, y = (j - 0.5 * JE) / JE;
                double r = sqrt(x * x + y * y), a = atan2(y, x);
                double v = 280.0 + 8.0 * sin(3.0 * a + 22.0 * r + 0.3 * k) * exp(-6.0 * r * r);
                /* front, and noise at the grid scale */
                if (x + 0.4 * y > 0.15)
                    v -= 6.0;
                v += 1.5 * (((i * 7 + j * 13 + k * 5 + i * j) % 11) / 5.0 - 1.0);
                q[0][k][j][i] = q[1][k][j][i] = v;
            }
    /* weaker over the mountains in the lower left corner */
    for (int j = 0; j < JE; j++)
        for (int i = 0; i < IE; i++)
            alpha[j][i] = 0.03 * (1.0 - 0.8 * exp(-((double)i * i + (double)j * j) / (0.1 * IE * JE)));
}

static void run(void)
{
#pragma scop
    for (int t = 0; t < T; t++) {
        const int nnow = t % 2;
        const int nnew = (t + 1) % 2;

#pragma omp parallel for
        for (int k = 0; k < KE; k++)
            for (int j = HALO - 1; j < JE - HALO + 1; j++)
                for (int i = HALO - 1; i < IE - HALO + 1; i++)
                    lap[k][j][i] = 4.0 * q[nnow][k][j][i]
                                 - (q[nnow][k][j][i + 1] + q[nnow][k][j][i - 1]
                                  + q[nnow][k][j + 1][i] + q[nnow][k][j - 1][i]);

#pragma omp parallel for
        for (int k = 0; k < KE; k++)
            for (int j = HALO; j < JE - HALO; j++)
                for (int i = HALO - 1; i < IE - HALO; i++) {
                    double f = lap[k][j][i + 1] - lap[k][j][i];
                    flx[k][j][i] =
                        f * (q[nnow][k][j][i + 1] - q[nnow][k][j][i]) > 0.0 ? 0.0 : f;
                }

#pragma omp parallel for
        for (int k = 0; k < KE; k++)
            for (int j = HALO - 1; j < JE - HALO; j++)
                for (int i = HALO; i < IE - HALO; i++) {
                    double f = lap[k][j + 1][i] - lap[k][j][i];
                    fly[k][j][i] =
                        f * (q[nnow][k][j + 1][i] - q[nnow][k][j][i]) > 0.0 ? 0.0 : f;
                }

#pragma omp parallel for
        for (int k = 0; k < KE; k++)
            for (int j = HALO; j < JE - HALO; j++)
                for (int i = HALO; i < IE - HALO; i++)
                    q[nnew][k][j][i] = q[nnow][k][j][i]
                        - alpha[j][i] * (flx[k][j][i] - flx[k][j][i - 1]
                                       + fly[k][j][i] - fly[k][j - 1][i]);
    }
#pragma endscop
}

static void write_level(const char *name, double a[JE][IE])
{
    FILE *fp = fopen(name, "wb");
    int s = (N + 399) / 400, w = (N + s - 1) / s;
    double lo = a[0][0], hi = a[0][0];
    if (!fp) {
        perror(name);
        exit(1);
    }
    for (int j = 0; j < JE; j++)
        for (int i = 0; i < IE; i++) {
            lo = fmin(lo, a[j][i]);
            hi = fmax(hi, a[j][i]);
        }
    fprintf(fp, "P5\n%d %d\n255\n", w, w);
    for (int j = 0; j < JE; j += s)
        for (int i = 0; i < IE; i += s)
            fputc((int)(255.0 * (a[j][i] - lo) / (hi - lo)), fp);
    fclose(fp);
}

int main(int argc, char **argv)
{
    init_fields();
    run();

    double sum = 0.0, qmin = q[T % 2][0][0][0], qmax = qmin;
    for (int k = 0; k < KE; k++)
        for (int j = 0; j < JE; j++)
            for (int i = 0; i < IE; i++) {
                sum += q[T % 2][k][j][i];
                qmin = fmin(qmin, q[T % 2][k][j][i]);
                qmax = fmax(qmax, q[T % 2][k][j][i]);
            }
    printf("%d x %d x %d, %d steps\n", IE, JE, KE, T);
    printf("mean %.17g min %.17g max %.17g\n", sum / ((double)IE * JE * KE), qmin, qmax);

    if (argc > 1)
        write_level(argv[1], q[T % 2][KE / 2]);
    return 0;
}
