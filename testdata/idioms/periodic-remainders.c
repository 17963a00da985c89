// Tori: remainders in subscripts lead from each end of a dimension to the other.
// RUN 0 5 7 | 1 1 1 | 6 3 2 | 7 40 33 | 12 33 70 | 5 1 9 | 9 2 2 | 4 4 1 | 8 127 64
// VIOLATED m >= 2
// VIOLATED n >= 3
#include <stdio.h>
#include <stdlib.h>

static double next(void)
{
  static unsigned long s = 12345;
  s = s * 6364136223846793005ul + 1442695040888963407ul;
  return (double)(s >> 33) / (1ul << 31);
}

static void diffuse(int T, int n, int m, double A[restrict 2][n][m])
{
#pragma scop
  for (int t = 0; t < T; t++)
    for (int i = 0; i < n; i++) {
      int up = (i + n - 1) % n;
      for (int j = 0; j < m; j++)
        A[(t + 1) % 2][i][j] = 0.5 * A[t % 2][i][j] + 0.2 * A[t % 2][up][j] + 0.1 * A[t % 2][(i + 2) % n][j]
                             + 0.15 * A[t % 2][i][((j - 1) % m + m) % m] + 0.05 * A[t % 2][i][(j + 1) % m];
    }
#pragma endscop
}

int main(int argc, char **argv)
{
  int T = argc > 1 ? atoi(argv[1]) : 3, n = argc > 2 ? atoi(argv[2]) : 4, m = argc > 3 ? atoi(argv[3]) : 5;
  double (*a)[n][m] = malloc(sizeof(double) * 2 * n * m);
  for (int p = 0; p < 2; p++)
    for (int i = 0; i < n; i++)
      for (int j = 0; j < m; j++)
        a[p][i][j] = next();
  diffuse(T, n, m, a);
  for (int p = 0; p < 2; p++)
    for (int i = 0; i < n; i++)
      for (int j = 0; j < m; j++)
        printf("%a\n", a[p][i][j]);
  return 0;
}
