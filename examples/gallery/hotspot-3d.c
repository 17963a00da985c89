/*
 * Heat in a 3-D stacked chip: nz thin silicon layers, each with its own power
 * map, cooled through the top and bottom.  Explicit finite differences of
 *     Cap dT/dt = P + sum over the six neighbours (T_nb - T)/R + (T_amb - T)/Rz
 * with no flux over the outer faces (the neighbour there is the cell itself).
 *
 * Usage: hotspot-3d [n] [steps] [picture.pgm]
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#pragma GCC diagnostic ignored "-Wunknown-pragmas"

#define MAX_PD       (3.0e6)
#define PRECISION    0.01
#define SPEC_HEAT_SI 1.75e6
#define K_SI         100
#define FACTOR_CHIP  0.5

static const float t_chip = 0.0005;
static const float chip_height = 0.016;
static const float chip_width = 0.016;
static const float amb_temp = 80.0;

/* Returns where the last temperatures are: in tIn or in tOut. */
static float *compute_temp(float *pIn, float *tIn, float *tOut, int nx, int ny, int nz,
                           float Cap, float Rx, float Ry, float Rz, float dt, int numiter)
{
    float ce, cw, cn, cs, ct, cb, cc;
    float stepDivCap = dt / Cap;
    ce = cw = stepDivCap / Rx;
    cn = cs = stepDivCap / Ry;
    ct = cb = stepDivCap / Rz;
    cc = 1.0f - (2.0f * ce + 2.0f * cn + 3.0f * ct);

    int i = 0;
#pragma scop
    do {
#pragma omp parallel for
        for (int z = 0; z < nz; z++) {
            for (int y = 0; y < ny; y++) {
                for (int x = 0; x < nx; x++) {
                    int c, w, e, n, s, b, t;
                    c = x + y * nx + z * nx * ny;
                    w = (x == 0)      ? c : c - 1;
                    e = (x == nx - 1) ? c : c + 1;
                    n = (y == 0)      ? c : c - nx;
                    s = (y == ny - 1) ? c : c + nx;
                    b = (z == 0)      ? c : c - nx * ny;
                    t = (z == nz - 1) ? c : c + nx * ny;
                    tOut[c] = cc * tIn[c] + cw * tIn[w] + ce * tIn[e] + cs * tIn[s]
                            + cn * tIn[n] + cb * tIn[b] + ct * tIn[t]
                            + stepDivCap * pIn[c] + ct * amb_temp;
                }
            }
        }
        float *temp = tIn;
        tIn = tOut;
        tOut = temp;
        i++;
    } while (i < numiter);
#pragma endscop

    return tIn;
}

static void write_layer(const char *name, const float *t, int nx, int ny)
{
    int s = ((nx > ny ? nx : ny) + 399) / 400;
    float lo = t[0], hi = t[0];
    FILE *fp = fopen(name, "wb");
    if (!fp) {
        perror(name);
        exit(1);
    }
    for (int c = 0; c < nx * ny; c++) {
        lo = fminf(lo, t[c]);
        hi = fmaxf(hi, t[c]);
    }
    fprintf(fp, "P5\n%d %d\n255\n", (nx + s - 1) / s, (ny + s - 1) / s);
    for (int y = 0; y < ny; y += s)
        for (int x = 0; x < nx; x += s)
            fputc(hi > lo ? (int)(255.0f * (t[y * nx + x] - lo) / (hi - lo)) : 0, fp);
    fclose(fp);
}

int main(int argc, char **argv)
{
    int nx = argc > 1 ? atoi(argv[1]) : 200, ny = nx, nz = 8;
    int steps = argc > 2 ? atoi(argv[2]) : 120;
    if (nx < 2 || steps < 1) {
        fprintf(stderr, "usage: %s [n] [steps] [picture.pgm]\n", argv[0]);
        return 1;
    }

    float dx = chip_height / nx, dy = chip_width / ny, dz = t_chip / nz;
    float Cap = FACTOR_CHIP * SPEC_HEAT_SI * t_chip * dx * dy;
    float Rx = dy / (2.0 * K_SI * t_chip * dx);
    float Ry = dx / (2.0 * K_SI * t_chip * dy);
    float Rz = dz / (K_SI * dx * dy);
    float max_slope = MAX_PD / (FACTOR_CHIP * t_chip * SPEC_HEAT_SI);
    float dt = fminf(PRECISION / max_slope, 0.2f * Cap * Rx);   /* stability */

    int size = nx * ny * nz;
    float *power = calloc(size, sizeof(float));
    float *temp = malloc(size * sizeof(float));
    float *result = malloc(size * sizeof(float));
    if (!power || !temp || !result)
        return 1;

    /* rows of functional units with pseudo-random activity in every layer */
    unsigned seed = 7;
    for (int z = 0; z < nz; z++)
        for (int q = 0; q < 24; q++) {
            int rnd[5];
            for (int m = 0; m < 5; m++) {
                seed = seed * 1103515245u + 12345u;
                rnd[m] = (seed >> 16) & 1023;
            }
            int x0 = rnd[0] * nx / 1024, x1 = x0 + 1 + rnd[2] * nx / 5000;
            int y0 = rnd[1] * ny / 1024, y1 = y0 + 1 + rnd[3] * ny / 5000;
            for (int y = y0; y < y1 && y < ny; y++)
                for (int x = x0; x < x1 && x < nx; x++)
                    power[(z * ny + y) * nx + x] = rnd[4] / 1023.0 * MAX_PD * dx * dy;
        }
    for (int c = 0; c < size; c++)
        temp[c] = amb_temp;
    memcpy(result, temp, size * sizeof(float));

    float *t = compute_temp(power, temp, result, nx, ny, nz, Cap, Rx, Ry, Rz, dt, steps);

    double sum = 0.0;
    float peak = t[0];
    for (int c = 0; c < size; c++) {
        sum += t[c];
        peak = fmaxf(peak, t[c]);
    }
    printf("%dx%dx%d after %d steps (%g s)\n", nx, ny, nz, steps, steps * dt);
    printf("mean %.17g, peak %.9g\n", sum / size, peak);

    if (argc > 3)
        write_layer(argv[3], t + (nz / 2) * nx * ny, nx, ny);
    free(power);
    free(temp);
    free(result);
    return 0;
}
