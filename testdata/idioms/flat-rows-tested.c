// Rows of m elements of which n are used: that they fit is tested when the program runs.
// RUN 2 5 9 | 3 7 9 | 5 40 39 | 5 40 20 | 4 9 5
// VIOLATED m >= n
#include <stdio.h>
#include <stdlib.h>

static double next(void)
{
  static unsigned long s = 12345;
  s = s * 6364136223846793005ul + 1442695040888963407ul;
  return (double)(s >> 33) / (1ul << 31);
}

static void step(int T, int n, int m, double *restrict a, double *restrict b)
{
#pragma scop
  for (int t = 0; t < T; t++) {
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        b[i * m + j] = 0.25 * (a[(i - 1) * m + j] + a[(i + 1) * m + j] + a[i * m + j + 1] + a[i * m + j - 1]);
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        a[i * m + j] = b[i * m + j];
  }
#pragma endscop
}

int main(int argc, char **argv)
{
  int T = argc > 1 ? atoi(argv[1]) : 3, n = argc > 2 ? atoi(argv[2]) : 4, m = argc > 3 ? atoi(argv[3]) : 4;
  long cells = (long)n * (m > n ? m : n);
  double *a = malloc(sizeof(double) * cells), *b = malloc(sizeof(double) * cells);
  for (long i = 0; i < cells; i++)
    a[i] = next(), b[i] = next();
  step(T, n, m, a, b);
  for (long i = 0; i < cells; i++)
    printf("%a %a\n", a[i], b[i]);
  return 0;
}
