// Nests that set what the time loop begins with, a second time loop behind it, and nests that take what is left.
// RUN 0 5 0.1 | 1 7 0.01 | 6 3 0 | 40 30 0.2 | 30 17 0.01
#include "square.h"

static int solve(int T, int n, double (*restrict a)[n], double (*restrict anew)[n], double tol, double *last)
{
  double left[n];
#pragma scop
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      a[i][j] = ((double)i * (j + 2) + 10) / n;
      anew[i][j] = ((double)i * (j + 3) + 11) / n;
    }
  for (int i = 0; i < n; i++)
    left[i] = a[i][0] * tol;
  for (int t = 0; t < T; t++) {
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        anew[i][j] = 0.2 * (a[i][j] + a[i][j - 1] + a[i][j + 1] + a[i + 1][j] + a[i - 1][j]);
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        a[i][j] = 0.2 * (anew[i][j] + anew[i][j - 1] + anew[i][j + 1] + anew[i + 1][j] + anew[i - 1][j]);
  }
  for (int t = 0; t < T; t++)
    for (int i = 1; i < n - 1; i++)
      left[i] = 0.5 * left[i] + 0.25 * a[i][t % 2];
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      anew[i][j] = a[i][j] * 0.5 + left[i];
#pragma endscop
  *last = left[0];
  return T;
}
