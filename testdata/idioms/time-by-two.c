// Two steps written out in one body, and a time loop in steps of two.
// RUN 0 5 | 1 7 | 6 30 | 13 40 | 2 1 | 5 90
#include <stdio.h>
#include <stdlib.h>

static double next(void)
{
  static unsigned long s = 12345;
  s = s * 6364136223846793005ul + 1442695040888963407ul;
  return (double)(s >> 33) / (1ul << 31);
}

static void run(int n, long T, double a[restrict n][5], double b[restrict n][5])
{
#pragma scop
  for (long t = 1; t <= T; t += 2) {
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < 4; j++)
        b[i][j] = 0.2 * (a[i][j] + a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1]);
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < 4; j++)
        a[i][j] = 0.2 * (b[i][j] + b[i - 1][j] + b[i + 1][j] + b[i][j - 1] + b[i][j + 1]) + t;
  }
#pragma endscop
}

int main(int argc, char **argv)
{
  int T = argc > 1 ? atoi(argv[1]) : 5, n = argc > 2 ? atoi(argv[2]) : 20;
  double(*a)[5] = malloc(n * sizeof *a), (*b)[5] = malloc(n * sizeof *b);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < 5; j++) {
      a[i][j] = next();
      b[i][j] = next();
    }
  run(n, T, a, b);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < 5; j++)
      printf("%a %a\n", a[i][j], b[i][j]);
  free(a);
  free(b);
  return 0;
}
