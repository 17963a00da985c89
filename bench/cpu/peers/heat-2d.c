/* The program of kernels/heat-2d.c in diamond tiles. */
#define R 1

static void row(long n, long t, double *p, long i, long lo, long hi)
{
  const double *a = p + t % 2 * n * n + i * n;
  double *b = p + (t + 1) % 2 * n * n + i * n;
#pragma omp simd
  for (long j = lo; j <= hi; j++)
    b[j] = 0.125 * (a[j + n] - 2.0 * a[j] + a[j - n]) + 0.125 * (a[j + 1] - 2.0 * a[j] + a[j - 1]) +
           0.0625 * (a[j + n + 1] + a[j + n - 1] + a[j - n + 1] + a[j - n - 1] - 4.0 * a[j]) + a[j];
}

#include "diamond-2d.h"
