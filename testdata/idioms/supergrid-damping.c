// Damping of fourth order in the layers around a seismic model: differences of what moved in a step, weighed by density, along each axis, in place.
// RUN 5 5 5 | 6 7 9 | 9 8 41 | 13 20 15 | 5 17 33
#include <stdio.h>
#include <stdlib.h>

// The second difference of how f changed from before.
#define CHANGE(r, c, l, rb, cb, lb) ((r) - 2 * (c) + (l) - ((rb) - 2 * (cb) + (lb)))
#define CHANGE_X(k, j, i) CHANGE(u[k][j][i + 1], u[k][j][i], u[k][j][i - 1], um[k][j][i + 1], um[k][j][i], um[k][j][i - 1])
#define CHANGE_Y(k, j, i) CHANGE(u[k][j + 1][i], u[k][j][i], u[k][j - 1][i], um[k][j + 1][i], um[k][j][i], um[k][j - 1][i])
#define CHANGE_Z(k, j, i) CHANGE(u[k + 1][j][i], u[k][j][i], u[k - 1][j][i], um[k + 1][j][i], um[k][j][i], um[k - 1][j][i])

static void damp(int l, int n, int m, double beta, double (*restrict up)[n][m], double (*restrict u)[n][m], double (*restrict um)[n][m], double (*restrict rho)[n][m],
                 const double *restrict dcx, const double *restrict dcy, const double *restrict dcz, const double *restrict strx, const double *restrict stry, const double *restrict strz,
                 const double *restrict cox, const double *restrict coy, const double *restrict coz)
{
  double (*x)[n][m] = malloc(sizeof(double) * l * n * m), (*y)[n][m] = malloc(sizeof(double) * l * n * m), (*z)[n][m] = malloc(sizeof(double) * l * n * m);
#pragma scop
  for (int k = 2; k < l - 2; k++)
    for (int j = 2; j < n - 2; j++)
      for (int i = 1; i < m - 1; i++)
        x[k][j][i] = rho[k][j][i] * dcx[i] * CHANGE_X(k, j, i);
  for (int k = 2; k < l - 2; k++)
    for (int j = 1; j < n - 1; j++)
      for (int i = 2; i < m - 2; i++)
        y[k][j][i] = rho[k][j][i] * dcy[j] * CHANGE_Y(k, j, i);
  for (int k = 1; k < l - 1; k++)
    for (int j = 2; j < n - 2; j++)
      for (int i = 2; i < m - 2; i++)
        z[k][j][i] = rho[k][j][i] * dcz[k] * CHANGE_Z(k, j, i);
  for (int k = 2; k < l - 2; k++)
    for (int j = 2; j < n - 2; j++)
      for (int i = 2; i < m - 2; i++) {
        double birho = beta / rho[k][j][i];
        up[k][j][i] -= birho * (strx[i] * coy[j] * coz[k] * (x[k][j][i + 1] - 2 * x[k][j][i] + x[k][j][i - 1])
                                + stry[j] * cox[i] * coz[k] * (y[k][j + 1][i] - 2 * y[k][j][i] + y[k][j - 1][i])
                                + strz[k] * cox[i] * coy[j] * (z[k + 1][j][i] - 2 * z[k][j][i] + z[k - 1][j][i]));
      }
#pragma endscop
  free(x), free(y), free(z);
}

int main(int argc, char **argv)
{
  int l = argc > 1 ? atoi(argv[1]) : 5, n = argc > 2 ? atoi(argv[2]) : 6, m = argc > 3 ? atoi(argv[3]) : 7;
  if (l < 1 || n < 1 || m < 1)
    return 1;
  long cells = (long)l * n * m;
  double *f[4], *line[9];
  int sizes[3] = {m, n, l};
  for (int a = 0; a < 4; a++) {
    f[a] = malloc(sizeof(double) * cells);
    for (long i = 0; i < cells; i++)
      f[a][i] = a < 3 ? i * (2 * a + 3) % 13 * 0.25 - 1 : 1 + i % 7 * 0.125;
  }
  for (int a = 0; a < 9; a++) {
    line[a] = malloc(sizeof(double) * sizes[a % 3]);
    for (int i = 0; i < sizes[a % 3]; i++)
      line[a][i] = 1 - 0.01 * (a + i);
  }
  typedef double (*field)[n][m];
  damp(l, n, m, 0.125, (field)f[0], (field)f[1], (field)f[2], (field)f[3], line[0], line[1], line[2], line[3], line[4], line[5], line[6], line[7], line[8]);
  for (long i = 0; i < cells; i++)
    printf("%a\n", f[0][i]);
  return 0;
}
