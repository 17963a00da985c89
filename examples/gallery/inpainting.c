/*
 * Image inpainting by isotropic diffusion: damaged pixels (mask != 0) are
 * filled by solving Laplace's equation in the holes with the known pixels as
 * boundary values, using damped Jacobi sweeps.  Known pixels are never changed;
 * the outermost ring of pixels is assumed to be known.
 *
 * The test picture is a smooth ring pattern, damaged by scratches, a grid of
 * dots and lost blocks.
 *
 * usage: inpainting [size] [iterations] [restored.pgm]
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <math.h>

static void swap(float **a, float **b)
{
    float *t = *a;
    *a = *b;
    *b = t;
}

static void make_image(float *img, int w, int h)
{
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) {
            float dx = (x - 0.4f * w) / w, dy = (y - 0.55f * h) / h;
            float r2 = dx * dx + dy * dy;
            /* rings: triangle wave of the squared radius */
            float p = 18.0f * r2;
            p -= floorf(p);
            img[y * w + x] = 30.0f + 190.0f * (p < 0.5f ? 2.0f * p : 2.0f - 2.0f * p)
                           + 30.0f * dx;
        }
}

static int make_mask(uint8_t *mask, int w, int h)
{
    int lost = 0;
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) {
            int scratch = (3 * x + y) % 67 < 6 || (x + 400 - (2 * y) % 400) % 131 < 2;
            int block = x > w / 2 && x < w / 2 + w / 7 && y > h / 5 && y < h / 3;
            int dot = x % 16 < 4 && y % 16 < 4 && y > h / 2;
            int inside = x > 0 && x < w - 1 && y > 0 && y < h - 1;
            mask[y * w + x] = inside && (scratch || block || dot) ? 255 : 0;
            lost += mask[y * w + x] != 0;
        }
    return lost;
}

/* one sweep over the holes, src -> dst */
static void inpaint_sweep(const float *src, float *dst, const uint8_t *mask, int w, int h)
{
    const float relax = 0.9f;
    int x, y;

#pragma omp parallel for private(x)
    for (y = 1; y < h - 1; y++) {
        for (x = 1; x < w - 1; x++) {
            int i = y * w + x;
            if (mask[i]) {
                float avg = 0.25f * (src[i - w] + src[i + w] + src[i - 1] + src[i + 1]);
                dst[i] = src[i] + relax * (avg - src[i]);
            } else {
                dst[i] = src[i];
            }
        }
    }
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 320;
    int iters = argc > 2 ? atoi(argv[2]) : 1000;
    int w = n, h = n;

    float *orig = malloc((size_t)w * h * sizeof(float));
    float *img = malloc((size_t)w * h * sizeof(float));
    float *tmp = malloc((size_t)w * h * sizeof(float));
    uint8_t *mask = malloc((size_t)w * h);

    make_image(orig, w, h);
    int lost = make_mask(mask, w, h);
    for (int i = 0; i < w * h; i++) {
        img[i] = mask[i] ? 0.0f : orig[i];
        tmp[i] = img[i];
    }

#pragma scop
    for (int it = 0; it < iters; it++) {
        inpaint_sweep(img, tmp, mask, w, h);
        swap(&img, &tmp);
    }
#pragma endscop

    double err = 0.0, sum = 0.0;
    float lo = 1e30f, hi = -1e30f;
    for (int i = 0; i < w * h; i++) {
        err += ((double)img[i] - orig[i]) * ((double)img[i] - orig[i]);
        sum += img[i];
        if (img[i] < lo) lo = img[i];
        if (img[i] > hi) hi = img[i];
    }
    printf("inpainting %dx%d: %d pixels lost (%.1f %%), %d iterations\n", w, h, lost,
           100.0 * lost / ((double)w * h), iters);
    printf("sum %.17g rmse %.17g\n", sum, sqrt(err / ((double)w * h)));

    if (argc > 3) {
        FILE *f = fopen(argv[3], "wb");
        if (!f) {
            perror(argv[3]);
            return 1;
        }
        int s = (n + 399) / 400;
        fprintf(f, "P5\n%d %d\n255\n", (w + s - 1) / s, (h + s - 1) / s);
        for (int y = 0; y < h; y += s)
            for (int x = 0; x < w; x += s)
                fputc(hi > lo ? (int)(255.0f * (img[y * w + x] - lo) / (hi - lo)) : 0, f);
        fclose(f);
    }
    free(orig);
    free(img);
    free(tmp);
    free(mask);
    return 0;
}
