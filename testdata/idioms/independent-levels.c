// A stencil over planes on several levels that do not touch each other, as layers of an atmosphere or a batch of images.
// RUN 0 5 | 1 7 | 6 3 | 3 30 | 2 2 | 5 4
#include <stdio.h>
#include <stdlib.h>

static double next(void)
{
  static unsigned long s = 12345;
  s = s * 6364136223846793005ul + 1442695040888963407ul;
  return (double)(s >> 33) / (1ul << 31);
}

static void step(int T, int n, double A[restrict 2][5][n][n])
{
#pragma scop
  for (int t = 0; t < T; t++)
    for (int k = 0; k < 5; k++)
      for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++)
          A[(t + 1) % 2][k][i][j] = 0.2 * (A[t % 2][k][i][j] + A[t % 2][k][i - 1][j] + A[t % 2][k][i + 1][j] + A[t % 2][k][i][j - 1] + A[t % 2][k][i][j + 1]);
#pragma endscop
}

int main(int argc, char **argv)
{
  int T = argc > 1 ? atoi(argv[1]) : 3, n = argc > 2 ? atoi(argv[2]) : 4;
  double *a = malloc(sizeof(double) * (10 * n * n));
  for (int i = 0; i < 10 * n * n; i++)
    a[i] = next();
  step(T, n, (double (*)[5][n][n])a);
  for (int i = 0; i < 10 * n * n; i++)
    printf("%a\n", a[i]);
  return 0;
}
