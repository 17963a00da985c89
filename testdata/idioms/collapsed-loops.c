// Loops over all elements of arrays with one subscript, beside loops over rows.
// RUN 0 5 7 | 1 7 7 | 6 5 3 | 3 30 41 | 2 0 9 | 5 33 1 | 4 13 17
#include <stdio.h>
#include <stdlib.h>

/* dst += a * src, for n elements. */
static void axpy(double *dst, const double *src, double a, long n)
{
  for (long i = 0; i < n; i++)
    dst[i] += a * src[i];
}

static void run(int T, int n, int m, double *restrict u, double *restrict r, float *restrict heat)
{
  const int size = n * m;
  int k;
#pragma scop
  for (int t = 0; t < T; t++) {
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < m - 1; j++)
        r[i * m + j] = u[(i - 1) * m + j] + u[(i + 1) * m + j] + u[i * m + j - 1] + u[i * m + j + 1] - 4.0 * u[i * m + j];
    for (k = 0; k < size; ++k)
      if (r[k] > 2.0)
        heat[k] = 0.5f * heat[k] + (float)r[k];
      else
        heat[k] *= 0.25f;
    axpy(u, r, 0.125, (long)n * m);
  }
#pragma endscop
}

int main(int argc, char **argv)
{
  int T = argc > 1 ? atoi(argv[1]) : 3, n = argc > 2 ? atoi(argv[2]) : 4, m = argc > 3 ? atoi(argv[3]) : 4;
  size_t size = (size_t)n * m + 1;
  double *u = malloc(sizeof(double) * size), *r = malloc(sizeof(double) * size);
  float *heat = malloc(sizeof(float) * size);
  for (int i = 0; i < n * m; i++)
    u[i] = i * 7 % 11, r[i] = i * 5 % 13, heat[i] = i % 3;
  run(T, n, m, u, r, heat);
  printf("%d elements\n", n * m);
  for (int i = 0; i < n * m; i++)
    printf("%a %a %a\n", u[i], r[i], heat[i]);
  return 0;
}
