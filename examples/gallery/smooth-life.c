/*
 * Continuous cellular automaton in the manner of Lenia / SmoothLife.
 *
 * The state of a cell is a number in [0, 1].  The neighbourhood density is a
 * weighted mean over a 5x5 ring kernel; the state grows or decays with it,
 *
 *     u = K * A,    A <- clip(A + dt G(u), 0, 1),
 *     G(u) = 2 max(0, 1 - (u - mu)^2 / (9 sigma^2))^4 - 1,
 *
 * on a torus.
 *
 * usage: smooth-life [n] [steps] [picture.pgm]
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define R 2                             /* kernel radius */

static const float ring[2 * R + 1][2 * R + 1] = {
    { 0.2f, 0.7f, 0.9f, 0.7f, 0.2f },
    { 0.7f, 1.0f, 0.6f, 1.0f, 0.7f },
    { 0.9f, 0.6f, 0.0f, 0.6f, 0.9f },
    { 0.7f, 1.0f, 0.6f, 1.0f, 0.7f },
    { 0.2f, 0.7f, 0.9f, 0.7f, 0.2f },
};

static inline int64_t wrap(int64_t i, int64_t n)
{
    return i < 0 ? i + n : i >= n ? i - n : i;
}

static inline float clip01(float x)
{
    return x < 0.0f ? 0.0f : x > 1.0f ? 1.0f : x;
}

static inline float growth(float u)
{
    const float mu = 0.34f, sigma = 0.055f;
    float d = (u - mu) * (u - mu) / (9.0f * sigma * sigma);
    float g = d < 1.0f ? 1.0f - d : 0.0f;
    g *= g;
    return 2.0f * g * g - 1.0f;
}

static void update(const float *a, float *b, int64_t n, float norm, float dt)
{
#pragma omp parallel for collapse(2) schedule(static)
    for (int64_t y = 0; y < n; y++) {
        for (int64_t x = 0; x < n; x++) {
            float u = 0.0f;
            for (int dy = -R; dy <= R; dy++)
                for (int dx = -R; dx <= R; dx++)
                    u += ring[dy + R][dx + R] * a[wrap(y + dy, n) * n + wrap(x + dx, n)];
            b[y * n + x] = clip01(a[y * n + x] + dt * growth(u * norm));
        }
    }
}

int main(int argc, char **argv)
{
    int64_t n = argc > 1 ? atoll(argv[1]) : 200;
    int steps = argc > 2 ? atoi(argv[2]) : 120;
    const float dt = 0.1f;

    float *buf[2];
    buf[0] = malloc((size_t)(n * n) * sizeof(float));
    buf[1] = malloc((size_t)(n * n) * sizeof(float));
    if (!buf[0] || !buf[1])
        return 1;

    /* random patches on an empty plane */
    uint32_t s = 7;
    for (int64_t y = 0; y < n; y++)
        for (int64_t x = 0; x < n; x++) {
            s = s * 1664525u + 1013904223u;
            int patch = (x / 8 * 7 + y / 8 * 3) % 5 < 2;
            buf[0][y * n + x] = patch ? (s >> 8) / 16777216.0f : 0.0f;
        }

    float total = 0.0f;
    for (int i = 0; i < 2 * R + 1; i++)
        for (int j = 0; j < 2 * R + 1; j++)
            total += ring[i][j];

#pragma scop
    for (int t = 0; t < steps; t++)
        update(buf[t & 1], buf[(t + 1) & 1], n, 1.0f / total, dt);
#pragma endscop

    const float *a = buf[steps & 1];
    double mass = 0.0, moment = 0.0;
    for (int64_t k = 0; k < n * n; k++) {
        mass += a[k];
        moment += (double)a[k] * (double)(k % 101);
    }
    printf("smooth-life %lldx%lld, %d steps: mass %.17g, moment %.17g\n",
           (long long)n, (long long)n, steps, mass, moment);

    if (argc > 3) {
        FILE *fp = fopen(argv[3], "wb");
        if (!fp) {
            perror(argv[3]);
            return 1;
        }
        int64_t d = (n + 399) / 400, m = (n + d - 1) / d;
        fprintf(fp, "P5\n%lld %lld\n255\n", (long long)m, (long long)m);
        for (int64_t y = 0; y < n; y += d)
            for (int64_t x = 0; x < n; x += d)
                fputc((int)(255.0f * a[y * n + x]), fp);
        fclose(fp);
    }
    free(buf[0]);
    free(buf[1]);
    return 0;
}
