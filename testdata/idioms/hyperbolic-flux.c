// Hyperbolic fluxes of a compressible fluid, as a solver of its equations computes them: derivatives of eighth order, along three axes, of mass, three momenta and energy.
// RUN 5 5 5 | 9 9 9 | 9 10 12 | 12 11 41 | 13 20 15 | 8 17 33
#include <stdio.h>
#include <stdlib.h>

// The derivative of f at the centre, whose values on both sides are given, the nearest first.
#define DERIVATIVE(r1, l1, r2, l2, r3, l3, r4, l4) (0.8 * ((r1) - (l1)) - 0.2 * ((r2) - (l2)) + 0.038 * ((r3) - (l3)) - 0.0035 * ((r4) - (l4)))
#define ALONG_X(f) DERIVATIVE(f(k, j, i + 1), f(k, j, i - 1), f(k, j, i + 2), f(k, j, i - 2), f(k, j, i + 3), f(k, j, i - 3), f(k, j, i + 4), f(k, j, i - 4))
#define ALONG_Y(f) DERIVATIVE(f(k, j + 1, i), f(k, j - 1, i), f(k, j + 2, i), f(k, j - 2, i), f(k, j + 3, i), f(k, j - 3, i), f(k, j + 4, i), f(k, j - 4, i))
#define ALONG_Z(f) DERIVATIVE(f(k + 1, j, i), f(k - 1, j, i), f(k + 2, j, i), f(k - 2, j, i), f(k + 3, j, i), f(k - 3, j, i), f(k + 4, j, i), f(k - 4, j, i))

#define MX(k, j, i) mx[k][j][i]
#define MY(k, j, i) my[k][j][i]
#define MZ(k, j, i) mz[k][j][i]
#define MX_U(k, j, i) (mx[k][j][i] * u[k][j][i] + p[k][j][i])
#define MX_V(k, j, i) mx[k][j][i] * v[k][j][i]
#define MX_W(k, j, i) mx[k][j][i] * w[k][j][i]
#define MY_U(k, j, i) my[k][j][i] * u[k][j][i]
#define MY_V(k, j, i) (my[k][j][i] * v[k][j][i] + p[k][j][i])
#define MY_W(k, j, i) my[k][j][i] * w[k][j][i]
#define MZ_U(k, j, i) mz[k][j][i] * u[k][j][i]
#define MZ_V(k, j, i) mz[k][j][i] * v[k][j][i]
#define MZ_W(k, j, i) (mz[k][j][i] * w[k][j][i] + p[k][j][i])
#define E_U(k, j, i) (e[k][j][i] + p[k][j][i]) * u[k][j][i]
#define E_V(k, j, i) (e[k][j][i] + p[k][j][i]) * v[k][j][i]
#define E_W(k, j, i) (e[k][j][i] + p[k][j][i]) * w[k][j][i]

static void fluxes(int l, int n, int m, const double dxinv[restrict 3], double (*restrict mx)[n][m], double (*restrict my)[n][m], double (*restrict mz)[n][m], double (*restrict e)[n][m],
                   double (*restrict u)[n][m], double (*restrict v)[n][m], double (*restrict w)[n][m], double (*restrict p)[n][m],
                   double (*restrict f0)[n][m], double (*restrict f1)[n][m], double (*restrict f2)[n][m], double (*restrict f3)[n][m], double (*restrict f4)[n][m])
{
#pragma scop
  for (int k = 4; k < l - 4; k++)
    for (int j = 4; j < n - 4; j++)
      for (int i = 4; i < m - 4; i++) {
        f0[k][j][i] = -(ALONG_X(MX) * dxinv[0] + ALONG_Y(MY) * dxinv[1] + ALONG_Z(MZ) * dxinv[2]);
        f1[k][j][i] = -(ALONG_X(MX_U) * dxinv[0] + ALONG_Y(MX_V) * dxinv[1] + ALONG_Z(MX_W) * dxinv[2]);
        f2[k][j][i] = -(ALONG_X(MY_U) * dxinv[0] + ALONG_Y(MY_V) * dxinv[1] + ALONG_Z(MY_W) * dxinv[2]);
        f3[k][j][i] = -(ALONG_X(MZ_U) * dxinv[0] + ALONG_Y(MZ_V) * dxinv[1] + ALONG_Z(MZ_W) * dxinv[2]);
        f4[k][j][i] = -(ALONG_X(E_U) * dxinv[0] + ALONG_Y(E_V) * dxinv[1] + ALONG_Z(E_W) * dxinv[2]);
      }
#pragma endscop
}

int main(int argc, char **argv)
{
  int l = argc > 1 ? atoi(argv[1]) : 9, n = argc > 2 ? atoi(argv[2]) : 10, m = argc > 3 ? atoi(argv[3]) : 11;
  if (l < 1 || n < 1 || m < 1)
    return 1;
  long cells = (long)l * n * m;
  double *f[13], dxinv[3] = {0.5, 0.25, 0.125};
  for (int a = 0; a < 13; a++) {
    f[a] = malloc(sizeof(double) * cells);
    for (long i = 0; i < cells; i++)
      f[a][i] = a < 8 ? i * (2 * a + 3) % 13 * 0.25 - 1 : 0;
  }
  typedef double (*field)[n][m];
  fluxes(l, n, m, dxinv, (field)f[0], (field)f[1], (field)f[2], (field)f[3], (field)f[4], (field)f[5], (field)f[6], (field)f[7], (field)f[8], (field)f[9], (field)f[10], (field)f[11], (field)f[12]);
  for (int a = 8; a < 13; a++)
    for (long i = 0; i < cells; i++)
      printf("%a\n", f[a][i]);
  return 0;
}
