/* The program of kernels/jacobi-3d.c in diamond tiles. */
#define R 1

static void row(long n, long t, double *p, long i, long j, long lo, long hi)
{
  const double *a = p + t % 2 * n * n * n + (i * n + j) * n;
  double *b = p + (t + 1) % 2 * n * n * n + (i * n + j) * n;
#pragma omp simd
  for (long k = lo; k <= hi; k++)
    b[k] = (a[k - n * n] + a[k + n * n] + a[k - n] + a[k + n] + a[k - 1] + a[k + 1]) / 6.0;
}

#include "diamond-3d.h"
