/* The program of kernels/acoustic-8.c in diamond tiles. */
#define R 4
#define STAR(d) (u[k - (d) * n * n] + u[k + (d) * n * n] + u[k - (d) * n] + u[k + (d) * n] + u[k - (d)] + u[k + (d)])

static void row(long n, long t, double *p, long i, long j, long lo, long hi)
{
  const long grid = n * n * n, at = (i * n + j) * n;
  const double *u = p + t % 3 * grid + at, *old = p + (t + 2) % 3 * grid + at, *v = p + 3 * grid + at;
  double *next = p + (t + 1) % 3 * grid + at;
#pragma omp simd
  for (long k = lo; k <= hi; k++)
    next[k] = 2.0 * u[k] - old[k] +
              0.1 * v[k] *
                  (-8.541666666666666 * u[k] + 1.6 * STAR(1) - 0.2 * STAR(2) + 0.025396825396825397 * STAR(3) -
                   0.0017857142857142857 * STAR(4));
}

#include "diamond-3d.h"
