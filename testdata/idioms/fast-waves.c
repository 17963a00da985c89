// Small steps of a weather model's sound waves: pressure at the borders between levels, its gradients along levels that follow the ground below the flat ones, and both winds.
// RUN 0 1 1 1 | 1 3 5 5 | 2 9 4 9 | 3 7 19 37 | 2 17 9 13 | 1 5 17 33
#include <stdio.h>
#include <stdlib.h>

#define FLAT 2 // levels above the mountains

static void fast_waves(int steps, int l, int n, int m, double (*restrict u)[n][m], double (*restrict v)[n][m], double (*restrict ut)[n][m], double (*restrict vt)[n][m],
                       double (*restrict weight)[n][m], double (*restrict p)[n][m], double (*restrict height)[n][m], double (*restrict rho)[n][m], const double *restrict fx)
{
  const double dt = 0.125, edadlat = 0.0625, damp = 0.01;
  double (*between)[n][m] = malloc(sizeof(double) * (l + 1) * n * m), (*rise)[n][m] = malloc(sizeof(double) * l * n * m);
  double (*pu)[n][m] = malloc(sizeof(double) * l * n * m), (*pv)[n][m] = malloc(sizeof(double) * l * n * m);
#pragma scop
  for (int t = 0; t < steps; t++) {
    for (int k = FLAT; k < l; k++)
      for (int j = 0; j < n; j++)
        for (int i = 0; i < m; i++)
          between[k][j][i] = weight[k][j][i] * p[k][j][i] + (1 - weight[k][j][i]) * p[k - 1][j][i];
    for (int j = 0; j < n; j++)
      for (int i = 0; i < m; i++)
        between[l][j][i] = 1.5 * p[l - 1][j][i] - 0.5 * p[l - 1][j][i] * weight[l - 1][j][i];
    for (int k = FLAT; k < l; k++)
      for (int j = 0; j < n; j++)
        for (int i = 0; i < m; i++)
          rise[k][j][i] = between[k + 1][j][i] - between[k][j][i];
    for (int k = 0; k < l; k++)
      for (int j = 0; j < n - 1; j++)
        for (int i = 0; i < m - 1; i++)
          if (k < FLAT) {
            pu[k][j][i] = p[k][j][i + 1] - p[k][j][i];
            pv[k][j][i] = p[k][j + 1][i] - p[k][j][i];
          } else {
            pu[k][j][i] = p[k][j][i + 1] - p[k][j][i] + (rise[k][j][i + 1] + rise[k][j][i]) * 0.5
              * (height[k + 1][j][i] + height[k][j][i] - (height[k + 1][j][i + 1] + height[k][j][i + 1])) / (height[k][j][i] - height[k + 1][j][i] + (height[k][j][i + 1] - height[k + 1][j][i + 1]));
            pv[k][j][i] = p[k][j + 1][i] - p[k][j][i] + (rise[k][j + 1][i] + rise[k][j][i]) * 0.5
              * (height[k + 1][j][i] + height[k][j][i] - (height[k + 1][j + 1][i] + height[k][j + 1][i])) / (height[k][j][i] - height[k + 1][j][i] + (height[k][j + 1][i] - height[k + 1][j + 1][i]));
          }
    for (int k = 0; k < l; k++)
      for (int j = 0; j < n - 1; j++)
        for (int i = 0; i < m - 1; i++) {
          u[k][j][i] += dt * (ut[k][j][i] - pu[k][j][i] * 2 * fx[j] / (rho[k][j][i + 1] + rho[k][j][i]));
          v[k][j][i] += dt * (vt[k][j][i] - pv[k][j][i] * 2 * edadlat / (rho[k][j + 1][i] + rho[k][j][i]));
        }
    for (int k = 0; k < l; k++)
      for (int j = 1; j < n - 1; j++)
        for (int i = 1; i < m - 1; i++)
          p[k][j][i] -= damp * (u[k][j][i] - u[k][j][i - 1] + v[k][j][i] - v[k][j - 1][i]);
  }
#pragma endscop
  free(between), free(rise), free(pu), free(pv);
}

int main(int argc, char **argv)
{
  int steps = argc > 1 ? atoi(argv[1]) : 1, l = argc > 2 ? atoi(argv[2]) : 3, n = argc > 3 ? atoi(argv[3]) : 6, m = argc > 4 ? atoi(argv[4]) : 7;
  if (steps < 0 || l < 1 || n < 1 || m < 1)
    return 1;
  long plane = (long)n * m, cells = l * plane;
  double *f[8], *fx = malloc(sizeof(double) * n);
  for (int a = 0; a < 8; a++) {
    f[a] = malloc(sizeof(double) * (cells + plane));
    for (long i = 0; i < cells + plane; i++)
      f[a][i] = i * (2 * a + 3) % 11 * 0.25 - 1;
  }
  for (long i = 0; i < cells + plane; i++) {
    f[4][i] = 0.5 + i % 5 * 0.0625; // weight
    f[6][i] = 20 * (l - i / plane) + i % plane * 5 % 9; // height
    f[7][i] = 1 + i % 7 * 0.125; // rho
  }
  for (int j = 0; j < n; j++)
    fx[j] = 0.0625 + 0.001 * j;
  typedef double (*field)[n][m];
  fast_waves(steps, l, n, m, (field)f[0], (field)f[1], (field)f[2], (field)f[3], (field)f[4], (field)f[5], (field)f[6], (field)f[7], fx);
  for (long i = 0; i < cells; i++)
    printf("%a %a %a\n", f[0][i], f[1][i], f[5][i]);
  return 0;
}
