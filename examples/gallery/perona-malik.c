/*
 * Edge-preserving smoothing of a noisy image by anisotropic diffusion
 * (P. Perona, J. Malik, IEEE PAMI 12(7), 1990):
 *
 *     I_t = div( g(|grad I|) grad I ),     g(s) = 1 / (1 + (s/K)^2)
 *
 * Differences to the four nearest neighbours, zero flux through the border,
 * step lambda <= 1/4.  The image is a synthetic test card with added noise.
 *
 * usage: perona-malik [size] [iterations] [out.pgm]
 */
#include <stdio.h>
#include <stdlib.h>
#include <math.h>

typedef struct {
    int w, h;
    float *cur;
    float *next;
} image_t;

static image_t *image_new(int w, int h)
{
    image_t *img = malloc(sizeof *img);
    img->w = w;
    img->h = h;
    img->cur = malloc(sizeof(float) * w * h);
    img->next = malloc(sizeof(float) * w * h);
    return img;
}

static void image_free(image_t *img)
{
    free(img->cur);
    free(img->next);
    free(img);
}

/* discs, bars and a ramp, grey levels 0..255, plus noise of +-30 */
static void test_card(image_t *img)
{
    unsigned rng = 42;
    for (int y = 0; y < img->h; y++) {
        for (int x = 0; x < img->w; x++) {
            float fx = (float)x / img->w, fy = (float)y / img->h;
            float v = 60.0f + 80.0f * fx;
            if ((fx - 0.3f) * (fx - 0.3f) + (fy - 0.35f) * (fy - 0.35f) < 0.04f)
                v = 210.0f;
            if ((fx - 0.36f) * (fx - 0.36f) + (fy - 0.35f) * (fy - 0.35f) < 0.006f)
                v = 110.0f;
            if (fx > 0.6f && fx < 0.92f && fy < 0.5f && fy > 0.1f)
                v = (int)(fx * 40.0f) % 2 ? 190.0f : 40.0f;
            if (fy > 0.65f && fy < 0.9f && fabsf(fx - 0.5f) < 0.9f * (fy - 0.65f))
                v = 240.0f;
            rng = rng * 1664525u + 1013904223u;
            v += ((rng >> 16) % 6001) / 100.0f - 30.0f;
            img->cur[y * img->w + x] = v;
        }
    }
}

static inline float conductance(float d, float k)
{
    float q = d / k;
    return 1.0f / (1.0f + q * q);
}

static void diffuse(image_t *img, float lambda, float kappa)
{
    const int w = img->w, h = img->h;
    const float *in = img->cur;
    float *out = img->next;

#pragma omp parallel for
    for (int y = 0; y < h; y++) {
        for (int x = 0; x < w; x++) {
            int k = y * w + x;
            int up = y > 0 ? k - w : k;
            int down = y < h - 1 ? k + w : k;
            int left = x > 0 ? k - 1 : k;
            int right = x < w - 1 ? k + 1 : k;

            float dn = in[up] - in[k];
            float ds = in[down] - in[k];
            float dw = in[left] - in[k];
            float de = in[right] - in[k];

            out[k] = in[k] + lambda * (conductance(dn, kappa) * dn + conductance(ds, kappa) * ds
                                     + conductance(dw, kappa) * dw + conductance(de, kappa) * de);
        }
    }
}

static int save_pgm(const char *name, const float *a, int w, int h)
{
    FILE *fp = fopen(name, "wb");
    if (!fp)
        return -1;
    int s = ((w > h ? w : h) + 399) / 400;
    float lo = a[0], hi = a[0];
    for (int k = 0; k < w * h; k++) {
        lo = fminf(lo, a[k]);
        hi = fmaxf(hi, a[k]);
    }
    fprintf(fp, "P5\n%d %d\n255\n", (w + s - 1) / s, (h + s - 1) / s);
    for (int y = 0; y < h; y += s)
        for (int x = 0; x < w; x += s)
            fputc(hi > lo ? (int)(255.0f * (a[y * w + x] - lo) / (hi - lo)) : 0, fp);
    return fclose(fp);
}

int main(int argc, char **argv)
{
    int size = argc > 1 ? atoi(argv[1]) : 400;
    int niter = argc > 2 ? atoi(argv[2]) : 60;
    const float lambda = 0.2f, kappa = 18.0f;

    image_t *img = image_new(size, size);
    test_card(img);

#pragma scop
    for (int it = 0; it < niter; it++) {
        diffuse(img, lambda, kappa);
        float *tmp = img->cur;
        img->cur = img->next;
        img->next = tmp;
    }
#pragma endscop

    double sum = 0.0, sq = 0.0;
    for (int k = 0; k < img->w * img->h; k++) {
        sum += img->cur[k];
        sq += (double)img->cur[k] * img->cur[k];
    }
    double mean = sum / (img->w * img->h);
    printf("%dx%d, %d iterations, K=%g: mean %.17g variance %.17g\n", img->w, img->h, niter,
           kappa, mean, sq / (img->w * img->h) - mean * mean);
    if (argc > 3 && save_pgm(argv[3], img->cur, img->w, img->h) != 0) {
        perror(argv[3]);
        return 1;
    }
    image_free(img);
    return 0;
}
