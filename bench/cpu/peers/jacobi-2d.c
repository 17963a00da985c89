/* The program of kernels/jacobi-2d.c in diamond tiles. */
#define R 1

static void row(long n, long t, double *p, long i, long lo, long hi)
{
  const double *a = p + t % 2 * n * n + i * n;
  double *b = p + (t + 1) % 2 * n * n + i * n;
#pragma omp simd
  for (long j = lo; j <= hi; j++)
    b[j] = 0.2 * (a[j] + a[j - 1] + a[j + 1] + a[j + n] + a[j - n]);
}

#include "diamond-2d.h"
