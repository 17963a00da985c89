// Relaxation whose end is tested after every 16 steps only.
#include "../square.h"

static int solve(int T, int n, double (*restrict a)[n], double (*restrict anew)[n], double tol, double *last)
{
  double err = 1e30;
  int iter = 0, i, j;
#pragma hexcc check(every:16)
#pragma scop
  while (err > tol && iter < T) {
    err = 0.0;
    for (i = 1; i < n - 1; i++) {
      for (j = 1; j < n - 1; j++) {
        anew[i][j] = 0.25 * (a[i][j + 1] + a[i][j - 1] + a[i - 1][j] + a[i + 1][j]);
        err = fmax(err, fabs(anew[i][j] - a[i][j]));
      }
    }
    for (i = 1; i < n - 1; i++)
      for (j = 1; j < n - 1; j++)
        a[i][j] = anew[i][j];
    iter++;
  }
#pragma endscop
  *last = err;
  return iter;
}
