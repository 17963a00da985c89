/*
 * Speckle reducing anisotropic diffusion (Yu and Acton, 2002) for ultrasonic and
 * radar images:  dJ/dt = div( c(q) grad J ), where the diffusion coefficient c
 * depends on the instantaneous coefficient of variation q and is close to zero
 * at edges.  The speckle scale q0 is given (from a homogeneous region).
 *
 * Usage: srad [n] [iterations] [picture.pgm]
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#pragma GCC diagnostic ignored "-Wunknown-pragmas"

static void *alloc(size_t n, size_t size)
{
    void *p = calloc(n, size);
    if (!p) {
        fprintf(stderr, "out of memory\n");
        exit(1);
    }
    return p;
}

/* Test image: dark cyst, bright ring and wedge in tissue, with speckle. */
static void phantom(float *J, int rows, int cols)
{
    unsigned seed = 2463534242u;
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < cols; j++) {
            float y = (float)i / rows, x = (float)j / cols, v = 0.45f, s = 0.0f;
            float r1 = hypotf(x - 0.32f, y - 0.35f), r2 = hypotf(x - 0.68f, y - 0.6f);
            if (r1 < 0.18f) v = 0.12f;
            if (r2 < 0.2f && r2 > 0.12f) v = 0.9f;
            if (y > 0.7f && x < 0.45f && x > 1.1f - y) v = 0.75f;
            for (int m = 0; m < 4; m++) {
                seed ^= seed << 13;
                seed ^= seed >> 17;
                seed ^= seed << 5;
                s += (seed >> 8) / 16777216.0f;
            }
            J[i * cols + j] = expf(v * (1.0f + 0.35f * (s - 2.0f)));
        }
}

int main(int argc, char *argv[])
{
    int rows, cols, size, niter, iter, i, j, k;
    float q0sqr = 0.003f, lambda = 0.5f;
    float Jc, G2, L, num, den, qsqr, cN, cS, cW, cE, D;
    float *J, *c, *dN, *dS, *dW, *dE;
    int *iN, *iS, *jW, *jE;

    rows = cols = argc > 1 ? atoi(argv[1]) : 384;
    niter = argc > 2 ? atoi(argv[2]) : 100;
    if (rows < 2 || niter < 0) {
        fprintf(stderr, "usage: %s [n] [iterations] [picture.pgm]\n", argv[0]);
        return 1;
    }
    size = rows * cols;

    J = alloc(size, sizeof(float));
    c = alloc(size, sizeof(float));
    dN = alloc(size, sizeof(float)), dS = alloc(size, sizeof(float));
    dW = alloc(size, sizeof(float)), dE = alloc(size, sizeof(float));
    iN = alloc(rows, sizeof(int)), iS = alloc(rows, sizeof(int));
    jW = alloc(cols, sizeof(int)), jE = alloc(cols, sizeof(int));

    for (i = 0; i < rows; i++) {
        iN[i] = i - 1;
        iS[i] = i + 1;
    }
    for (j = 0; j < cols; j++) {
        jW[j] = j - 1;
        jE[j] = j + 1;
    }
    iN[0] = 0;
    iS[rows - 1] = rows - 1;
    jW[0] = 0;
    jE[cols - 1] = cols - 1;

    phantom(J, rows, cols);

#pragma scop
    for (iter = 0; iter < niter; iter++) {

#pragma omp parallel for private(j, k, Jc, G2, L, num, den, qsqr)
        for (i = 0; i < rows; i++) {
            for (j = 0; j < cols; j++) {
                k = i * cols + j;
                Jc = J[k];

                /* directional derivatives */
                dN[k] = J[iN[i] * cols + j] - Jc;
                dS[k] = J[iS[i] * cols + j] - Jc;
                dW[k] = J[i * cols + jW[j]] - Jc;
                dE[k] = J[i * cols + jE[j]] - Jc;

                G2 = (dN[k] * dN[k] + dS[k] * dS[k] + dW[k] * dW[k] + dE[k] * dE[k]) / (Jc * Jc);
                L = (dN[k] + dS[k] + dW[k] + dE[k]) / Jc;

                num = (0.5f * G2) - ((1.0f / 16.0f) * (L * L));
                den = 1.0f + 0.25f * L;
                qsqr = num / (den * den);

                /* diffusion coefficient, saturated to [0, 1] */
                den = (qsqr - q0sqr) / (q0sqr * (1.0f + q0sqr));
                c[k] = 1.0f / (1.0f + den);
                if (c[k] < 0)
                    c[k] = 0;
                else if (c[k] > 1)
                    c[k] = 1;
            }
        }

#pragma omp parallel for private(j, k, cN, cS, cW, cE, D)
        for (i = 0; i < rows; i++) {
            for (j = 0; j < cols; j++) {
                k = i * cols + j;
                cN = c[k];
                cS = c[iS[i] * cols + j];
                cW = c[k];
                cE = c[i * cols + jE[j]];

                D = cN * dN[k] + cS * dS[k] + cW * dW[k] + cE * dE[k];
                J[k] = J[k] + 0.25f * lambda * D;
            }
        }
    }
#pragma endscop

    double sum = 0.0, sum2 = 0.0, lo = 1e30, hi = -1e30;
    for (k = 0; k < size; k++) {
        double I = log(J[k]);
        sum += J[k];
        sum2 += (double)J[k] * J[k];
        lo = fmin(lo, I);
        hi = fmax(hi, I);
    }
    double mean = sum / size;
    printf("%d x %d, %d iterations\n", rows, cols, niter);
    printf("mean %.17g, coefficient of variation %.17g\n", mean, sqrt(sum2 / size - mean * mean) / mean);

    if (argc > 3) {
        int s = (cols + 399) / 400;
        FILE *fp = fopen(argv[3], "wb");
        if (!fp)
            return 1;
        fprintf(fp, "P5\n%d %d\n255\n", (cols + s - 1) / s, (rows + s - 1) / s);
        for (i = 0; i < rows; i += s)
            for (j = 0; j < cols; j += s)
                fputc((int)(255.0 * (log(J[i * cols + j]) - lo) / (hi - lo)), fp);
        fclose(fp);
    }
    free(J); free(c); free(dN); free(dS); free(dW); free(dE);
    free(iN); free(iS); free(jW); free(jE);
    return 0;
}
