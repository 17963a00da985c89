/*
 * Gray-Scott reaction-diffusion system
 *
 *     u_t = Du lap(u) - u v^2 + F (1 - u)
 *     v_t = Dv lap(v) + u v^2 - (F + k) v
 *
 * on a periodic square, explicit Euler, nine-point Laplacian (0.2 / 0.05).
 * A few square seeds of v grow into spots and stripes; the picture shows v.
 *
 * usage: gray-scott [picture.pgm]        (sizes: -DN=.. -DT=..)
 */
#include <stdio.h>

#ifndef N
#define N 128
#endif
#ifndef T
#define T 3000
#endif

#define DU 1.0f
#define DV 0.5f
#define F  0.0367f
#define K  0.0649f
#define DT 1.0f

static float u[2][N][N], v[2][N][N];

static void seed(int ci, int cj, int r)
{
    for (int i = ci - r; i <= ci + r; i++)
        for (int j = cj - r; j <= cj + r; j++) {
            u[0][(i + N) % N][(j + N) % N] = 0.5f;
            v[0][(i + N) % N][(j + N) % N] = 0.25f;
        }
}

int main(int argc, char **argv)
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            u[0][i][j] = 1.0f;
            v[0][i][j] = 0.0f;
        }
    unsigned s = 12345;
    for (int k = 0; k < 12; k++) {
        s = s * 1664525u + 1013904223u;
        seed((int)((s >> 8) % N), (int)((s >> 20) % N), 2 + k % 2);
    }

#pragma scop
    for (int t = 0; t < T; t++) {
#pragma omp parallel for
        for (int i = 0; i < N; i++) {
            for (int j = 0; j < N; j++) {
                int im = (i + N - 1) % N, ip = (i + 1) % N;
                int jm = (j + N - 1) % N, jp = (j + 1) % N;
                float a = u[t % 2][i][j];
                float b = v[t % 2][i][j];
                float lu = 0.2f * (u[t % 2][im][j] + u[t % 2][ip][j]
                                 + u[t % 2][i][jm] + u[t % 2][i][jp])
                         + 0.05f * (u[t % 2][im][jm] + u[t % 2][im][jp]
                                  + u[t % 2][ip][jm] + u[t % 2][ip][jp]) - a;
                float lv = 0.2f * (v[t % 2][im][j] + v[t % 2][ip][j]
                                 + v[t % 2][i][jm] + v[t % 2][i][jp])
                         + 0.05f * (v[t % 2][im][jm] + v[t % 2][im][jp]
                                  + v[t % 2][ip][jm] + v[t % 2][ip][jp]) - b;
                float r = a * b * b;
                u[(t + 1) % 2][i][j] = a + DT * (DU * lu - r + F * (1.0f - a));
                v[(t + 1) % 2][i][j] = b + DT * (DV * lv + r - (F + K) * b);
            }
        }
    }
#pragma endscop

    double su = 0.0, sv = 0.0;
    float vmax = 0.0f;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            su += u[T % 2][i][j];
            sv += v[T % 2][i][j];
            if (v[T % 2][i][j] > vmax)
                vmax = v[T % 2][i][j];
        }
    printf("Gray-Scott F=%g k=%g, %dx%d, t=%g\n", F, K, N, N, T * (double)DT);
    printf("mean u %.17g  mean v %.17g  max v %.9g\n", su / N / N, sv / N / N, vmax);

    if (argc > 1) {
        FILE *fp = fopen(argv[1], "wb");
        if (!fp) {
            perror(argv[1]);
            return 1;
        }
        int step = (N + 399) / 400, n = (N + step - 1) / step;
        fprintf(fp, "P5\n%d %d\n255\n", n, n);
        for (int i = 0; i < N; i += step)
            for (int j = 0; j < N; j += step) {
                float x = v[T % 2][i][j] / vmax;
                fputc(x > 0.0f ? (int)(255.0f * x) : 0, fp);
            }
        fclose(fp);
    }
    return 0;
}
