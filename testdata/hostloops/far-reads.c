// Steps that cannot be tiled in time, since they read elements as far away as the grid is large: chunks are tiled in space.
// RUN 0 5 0.1 | 1 7 0.01 | 6 3 0 | 40 30 0.2 | 100 17 0.01 | 50 33 0.0001 | 5 2 0.1 | 17 24 0
#include "square.h"

static int solve(int T, int n, double (*restrict a)[n], double (*restrict b)[n], double tol, double *last)
{
  double err = 1e30;
  int t = 0;
#pragma scop
  while (err > tol && t < T) {
    err = 0;
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++) {
        b[i][j] = 0.5 * a[i][j] + 0.25 * (a[j][i] + a[i][j - 1]);
        err = fmax(err, fabs(b[i][j] - a[i][j]));
      }
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        a[i][j] = b[i][j];
    t++;
  }
#pragma endscop
  *last = err;
  return t;
}
