// Branches on data and on loop variables around locals and stores, early
// returns, a division under a condition, unsigned values that wrap around.
// RUN 0 5 | 1 7 | 6 3 | 3 30 | 2 1 | 5 2
#include <stdio.h>
#include <stdlib.h>

static double next(void)
{
  static unsigned long s = 12345;
  s = s * 6364136223846793005ul + 1442695040888963407ul;
  return (double)(s >> 33) / (1ul << 31);
}

static double rec(double x, int i)
{
  if (i > 3) {
    double y = x / 3;
    return y > 0 ? y : -y;
  } else if (x > 1)
    return 1;
  return x;
}

static void step(int T, int n, double A[restrict 2][n][n], int m[restrict n][n], int odd)
{
#pragma scop
  for (int t = 0; t < T; t++) {
    double w = 0.5 * t;
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++) {
        int k = j + 1;
        double a = rec(A[t % 2][i][j - 1], i) + rec(rec(A[t % 2][i - 1][j], j), i), v;
        if (odd == 1)
          v = A[t % 2][i][k];
        else if (a > 0.75) {
          v = 1;
          k = k - 1;
        } else
          v = 2 * A[t % 2][i > 0 ? i - 1 : 0][j];
        unsigned u = (unsigned)i - 3u;
        if (m[i][j] != 0 && 100 / m[i][j] > 3) {
          int q = 100 / m[i][j];
          a += q + v;
          if (a > 4) {
            A[(t + 1) % 2][i][j] = a - 0.1f;
          } else {
            a = -a;
            A[(t + 1) % 2][i][j] = a + u / 2;
          }
        } else if (m[i][j] < 0)
          A[(t + 1) % 2][i][j] = rec(a, j) / 2 + w;
        if ((i + j) % 3 == t % 3)
          A[(t + 1) % 2][i][j] -= 1, A[(t + 1) % 2][i][j] *= 0.3;
      }
  }
#pragma endscop
}

int main(int argc, char **argv)
{
  int T = argc > 1 ? atoi(argv[1]) : 3, n = argc > 2 ? atoi(argv[2]) : 4;
  double (*a)[n][n] = malloc(sizeof(double) * 2 * n * n);
  int (*m)[n] = malloc(sizeof(int) * n * n);
  for (int p = 0; p < 2; p++)
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++) {
        a[p][i][j] = next();
        m[i][j] = (int)(next() * 60) - 20;
      }
  step(T, n, a, m, T % 2);
  for (int p = 0; p < 2; p++)
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        printf("%a\n", a[p][i][j]);
  return 0;
}
