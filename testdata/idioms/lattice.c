// Nine populations of a lattice, that come from where tables of constants say.
// RUN 0 5 7 | 1 7 7 | 6 5 3 | 3 30 41 | 2 4 9 | 5 33 4
#include <stdio.h>
#include <stdlib.h>

#define Q 9
static const int ex[Q] = {0, 1, 0, -1, 0, 1, -1, -1, 1};
static const int ey[Q] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
static const double w[Q] = {4. / 9, 1. / 9, 1. / 9, 1. / 9, 1. / 9, 1. / 36, 1. / 36, 1. / 36, 1. / 36};

static void run(int T, int n, int m, double omega, double f[2][n][m][Q])
{
#pragma scop
  for (int t = 0; t < T; t++)
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < m - 1; j++) {
        double rho = 0, ux = 0, uy = 0;
        for (int k = 0; k < Q; k++) {
          double g = f[t % 2][i - ex[k]][j - ey[k]][k];
          rho += g;
          ux += ex[k] * g;
          uy += ey[k] * g;
        }
        ux /= rho;
        uy /= rho;
        double uu = 1.5 * (ux * ux + uy * uy);
        for (int k = 0; k < Q; k++) {
          double eu = 3 * (ex[k] * ux + ey[k] * uy);
          double feq = w[k] * rho * (1 + eu + 0.5 * eu * eu - uu);
          f[(t + 1) % 2][i][j][k] = (1 - omega) * f[t % 2][i - ex[k]][j - ey[k]][k] + omega * feq;
        }
      }
#pragma endscop
}

int main(int argc, char **argv)
{
  int T = argc > 1 ? atoi(argv[1]) : 3, n = argc > 2 ? atoi(argv[2]) : 4, m = argc > 3 ? atoi(argv[3]) : 4;
  if (n < 2 || m < 2)
    return 1;
  double (*f)[n][m][Q] = malloc(sizeof(double) * 2 * n * m * Q);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      for (int k = 0; k < Q; k++)
        f[0][i][j][k] = f[1][i][j][k] = w[k] * (1 + (i * 7 + j * 3 + k) % 5 / 64.0);
  run(T, n, m, 0.75, f);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      for (int k = 0; k < Q; k++)
        printf("%a\n", f[T % 2][i][j][k]);
  return 0;
}
