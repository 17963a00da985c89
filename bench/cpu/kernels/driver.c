/* Runs the original and the tiled program by turns on equal grids, and with -DPEER the program in diamond tiles of several sizes; compares
   all elements bit for bit, and prints the seconds of each run on one line. Arguments: n, T, elements of all arrays, runs, and sizes of
   diamond tiles, such as 32,8,512. */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

void original(long n, long T, double *p);
void tiled(long n, long T, double *p);
#ifdef PEER
void diamond(long n, long T, double *p, const long *size);
#endif

static double now(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec + 1e-9 * t.tv_nsec;
}

static double *grid(long size)
{
  double *p = aligned_alloc(4096, (size * sizeof *p + 4095) / 4096 * 4096);
  if (!p) {
    fprintf(stderr, "no memory for %ld bytes\n", size * 8);
    exit(2);
  }
  return p;
}

static void fill(double *p, long n, long size)
{
#pragma omp parallel for
  for (long i = 0; i < size; i++)
    p[i] = (i * 7 % 1013) * 0x1p-10 + (i / n % 97) * 0x1p-7;
}

int main(int argc, char **argv)
{
  if (argc < 5)
    return 2;
  long n = atol(argv[1]), T = atol(argv[2]), size = atol(argv[3]), runs = atol(argv[4]);
  double *a = grid(size), *b = grid(size);
  for (long r = 0; r < runs; r++) {
    fill(a, n, size);
    fill(b, n, size);
    double start = now();
    original(n, T, a);
    double middle = now();
    tiled(n, T, b);
    double end = now();
    if (memcmp(a, b, size * sizeof *a)) {
      fprintf(stderr, "results differ\n");
      return 3;
    }
    printf("%.6f %.6f", middle - start, end - middle);
#ifdef PEER
    for (int k = 5; k < argc; k++) {
      long sizes[3] = {0};
      sscanf(argv[k], "%ld,%ld,%ld", sizes, sizes + 1, sizes + 2);
      fill(b, n, size);
      start = now();
      diamond(n, T, b, sizes);
      end = now();
      if (memcmp(a, b, size * sizeof *a)) {
        fprintf(stderr, "results in diamond tiles differ\n");
        return 3;
      }
      printf(" %.6f", end - start);
    }
#endif
    printf("\n");
    fflush(stdout);
  }
  return 0;
}
