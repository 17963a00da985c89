// Conditions on loop variables and on data, a window of neighbours, functions.
// RUN 0 5 | 1 7 | 6 3 | 3 40 | 2 1 | 5 2
#include <stdio.h>
#include <stdlib.h>

static double next(void)
{
  static unsigned long s = 12345;
  s = s * 6364136223846793005ul + 1442695040888963407ul;
  return (double)(s >> 33) / (1ul << 31);
}

static double distance(double x, double y)
{
  double d = x - y;
  if (d < 0)
    return -d;
  return d;
}

static double around(int n, double A[n][n], int i, int j)
{
  double s = 0;
  for (int di = -1; di <= 1; di++)
    for (int dj = -1; dj <= 1; ++dj) {
      if (di == 0 && dj == 0)
        continue;
      s += A[i + di][j + dj] * (di + 2);
    }
  return s;
}

static void step(int T, int n, double A[restrict n][n], double B[restrict n][n])
{
#pragma scop
  for (int t = 0; t < T; t++) {
    B[0][0] = t * 0.5;
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++) {
        if (i == 0 || i == n - 1 || !(j > 0 && j < n - 1))
          B[i][j] = A[i][j];
        else {
          double s = around(n, A, i, j);
          if (s > 1)
            s = distance(s, A[i][j]);
          else {
            s *= 2;
            s -= 0.25f;
          }
          B[i][j] = s;
          if (s > 3)
            B[i][j] = 3;
        }
      }
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        if (B[i][j] > 0.5 || t % 3 == 1)
          A[i][j] = B[i][j] / 8;
  }
#pragma endscop
}

int main(int argc, char **argv)
{
  int T = argc > 1 ? atoi(argv[1]) : 3, n = argc > 2 ? atoi(argv[2]) : 4;
  double (*a)[n] = malloc(sizeof(double) * n * n), (*b)[n] = malloc(sizeof(double) * n * n);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      a[i][j] = next();
      b[i][j] = next();
    }
  step(T, n, a, b);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      printf("%a %a\n", a[i][j], b[i][j]);
  return 0;
}
