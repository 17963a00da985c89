/* The program of kernels/gradient-2d.c in diamond tiles. */
#include <math.h>
#define R 1

static void row(long n, long t, double *p, long i, long lo, long hi)
{
  const double *a = p + t % 2 * n * n + i * n;
  double *b = p + (t + 1) % 2 * n * n + i * n;
#pragma omp simd
  for (long j = lo; j <= hi; j++) {
    const double c = a[j], up = c - a[j - n], down = c - a[j + n], left = c - a[j - 1], right = c - a[j + 1];
    b[j] = c + 1.0 / sqrt(0.5 + up * up + down * down + left * left + right * right);
  }
}

#include "diamond-2d.h"
