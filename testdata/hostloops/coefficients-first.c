// Coefficients that the region computes before its time loop, and a scalar that it leaves behind it.
// RUN 0 5 0.1 | 1 7 0.01 | 6 3 0 | 40 30 0.2 | 30 17 0.01
#include "square.h"

static int solve(int T, int n, double (*restrict a)[n], double (*restrict anew)[n], double tol, double *last)
{
  double c, d, rest;
  int t;
#pragma scop
  c = (1.0 - tol) / 4;
  d = c;
  d *= tol;
  for (t = 0; t < T; t++) {
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        anew[i][j] = c * (a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1]) + d * a[i][j];
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        a[i][j] = anew[i][j];
  }
  rest = c * T + d;
#pragma endscop
  *last = rest;
  return T;
}
