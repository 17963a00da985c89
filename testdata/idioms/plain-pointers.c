// Pointers without restrict: that the arrays do not overlap is tested when the program runs.
// RUN 0 5 | 3 7 | 6 3 | 5 24 | 4 9 | 2 2
#include <stdio.h>
#include <stdlib.h>

static void relax(int n, int m, int steps, double *a, double *b, const double *k)
{
#pragma scop
  for (int t = 0; t < steps; t++) {
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < m - 1; j++)
        b[i * m + j] = a[i * m + j] + k[i * m + j] * (a[i * m + j - 1] + a[i * m + j + 1] + a[(i - 1) * m + j] + a[(i + 1) * m + j] - 4 * a[i * m + j]);
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < m - 1; j++)
        a[i * m + j] = b[i * m + j];
  }
#pragma endscop
}

int main(int argc, char **argv)
{
  int steps = argc > 1 ? atoi(argv[1]) : 3, n = argc > 2 ? atoi(argv[2]) : 8, apart = n * n;
  double *block = malloc(3 * (apart + n * n) * sizeof *block);
  for (int i = 0; i < 3 * (apart + n * n); i++)
    block[i] = (i * 7 % 13) * 0.25;
  relax(n, n, steps, block, block + apart, block + 2 * (apart + n * n));
  for (int i = 0; i < 3 * (apart + n * n); i++)
    printf("%a\n", block[i]);
  free(block);
  return 0;
}
