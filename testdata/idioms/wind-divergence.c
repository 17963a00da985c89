// Divergence of the winds of a weather model over mountains: mass fluxes through the sides of cells, whose heights follow the ground, and through their tops, and what remains in a cell.
// RUN 2 1 1 | 2 5 5 | 2 4 9 | 3 19 41 | 17 9 13 | 1 17 33
// VIOLATED l >= 2
#include <stdio.h>
#include <stdlib.h>

static void divergence(int l, int n, int m, double (*restrict u)[n][m], double (*restrict v)[n][m], double (*restrict w)[n][m], double (*restrict height)[n][m],
                       const double *restrict crlat, double (*restrict div)[n][m])
{
  const double rdx = 0.0625, rdy = 0.03125;
  double thick[l][n][m], fu[l][n][m], fv[l][n][m], fw[l + 1][n][m];
#pragma scop
  for (int k = 0; k < l; k++)
    for (int j = 0; j < n; j++)
      for (int i = 0; i < m; i++)
        thick[k][j][i] = height[k][j][i] - height[k + 1][j][i];
  for (int k = 0; k < l; k++)
    for (int j = 0; j < n - 1; j++)
      for (int i = 0; i < m - 1; i++) {
        fu[k][j][i] = 0.5 * u[k][j][i] * (thick[k][j][i] + thick[k][j][i + 1]);
        fv[k][j][i] = 0.5 * crlat[j] * v[k][j][i] * (thick[k][j][i] + thick[k][j + 1][i]);
      }
  for (int j = 1; j < n - 1; j++)
    for (int i = 1; i < m - 1; i++)
      fw[0][j][i] = w[0][j][i];
  for (int k = 1; k < l; k++)
    for (int j = 1; j < n - 1; j++)
      for (int i = 1; i < m - 1; i++)
        fw[k][j][i] = w[k][j][i] - 0.25 * ((u[k][j][i] + u[k - 1][j][i]) * (height[k][j][i + 1] - height[k][j][i - 1]) * rdx + (v[k][j][i] + v[k - 1][j][i]) * (height[k][j + 1][i] - height[k][j - 1][i]) * rdy);
  for (int j = 1; j < n - 1; j++)
    for (int i = 1; i < m - 1; i++)
      fw[l][j][i] = 0;
  for (int k = 0; k < l; k++)
    for (int j = 1; j < n - 1; j++)
      for (int i = 1; i < m - 1; i++)
        div[k][j][i] = ((fu[k][j][i] - fu[k][j][i - 1]) * rdx + (fv[k][j][i] - fv[k][j - 1][i]) * rdy + fw[k][j][i] - fw[k + 1][j][i]) / thick[k][j][i];
#pragma endscop
}

int main(int argc, char **argv)
{
  int l = argc > 1 ? atoi(argv[1]) : 2, n = argc > 2 ? atoi(argv[2]) : 6, m = argc > 3 ? atoi(argv[3]) : 7;
  if (l < 1 || n < 1 || m < 1)
    return 1;
  long plane = (long)n * m, cells = l * plane;
  double *u = malloc(sizeof(double) * cells), *v = malloc(sizeof(double) * cells), *div = malloc(sizeof(double) * cells);
  double *w = malloc(sizeof(double) * (cells + plane)), *height = malloc(sizeof(double) * (cells + plane)), *crlat = malloc(sizeof(double) * n);
  for (long i = 0; i < cells; i++)
    u[i] = i * 7 % 11 - 5, v[i] = i * 5 % 13 - 6, div[i] = 0;
  for (long i = 0; i < cells + plane; i++)
    w[i] = i * 3 % 7 - 3, height[i] = 20 * (l - i / plane) + i % plane * 5 % 9;
  for (int j = 0; j < n; j++)
    crlat[j] = 1 - 0.001 * j;
  divergence(l, n, m, (double (*)[n][m])u, (double (*)[n][m])v, (double (*)[n][m])w, (double (*)[n][m])height, crlat, (double (*)[n][m])div);
  for (long i = 0; i < cells; i++)
    printf("%a\n", div[i]);
  return 0;
}
