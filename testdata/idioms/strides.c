// Strides that the function computes before the region, and sizes without a sign.
// RUN 0 5 7 4 | 1 7 7 3 | 3 5 3 9 | 3 12 11 13 | 2 3 9 5 | 2 1 1 1 | 4 3 4 7
#include <stdio.h>
#include <stdlib.h>

static void step(int T, size_t nz, size_t ny, size_t nx, double *restrict phi, double *restrict lap)
{
  const size_t sx = 1, sy = nx, sz = nx * ny;
#pragma scop
  for (int t = 0; t < T; t++) {
    for (size_t z = 1; z < nz - 1; z++)
      for (size_t y = 1; y < ny - 1; y++)
        for (size_t x = 1; x < nx - 1; x++) {
          const size_t k = z * sz + y * sy + x * sx;
          lap[k] = phi[k - sx] + phi[k + sx] + phi[k - sy] + phi[k + sy] + phi[k - sz] + phi[k + sz] - 6 * phi[k];
        }
    for (size_t z = 1; z < nz - 1; z++)
      for (size_t y = 1; y < ny - 1; y++)
        for (size_t x = 1; x < nx - 1; x++) {
          size_t k = z * sz + y * sy + x;
          phi[k] += 0.125 * lap[k];
        }
  }
#pragma endscop
}

int main(int argc, char **argv)
{
  int T = argc > 1 ? atoi(argv[1]) : 3, n = argc > 2 ? atoi(argv[2]) : 4, m = argc > 3 ? atoi(argv[3]) : 4, l = argc > 4 ? atoi(argv[4]) : 4;
  if (n < 1 || m < 1 || l < 1)
    return 1;
  long cells = (long)n * m * l;
  double *a = malloc(sizeof(double) * cells), *b = malloc(sizeof(double) * cells);
  for (long i = 0; i < cells; i++)
    a[i] = i * 7 % 11, b[i] = i * 5 % 13;
  step(T, n, m, l, a, b);
  for (long i = 0; i < cells; i++)
    printf("%a %a\n", a[i], b[i]);
  return 0;
}
