/* The program of kernels/heat-3d.c in diamond tiles. */
#define R 1

static void row(long n, long t, double *p, long i, long j, long lo, long hi)
{
  const double *a = p + t % 2 * n * n * n + (i * n + j) * n;
  double *b = p + (t + 1) % 2 * n * n * n + (i * n + j) * n;
#pragma omp simd
  for (long k = lo; k <= hi; k++)
    b[k] = 0.125 * (a[k + n * n] - 2.0 * a[k] + a[k - n * n]) + 0.125 * (a[k + n] - 2.0 * a[k] + a[k - n]) +
           0.125 * (a[k + 1] - 2.0 * a[k] + a[k - 1]) + a[k];
}

#include "diamond-3d.h"
