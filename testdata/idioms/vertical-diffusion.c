// Vertical diffusion of a weather model, solved implicitly in each column, between stencils along levels.
// RUN 1 1 | 5 5 | 9 4 | 20 41 | 35 13 | 17 33
#include <stdio.h>
#include <stdlib.h>

#define LEVELS 12

static void diffuse(int n, int m, double (*restrict u)[n][m], double (*restrict kh)[n][m], double (*restrict out)[n][m])
{
  double (*rhs)[n][m] = malloc(sizeof(double) * LEVELS * n * m), (*cp)[n][m] = malloc(sizeof(double) * LEVELS * n * m);
  double (*dp)[n][m] = malloc(sizeof(double) * LEVELS * n * m), (*x)[n][m] = malloc(sizeof(double) * LEVELS * n * m);
#pragma scop
  for (int k = 0; k < LEVELS; k++)
    for (int j = 1; j < n - 1; j++)
      for (int i = 1; i < m - 1; i++)
        rhs[k][j][i] = u[k][j][i] + 0.05 * (u[k][j][i + 1] + u[k][j][i - 1] + u[k][j + 1][i] + u[k][j - 1][i] - 4 * u[k][j][i]);
  for (int j = 1; j < n - 1; j++)
    for (int i = 1; i < m - 1; i++) {
      cp[0][j][i] = -kh[1][j][i] / (1 + kh[1][j][i]);
      dp[0][j][i] = rhs[0][j][i] / (1 + kh[1][j][i]);
    }
  for (int k = 1; k < LEVELS; k++)
    for (int j = 1; j < n - 1; j++)
      for (int i = 1; i < m - 1; i++) {
        double w = 1 / (1 + kh[k][j][i] + kh[k + 1][j][i] + kh[k][j][i] * cp[k - 1][j][i]);
        cp[k][j][i] = -kh[k + 1][j][i] * w;
        dp[k][j][i] = (rhs[k][j][i] + kh[k][j][i] * dp[k - 1][j][i]) * w;
      }
  for (int j = 1; j < n - 1; j++)
    for (int i = 1; i < m - 1; i++)
      x[LEVELS - 1][j][i] = dp[LEVELS - 1][j][i];
  for (int k = LEVELS - 2; k >= 0; k--)
    for (int j = 1; j < n - 1; j++)
      for (int i = 1; i < m - 1; i++)
        x[k][j][i] = dp[k][j][i] - cp[k][j][i] * x[k + 1][j][i];
  for (int k = 0; k < LEVELS; k++)
    for (int j = 2; j < n - 2; j++)
      for (int i = 2; i < m - 2; i++)
        out[k][j][i] = 0.5 * x[k][j][i] + 0.125 * (x[k][j][i + 1] + x[k][j][i - 1] + x[k][j + 1][i] + x[k][j - 1][i]);
#pragma endscop
  free(rhs), free(cp), free(dp), free(x);
}

int main(int argc, char **argv)
{
  int n = argc > 1 ? atoi(argv[1]) : 6, m = argc > 2 ? atoi(argv[2]) : 7;
  if (n < 1 || m < 1)
    return 1;
  long plane = (long)n * m, cells = LEVELS * plane;
  double *u = malloc(sizeof(double) * cells), *kh = malloc(sizeof(double) * (cells + plane)), *out = calloc(cells, sizeof(double));
  for (long i = 0; i < cells; i++)
    u[i] = i * 7 % 11 * 0.25 - 1;
  for (long i = 0; i < cells + plane; i++)
    kh[i] = i < plane || i >= cells ? 0 : 0.1 + i % 5 * 0.0625;
  diffuse(n, m, (double (*)[n][m])u, (double (*)[n][m])kh, (double (*)[n][m])out);
  for (long i = 0; i < cells; i++)
    printf("%a\n", out[i]);
  return 0;
}
