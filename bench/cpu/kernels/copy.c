/* Prints the bytes per second that b[i] = c * a[i] moves between memory and all
   cores on arrays far larger than the caches: a read, b read before it is written
   and written back, 24 bytes for an element. The best of 10. */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double now(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec + 1e-9 * t.tv_nsec;
}

int main(void)
{
  long n = 32L << 20;
  double *a = aligned_alloc(4096, n * sizeof *a), *b = aligned_alloc(4096, n * sizeof *b), best = 1e9;
  if (!a || !b)
    return 2;
#pragma omp parallel for
  for (long i = 0; i < n; i++)
    a[i] = i, b[i] = 0;
  for (int r = 0; r < 10; r++) {
    double start = now();
#pragma omp parallel for
    for (long i = 0; i < n; i++)
      b[i] = 0.5 * a[i];
    double took = now() - start;
    best = took < best ? took : best;
  }
  printf("%.0f\n", n * 24 / best);
  return b[n / 2] != 0.5 * a[n / 2];
}
