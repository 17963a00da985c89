// The inner operator of a seismic wave solver: fourth order differences of an elastic, stretched medium whose stiffness varies, of displacements in three directions.
// RUN 3 3 3 | 5 5 5 | 6 7 9 | 9 8 41 | 13 20 15 | 5 17 33
#include <stdio.h>
#include <stdlib.h>

// Stiffness between points, from its values a to e two before to two behind: what weighs the differences from the centre to those points.
#define STIFF1(a, b, c) ((b) - 0.75 * ((c) + (a)))
#define STIFF2(a, b, c, d) ((a) + (d) + 3 * ((c) + (b)))
#define SECOND(a, b, c, d, e, l2, l1, at, r1, r2) \
  (STIFF1(a, b, c) * ((l2) - (at)) + STIFF2(a, b, c, d) * ((l1) - (at)) + STIFF2(b, c, d, e) * ((r1) - (at)) + STIFF1(e, d, c) * ((r2) - (at)))
// Second differences of f with stiffness s along an axis.
#define XX(s, f) SECOND(s(k, j, i - 2), s(k, j, i - 1), s(k, j, i), s(k, j, i + 1), s(k, j, i + 2), f[k][j][i - 2], f[k][j][i - 1], f[k][j][i], f[k][j][i + 1], f[k][j][i + 2])
#define YY(s, f) SECOND(s(k, j - 2, i), s(k, j - 1, i), s(k, j, i), s(k, j + 1, i), s(k, j + 2, i), f[k][j - 2][i], f[k][j - 1][i], f[k][j][i], f[k][j + 1][i], f[k][j + 2][i])
#define ZZ(s, f) SECOND(s(k - 2, j, i), s(k - 1, j, i), s(k, j, i), s(k + 1, j, i), s(k + 2, j, i), f[k - 2][j][i], f[k - 1][j][i], f[k][j][i], f[k + 1][j][i], f[k + 2][j][i])

// Stiffness stretched along an axis: of shear, and of compression.
#define MU_X(k, j, i) (mu[k][j][i] * strx[i])
#define MU_Y(k, j, i) (mu[k][j][i] * stry[j])
#define MU_Z(k, j, i) (mu[k][j][i] * strz[k])
#define P_X(k, j, i) ((2 * mu[k][j][i] + la[k][j][i]) * strx[i])
#define P_Y(k, j, i) ((2 * mu[k][j][i] + la[k][j][i]) * stry[j])
#define P_Z(k, j, i) ((2 * mu[k][j][i] + la[k][j][i]) * strz[k])

// First differences along an axis, and those of what another axis makes of f, weighed by s.
#define FIRST(l2, l1, r1, r2) ((l2) - (r2) + 8 * ((r1) - (l1)))
#define DX(f, k, j, i) FIRST(f[k][j][(i) - 2], f[k][j][(i) - 1], f[k][j][(i) + 1], f[k][j][(i) + 2])
#define DY(f, k, j, i) FIRST(f[k][(j) - 2][i], f[k][(j) - 1][i], f[k][(j) + 1][i], f[k][(j) + 2][i])
#define DZ(f, k, j, i) FIRST(f[(k) - 2][j][i], f[(k) - 1][j][i], f[(k) + 1][j][i], f[(k) + 2][j][i])
#define X_OF(s, d, f) FIRST(s[k][j][i - 2] * d(f, k, j, i - 2), s[k][j][i - 1] * d(f, k, j, i - 1), s[k][j][i + 1] * d(f, k, j, i + 1), s[k][j][i + 2] * d(f, k, j, i + 2))
#define Y_OF(s, d, f) FIRST(s[k][j - 2][i] * d(f, k, j - 2, i), s[k][j - 1][i] * d(f, k, j - 1, i), s[k][j + 1][i] * d(f, k, j + 1, i), s[k][j + 2][i] * d(f, k, j + 2, i))
#define Z_OF(s, d, f) FIRST(s[k - 2][j][i] * d(f, k - 2, j, i), s[k - 1][j][i] * d(f, k - 1, j, i), s[k + 1][j][i] * d(f, k + 1, j, i), s[k + 2][j][i] * d(f, k + 2, j, i))

static void elastic(int l, int n, int m, double h, double (*restrict u0)[n][m], double (*restrict u1)[n][m], double (*restrict u2)[n][m], double (*restrict mu)[n][m], double (*restrict la)[n][m],
                    const double *restrict strx, const double *restrict stry, const double *restrict strz, double (*restrict a0)[n][m], double (*restrict a1)[n][m], double (*restrict a2)[n][m])
{
  double cof = 1 / (h * h);
#pragma scop
  for (int k = 2; k < l - 2; k++)
    for (int j = 2; j < n - 2; j++)
      for (int i = 2; i < m - 2; i++) {
        double r0 = (strx[i] * XX(P_X, u0) + stry[j] * YY(MU_Y, u0) + strz[k] * ZZ(MU_Z, u0)) / 6;
        double r1 = (strx[i] * XX(MU_X, u1) + stry[j] * YY(P_Y, u1) + strz[k] * ZZ(MU_Z, u1)) / 6;
        double r2 = (strx[i] * XX(MU_X, u2) + stry[j] * YY(MU_Y, u2) + strz[k] * ZZ(P_Z, u2)) / 6;
        r0 += (strx[i] * stry[j] * (X_OF(la, DY, u1) + Y_OF(mu, DX, u1)) + strx[i] * strz[k] * (X_OF(la, DZ, u2) + Z_OF(mu, DX, u2))) / 144;
        r1 += (strx[i] * stry[j] * (X_OF(mu, DY, u0) + Y_OF(la, DX, u0)) + stry[j] * strz[k] * (Y_OF(la, DZ, u2) + Z_OF(mu, DY, u2))) / 144;
        r2 += (strx[i] * strz[k] * (X_OF(mu, DZ, u0) + Z_OF(la, DX, u0)) + stry[j] * strz[k] * (Y_OF(mu, DZ, u1) + Z_OF(la, DY, u1))) / 144;
        a0[k][j][i] = cof * r0;
        a1[k][j][i] = cof * r1;
        a2[k][j][i] = cof * r2;
      }
#pragma endscop
}

int main(int argc, char **argv)
{
  int l = argc > 1 ? atoi(argv[1]) : 5, n = argc > 2 ? atoi(argv[2]) : 6, m = argc > 3 ? atoi(argv[3]) : 7;
  if (l < 1 || n < 1 || m < 1)
    return 1;
  long cells = (long)l * n * m;
  double *f[8], *str[3];
  int sizes[3] = {m, n, l};
  for (int a = 0; a < 8; a++) {
    f[a] = malloc(sizeof(double) * cells);
    for (long i = 0; i < cells; i++)
      f[a][i] = a < 3 ? i * (2 * a + 3) % 13 * 0.25 - 1 : a < 5 ? 1 + i % (2 * a) * 0.125 : 0;
  }
  for (int a = 0; a < 3; a++) {
    str[a] = malloc(sizeof(double) * sizes[a]);
    for (int i = 0; i < sizes[a]; i++)
      str[a][i] = 1 - 0.01 * i;
  }
  typedef double (*field)[n][m];
  elastic(l, n, m, 0.5, (field)f[0], (field)f[1], (field)f[2], (field)f[3], (field)f[4], str[0], str[1], str[2], (field)f[5], (field)f[6], (field)f[7]);
  for (int a = 5; a < 8; a++)
    for (long i = 0; i < cells; i++)
      printf("%a\n", f[a][i]);
  return 0;
}
