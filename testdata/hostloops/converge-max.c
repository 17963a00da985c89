// Relaxation until the greatest change is small, with a line of output now and then.
// RUN 0 5 0.1 | 1 7 0.01 | 6 3 0 | 40 30 0.2 | 300 17 0.01 | 130 33 0.001 | 5 1 0.1 | 77 24 0
#include "square.h"

static int solve(int T, int n, double (*restrict a)[n], double (*restrict anew)[n], double tol, double *last)
{
  double err = 2 * tol + 1;
  int iter = 0, i, j;
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
    if (iter % 10 == 0)
      printf("%5d, %a\n", iter, err);
    iter++;
  }
#pragma endscop
  *last = err;
  return iter;
}
