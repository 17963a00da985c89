// Ghost cells around a grid with its corners, set after each step, and the grid copied back: the nests over rows and columns meet in corners.
// RUN 0 5 | 1 7 | 6 3 | 3 30 | 2 2 | 5 4
#include <stdio.h>
#include <stdlib.h>

static double next(void)
{
  static unsigned long s = 12345;
  s = s * 6364136223846793005ul + 1442695040888963407ul;
  return (double)(s >> 33) / (1ul << 31);
}

static void step(int T, int n, double a[restrict n][n], double b[restrict n][n])
{
#pragma scop
  for (int t = 0; t < T; t++) {
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        b[i][j] = 0.25 * (a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1]);
    for (int i = 1; i < n - 1; i++) {
      b[i][0] = b[i][1];
      b[i][n - 1] = b[i][n - 2];
    }
    for (int j = 0; j < n; j++) {
      b[0][j] = b[1][j];
      b[n - 1][j] = b[n - 2][j];
    }
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        a[i][j] = b[i][j];
  }
#pragma endscop
}

int main(int argc, char **argv)
{
  int T = argc > 1 ? atoi(argv[1]) : 3, n = argc > 2 ? atoi(argv[2]) : 4;
  double *a = malloc(sizeof(double) * (2 * n * n));
  for (int i = 0; i < 2 * n * n; i++)
    a[i] = next();
  step(T, n, (double (*)[n])a, (double (*)[n])(a + n * n));
  for (int i = 0; i < 2 * n * n; i++)
    printf("%a\n", a[i]);
  return 0;
}
