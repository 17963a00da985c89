// Ghost cells around a grid with its corners, in planes that time steps use in turn. A grid of two rows, whose sides
// depend on each other, runs in the original loops.
// RUN 0 5 | 1 7 | 6 3 | 3 30 | 2 2 | 5 4
// VIOLATED n >= 3
#include <stdio.h>
#include <stdlib.h>

static double next(void)
{
  static unsigned long s = 12345;
  s = s * 6364136223846793005ul + 1442695040888963407ul;
  return (double)(s >> 33) / (1ul << 31);
}

static void step(int T, int n, double A[restrict 2][n][n])
{
#pragma scop
  for (int t = 0; t < T; t++) {
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        A[(t + 1) % 2][i][j] = 0.25 * (A[t % 2][i - 1][j] + A[t % 2][i + 1][j] + A[t % 2][i][j - 1] + A[t % 2][i][j + 1]);
    for (int i = 1; i < n - 1; i++) {
      A[(t + 1) % 2][i][0] = A[(t + 1) % 2][i][1];
      A[(t + 1) % 2][i][n - 1] = A[(t + 1) % 2][i][n - 2];
    }
    for (int j = 0; j < n; j++)
      A[(t + 1) % 2][0][j] = A[(t + 1) % 2][1][j];
    for (int j = 0; j < n; j++)
      A[(t + 1) % 2][n - 1][j] = A[(t + 1) % 2][n - 2][j];
  }
#pragma endscop
}

int main(int argc, char **argv)
{
  int T = argc > 1 ? atoi(argv[1]) : 3, n = argc > 2 ? atoi(argv[2]) : 4;
  double *a = malloc(sizeof(double) * (2 * n * n));
  for (int i = 0; i < 2 * n * n; i++)
    a[i] = next();
  step(T, n, (double (*)[n][n])a);
  for (int i = 0; i < 2 * n * n; i++)
    printf("%a\n", a[i]);
  return 0;
}
