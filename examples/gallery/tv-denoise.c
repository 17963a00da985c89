/*
 * Total variation denoising (Rudin-Osher-Fatemi model)
 *
 *     min_u  TV(u) + |u - g|^2 / (2 lambda)
 *
 * by Chambolle's fixed-point iteration on the dual field p = (px, py)
 * (J. Math. Imaging Vis. 20, 2004):  u = g - lambda div p,
 *     p <- (p + tau grad(div p - g/lambda)) / (1 + tau |grad(div p - g/lambda)|).
 * Forward differences for the gradient, backward for the divergence.
 *
 * usage: tv-denoise [size] [iterations] [out.pgm]
 */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/* div of p with the adjoint boundary conditions of the forward gradient */
static inline float divergence(const float *px, const float *py,
                               size_t x, size_t y, size_t w, size_t h)
{
    size_t k = y * w + x;
    float d = 0.0f;
    if (x < w - 1) d += px[k];
    if (x > 0)     d -= px[k - 1];
    if (y < h - 1) d += py[k];
    if (y > 0)     d -= py[k - w];
    return d;
}

static void chambolle(const float *g, float *u, float *px, float *py, float *v,
                      size_t w, size_t h, float lambda, float tau, int niter)
{
    const float inv_lambda = 1.0f / lambda;

#pragma scop
    for (int it = 0; it < niter; it++) {
#pragma omp parallel for schedule(static)
        for (size_t y = 0; y < h; y++)
            for (size_t x = 0; x < w; x++)
                v[y * w + x] = divergence(px, py, x, y, w, h) - g[y * w + x] * inv_lambda;

#pragma omp parallel for schedule(static)
        for (size_t y = 0; y < h; y++) {
            for (size_t x = 0; x < w; x++) {
                size_t k = y * w + x;
                float gx = 0.0f, gy = 0.0f;
                if (x < w - 1)
                    gx = v[k + 1] - v[k];
                if (y < h - 1)
                    gy = v[k + w] - v[k];
                float norm = 1.0f + tau * sqrtf(gx * gx + gy * gy);
                px[k] = (px[k] + tau * gx) / norm;
                py[k] = (py[k] + tau * gy) / norm;
            }
        }
    }
#pragma endscop

    for (size_t y = 0; y < h; y++)
        for (size_t x = 0; x < w; x++)
            u[y * w + x] = g[y * w + x] - lambda * divergence(px, py, x, y, w, h);
}

/* piecewise constant scene with noise */
static void make_scene(float *g, size_t w, size_t h)
{
    uint32_t s = 2463534242u;
    for (size_t y = 0; y < h; y++)
        for (size_t x = 0; x < w; x++) {
            float fx = (x + 0.5f) / w - 0.5f, fy = (y + 0.5f) / h - 0.5f;
            float r = sqrtf(fx * fx + fy * fy), val = 0.25f;
            if (r < 0.42f) val = 0.55f;
            if (r < 0.30f && fx * fy > 0.0f) val = 0.9f;
            if (r < 0.12f) val = 0.1f;
            if (fabsf(fx + fy) < 0.03f) val = 0.75f;
            float noise = 0.0f;                     /* nearly Gaussian */
            for (int k = 0; k < 4; k++) {
                s ^= s << 13;
                s ^= s >> 17;
                s ^= s << 5;
                noise += (s >> 8) / 16777216.0f - 0.5f;
            }
            g[y * w + x] = val + 0.17f * noise;
        }
}

static double total_variation(const float *u, size_t w, size_t h)
{
    double tv = 0.0;
    for (size_t y = 0; y + 1 < h; y++)
        for (size_t x = 0; x + 1 < w; x++) {
            double gx = u[y * w + x + 1] - u[y * w + x];
            double gy = u[(y + 1) * w + x] - u[y * w + x];
            tv += sqrt(gx * gx + gy * gy);
        }
    return tv;
}

static void write_pgm(const char *name, const float *a, size_t w, size_t h)
{
    size_t s = ((w > h ? w : h) + 399) / 400;
    float lo = a[0], hi = a[0];
    for (size_t k = 0; k < w * h; k++) {
        if (a[k] < lo) lo = a[k];
        if (a[k] > hi) hi = a[k];
    }
    FILE *f = fopen(name, "wb");
    if (!f) { perror(name); exit(1); }
    fprintf(f, "P5\n%zu %zu\n255\n", (w + s - 1) / s, (h + s - 1) / s);
    for (size_t y = 0; y < h; y += s)
        for (size_t x = 0; x < w; x += s)
            putc(hi > lo ? (int)(255.0f * (a[y * w + x] - lo) / (hi - lo)) : 0, f);
    fclose(f);
}

int main(int argc, char **argv)
{
    size_t n = argc > 1 ? strtoul(argv[1], NULL, 10) : 384;
    int niter = argc > 2 ? atoi(argv[2]) : 150;
    float *g = malloc(n * n * sizeof *g), *u = malloc(n * n * sizeof *u);
    float *v = malloc(n * n * sizeof *v);
    float *px = calloc(n * n, sizeof *px), *py = calloc(n * n, sizeof *py);

    make_scene(g, n, n);
    chambolle(g, u, px, py, v, n, n, 0.18f, 0.245f, niter);

    double mean = 0.0;
    for (size_t k = 0; k < n * n; k++)
        mean += u[k];
    printf("tv-denoise %zux%zu, %d iterations: mean %.17g\n", n, n, niter, mean / (n * n));
    printf("TV noisy %.17g, TV denoised %.17g\n", total_variation(g, n, n), total_variation(u, n, n));
    if (argc > 3)
        write_pgm(argv[3], u, n, n);
    free(g); free(u); free(v); free(px); free(py);
    return 0;
}
