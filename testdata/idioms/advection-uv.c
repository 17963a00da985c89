// Horizontal advection of both winds of a weather model, staggered, by differences upwind, with the curvature of the earth: winds at each other's places, what
// they carry, and tendencies, of level after level.
// RUN 1 3 3 | 1 5 5 | 2 4 9 | 3 19 41 | 17 9 13 | 1 17 33
#include <stdio.h>
#include <stdlib.h>

static void advect(int l, int n, int m, double (*restrict u)[n][m], double (*restrict v)[n][m], double (*restrict ut)[n][m], double (*restrict vt)[n][m],
                   const double *restrict acrlat, const double *restrict tgrlat)
{
  const double eddlat = 1.0 / 128;
  double (*uu)[n][m] = malloc(sizeof(double) * l * n * m), (*vu)[n][m] = malloc(sizeof(double) * l * n * m);
  double (*uv)[n][m] = malloc(sizeof(double) * l * n * m), (*vv)[n][m] = malloc(sizeof(double) * l * n * m);
  double (*du)[n][m] = malloc(sizeof(double) * l * n * m), (*dv)[n][m] = malloc(sizeof(double) * l * n * m);
#pragma scop
  for (int k = 0; k < l; k++)
    for (int j = 1; j < n - 1; j++)
      for (int i = 1; i < m - 1; i++) {
        uu[k][j][i] = (u[k][j][i - 1] + u[k][j][i] + u[k][j][i + 1]) / 3;
        vu[k][j][i] = 0.25 * (v[k][j][i] + v[k][j][i + 1] + v[k][j - 1][i] + v[k][j - 1][i + 1]);
      }
  for (int k = 0; k < l; k++)
    for (int j = 1; j < n - 1; j++)
      for (int i = 1; i < m - 1; i++) {
        uv[k][j][i] = 0.25 * (u[k][j][i] + u[k][j][i - 1] + u[k][j + 1][i] + u[k][j + 1][i - 1]);
        vv[k][j][i] = (v[k][j - 1][i] + v[k][j][i] + v[k][j + 1][i]) / 3;
      }
  for (int k = 0; k < l; k++)
    for (int j = 1; j < n - 1; j++)
      for (int i = 1; i < m - 1; i++) {
        double a = acrlat[j] * uu[k][j][i], b = eddlat * vu[k][j][i];
        du[k][j][i] = a * (a > 0 ? u[k][j][i] - u[k][j][i - 1] : u[k][j][i + 1] - u[k][j][i]);
        du[k][j][i] += b * (b > 0 ? u[k][j][i] - u[k][j - 1][i] : u[k][j + 1][i] - u[k][j][i]);
      }
  for (int k = 0; k < l; k++)
    for (int j = 1; j < n - 1; j++)
      for (int i = 1; i < m - 1; i++) {
        double a = acrlat[j] * uv[k][j][i], b = eddlat * vv[k][j][i];
        dv[k][j][i] = a * (a > 0 ? v[k][j][i] - v[k][j][i - 1] : v[k][j][i + 1] - v[k][j][i]);
        dv[k][j][i] += b * (b > 0 ? v[k][j][i] - v[k][j - 1][i] : v[k][j + 1][i] - v[k][j][i]);
      }
  for (int k = 0; k < l; k++)
    for (int j = 2; j < n - 2; j++)
      for (int i = 2; i < m - 2; i++) {
        ut[k][j][i] += tgrlat[j] * uu[k][j][i] * vu[k][j][i] - 0.25 * (du[k][j][i - 1] + 2 * du[k][j][i] + du[k][j][i + 1]);
        vt[k][j][i] -= tgrlat[j] * uv[k][j][i] * uv[k][j][i] + 0.25 * (dv[k][j - 1][i] + 2 * dv[k][j][i] + dv[k][j + 1][i]);
      }
#pragma endscop
  free(uu), free(vu), free(uv), free(vv), free(du), free(dv);
}

int main(int argc, char **argv)
{
  int l = argc > 1 ? atoi(argv[1]) : 2, n = argc > 2 ? atoi(argv[2]) : 6, m = argc > 3 ? atoi(argv[3]) : 7;
  if (l < 1 || n < 1 || m < 1)
    return 1;
  long cells = (long)l * n * m;
  double *u = malloc(sizeof(double) * cells), *v = malloc(sizeof(double) * cells);
  double *ut = malloc(sizeof(double) * cells), *vt = malloc(sizeof(double) * cells);
  double *acrlat = malloc(sizeof(double) * n), *tgrlat = malloc(sizeof(double) * n);
  for (long i = 0; i < cells; i++)
    u[i] = i * 7 % 11 - 5, v[i] = i * 5 % 13 - 6, ut[i] = i % 3, vt[i] = i % 5;
  for (int j = 0; j < n; j++)
    acrlat[j] = 1.0 / (128 - j), tgrlat[j] = 0.001 * j;
  advect(l, n, m, (double (*)[n][m])u, (double (*)[n][m])v, (double (*)[n][m])ut, (double (*)[n][m])vt, acrlat, tgrlat);
  for (long i = 0; i < cells; i++)
    printf("%a %a\n", ut[i], vt[i]);
  return 0;
}
