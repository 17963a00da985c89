/*
 * Repeated 5x5 binomial blur of an 8-bit grey image, the smoothing filter of
 * the Gaussian pyramid (Burt and Adelson 1983).  The kernel is the outer
 * product of (1 4 6 4 1) with itself, sum 256, so that the result is a shift
 * with rounding.  Each pass adds variance 1; coordinates outside the image are
 * clamped to its border.
 *
 * usage: gaussian-pyramid-blur [size] [passes] [out.pgm]
 */
#include <stdio.h>
#include <stdlib.h>

#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#define CLAMP(v, lo, hi) MIN(MAX(v, lo), hi)

static const int kernel[5][5] = {
    { 1,  4,  6,  4, 1 },
    { 4, 16, 24, 16, 4 },
    { 6, 24, 36, 24, 6 },
    { 4, 16, 24, 16, 4 },
    { 1,  4,  6,  4, 1 },
};

static void blur5x5(const unsigned char *src, unsigned char *dst, int width, int height)
{
#pragma omp parallel for collapse(2) schedule(static)
    for (int y = 0; y < height; y++) {
        for (int x = 0; x < width; x++) {
            int sum = 0;
            for (int dy = -2; dy <= 2; dy++) {
                for (int dx = -2; dx <= 2; dx++) {
                    int yy = CLAMP(y + dy, 0, height - 1);
                    int xx = CLAMP(x + dx, 0, width - 1);
                    sum += kernel[dy + 2][dx + 2] * src[yy * width + xx];
                }
            }
            dst[y * width + x] = (unsigned char)((sum + 128) >> 8);
        }
    }
}

static void draw(unsigned char *img, int width, int height)
{
    for (int y = 0; y < height; y++) {
        for (int x = 0; x < width; x++) {
            int v = 40 + 60 * y / height;
            int cx = x - width / 2, cy = y - height / 2;
            long r2 = (long)cx * cx + (long)cy * cy;
            if (r2 < (long)width * height / 6)
                v = ((x * 12 / width) + (y * 12 / height)) % 2 ? 250 : 5;
            if (r2 < (long)width * height / 30)
                v = (r2 * 200 / ((long)width * height)) % 2 ? 255 : 90;
            if (x * 10 % (width + 3) < 30 && cy > 0)
                v = 230;
            img[y * width + x] = (unsigned char)v;
        }
    }
}

static void write_pgm(const char *path, const unsigned char *img, int width, int height)
{
    int s = (MAX(width, height) + 399) / 400, lo = 255, hi = 0;
    FILE *fp = fopen(path, "wb");
    if (fp == NULL) {
        perror(path);
        exit(1);
    }
    for (int i = 0; i < width * height; i++) {
        lo = MIN(lo, img[i]);
        hi = MAX(hi, img[i]);
    }
    fprintf(fp, "P5\n%d %d\n255\n", (width + s - 1) / s, (height + s - 1) / s);
    for (int y = 0; y < height; y += s)
        for (int x = 0; x < width; x += s)
            fputc(hi > lo ? 255 * (img[y * width + x] - lo) / (hi - lo) : 0, fp);
    fclose(fp);
}

int main(int argc, char **argv)
{
    int size = argc > 1 ? atoi(argv[1]) : 400;
    int passes = argc > 2 ? atoi(argv[2]) : 30;
    unsigned char *img = malloc((size_t)size * size);
    unsigned char *out = malloc((size_t)size * size);
    if (!img || !out) {
        fprintf(stderr, "out of memory\n");
        return 1;
    }
    draw(img, size, size);

#pragma scop
    for (int pass = 0; pass < passes; pass++) {
        blur5x5(img, out, size, size);
        unsigned char *tmp = img;
        img = out;
        out = tmp;
    }
#pragma endscop

    unsigned long sum = 0, hash = 5381;
    for (int i = 0; i < size * size; i++) {
        sum += img[i];
        hash = (hash * 33 + img[i]) & 0xffffffffUL;
    }
    printf("%dx%d, %d passes: mean grey %.17g, checksum %08lx\n", size, size, passes,
           (double)sum / ((double)size * size), hash);
    if (argc > 3)
        write_pgm(argv[3], img, size, size);
    free(img);
    free(out);
    return 0;
}
