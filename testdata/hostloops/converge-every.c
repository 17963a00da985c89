// A norm that is a sum, asked for at every seventh step; the loop ends by it or by a number of steps.
// RUN 0 5 0.1 | 1 7 0.01 | 6 3 0 | 40 30 0.2 | 300 17 0.01 | 130 33 0.001 | 5 1 0.1 | 77 24 0
#include "square.h"

static int solve(int T, int n, double (*restrict a)[n], double (*restrict b)[n], double tol, double *last)
{
  double err = 1e30;
  int k = 0;
#pragma scop
  do {
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        b[i][j] = 0.25 * (a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1]) + 0.001 * k;
    if (k % 7 == 6) {
      err = 0;
      for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++) {
          double d = b[i][j] - a[i][j];
          err += d * d;
        }
      err = sqrt(err);
    }
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        a[i][j] = b[i][j];
    k++;
  } while (err > tol && k < T);
#pragma endscop
  *last = err;
  return k;
}
