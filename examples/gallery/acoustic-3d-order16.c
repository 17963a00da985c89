/*
 * acoustic-3d-order16: isotropic acoustic propagation in 3-D, constant
 * density, as in the finite difference kernel of reverse time migration,
 *
 *     next = 2 prev - next + v^2 dt^2 Laplacian(prev),
 *
 * with a 49-point Laplacian of order 16 (half length 8), single precision,
 * two wave fields in ping-pong, halo of 8 points around the n^3 interior.
 * The velocity cube has three dipping layers.
 *
 * Usage: acoustic-3d-order16 [n] [steps] [picture.pgm]
 */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HALF_LENGTH 8

/* second derivative, order 16, for unit spacing */
static const float fd_coeff[HALF_LENGTH + 1] = {
    -3.054844110f,      1.777777778f,      -0.311111111f,
     0.0754208754f,    -0.0176767677f,      0.00348096348f,
    -0.000518000518f,   0.0000507429079f,  -0.00000242812743f,
};

static void iso_3dfd_it(float *ptr_next, float *ptr_prev, float *ptr_vel, float *coeff,
                        const int64_t n1, const int64_t n2, const int64_t n3)
{
    const int64_t dimn1n2 = n1 * n2;

#pragma omp parallel for collapse(2) schedule(static)
    for (int64_t iz = HALF_LENGTH; iz < n3 - HALF_LENGTH; iz++) {
        for (int64_t iy = HALF_LENGTH; iy < n2 - HALF_LENGTH; iy++) {
            for (int64_t ix = HALF_LENGTH; ix < n1 - HALF_LENGTH; ix++) {
                int64_t offset = iz * dimn1n2 + iy * n1 + ix;
                float value = ptr_prev[offset] * coeff[0];
                for (int64_t ir = 1; ir <= HALF_LENGTH; ir++) {
                    value += coeff[ir] * (ptr_prev[offset + ir] + ptr_prev[offset - ir]);
                    value += coeff[ir] * (ptr_prev[offset + ir * n1] + ptr_prev[offset - ir * n1]);
                    value += coeff[ir] * (ptr_prev[offset + ir * dimn1n2] + ptr_prev[offset - ir * dimn1n2]);
                }
                ptr_next[offset] = 2.0f * ptr_prev[offset] - ptr_next[offset] + value * ptr_vel[offset];
            }
        }
    }
}

static void initialize(float *prev, float *next, float *vel, int64_t n1, int64_t n2, int64_t n3,
                       float dt, float h)
{
    const int64_t dimn1n2 = n1 * n2;
    const float width = 2.2f;

    memset(prev, 0, n3 * dimn1n2 * sizeof(float));
    memset(next, 0, n3 * dimn1n2 * sizeof(float));
    for (int64_t i = 0; i < n3; i++)
        for (int64_t j = 0; j < n2; j++)
            for (int64_t k = 0; k < n1; k++) {
                float depth = (float)i / n3 + 0.2f * (float)k / n1;
                float v = depth < 0.5f ? 1800.0f : depth < 0.7f ? 2400.0f : 3000.0f;
                vel[i * dimn1n2 + j * n1 + k] = v * v * dt * dt / (h * h);
            }
    /* initial disturbance in the upper part of the interior */
    for (int64_t i = HALF_LENGTH; i < n3 - HALF_LENGTH; i++)
        for (int64_t j = HALF_LENGTH; j < n2 - HALF_LENGTH; j++)
            for (int64_t k = HALF_LENGTH; k < n1 - HALF_LENGTH; k++) {
                float dz = i - n3 / 3, dy = j - n2 / 2, dx = k - n1 / 2;
                float r2 = (dx * dx + dy * dy + dz * dz) / (width * width);
                prev[i * dimn1n2 + j * n1 + k] = (1.0f - r2) * expf(-r2);
                next[i * dimn1n2 + j * n1 + k] = (1.0f - r2) * expf(-r2);
            }
}

/* vertical section through the middle */
static void write_section(const char *name, const float *p, int64_t n1, int64_t n2, int64_t n3)
{
    const int64_t h = HALF_LENGTH, wx = n1 - 2 * h, wz = n3 - 2 * h;
    const int64_t w = wx < 400 ? wx : 400, d = wz < 400 ? wz : 400;
    const float *plane = p + n2 / 2 * n1;
    float lo = 0.0f, hi = 0.0f;

    for (int64_t i = h; i < n3 - h; i++)
        for (int64_t k = h; k < n1 - h; k++) {
            lo = fminf(lo, plane[i * n1 * n2 + k]);
            hi = fmaxf(hi, plane[i * n1 * n2 + k]);
        }
    FILE *f = fopen(name, "wb");
    if (!f) {
        perror(name);
        exit(1);
    }
    fprintf(f, "P5\n%d %d\n255\n", (int)w, (int)d);
    for (int64_t i = 0; i < d; i++)
        for (int64_t k = 0; k < w; k++) {
            float v = plane[(h + i * wz / d) * n1 * n2 + h + k * wx / w];
            fputc(hi > lo ? (int)(255.0f * (v - lo) / (hi - lo)) : 0, f);
        }
    fclose(f);
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 48;
    int nreps = argc > 2 ? atoi(argv[2]) : 36;
    if (n < 1) {
        fprintf(stderr, "usage: %s [n] [steps] [picture.pgm]\n", argv[0]);
        return 1;
    }
    const int64_t n1 = n + 2 * HALF_LENGTH, n2 = n1, n3 = n1;
    const size_t nsize = (size_t)n1 * n2 * n3;
    float coeff[HALF_LENGTH + 1];
    float *prev = malloc(nsize * sizeof(float));
    float *next = malloc(nsize * sizeof(float));
    float *vel = malloc(nsize * sizeof(float));

    if (!prev || !next || !vel) {
        fprintf(stderr, "allocation failed\n");
        return 1;
    }
    for (int ir = 0; ir <= HALF_LENGTH; ir++)
        coeff[ir] = fd_coeff[ir];
    coeff[0] *= 3.0f;                   /* the centre serves x, y and z */
    initialize(prev, next, vel, n1, n2, n3, 0.0013f, 10.0f);

#pragma scop
    for (int it = 0; it < nreps; it++) {
        iso_3dfd_it(next, prev, vel, coeff, n1, n2, n3);
        float *tmp = next;
        next = prev;
        prev = tmp;
    }
#pragma endscop

    double sum = 0.0;
    for (size_t i = 0; i < nsize; i++)
        sum += (double)prev[i] * prev[i];
    printf("acoustic-3d-order16: %d^3, %d steps, L2 norm %.17g\n", n, nreps, sqrt(sum));
    if (argc > 3)
        write_section(argv[3], prev, n1, n2, n3);
    free(prev);
    free(next);
    free(vel);
    return 0;
}
