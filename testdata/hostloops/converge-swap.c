// Two norms by comparisons, rows that are exchanged, and an end in the middle of the step.
// RUN 0 5 0.1 | 1 7 0.01 | 6 3 0 | 40 30 0.2 | 300 17 0.01 | 130 33 0.001 | 5 1 0.1 | 77 24 0
#include "square.h"

static int solve(int T, int n, double (*u)[n], double (*unew)[n], double tol, double *last)
{
  double most, change = 0;
  int it;
#pragma scop
  for (it = 1; it <= T; ++it) {
    most = 0;
    change = 0;
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++) {
        double old = u[i][j];
        unew[i][j] = old + 0.2 * (u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1] - 4 * old);
        double d = fabs(unew[i][j] - old);
        if (d > change)
          change = d;
        most = most > unew[i][j] ? most : unew[i][j];
      }
    double (*tmp)[n] = u;
    u = unew;
    unew = tmp;
    if (change <= tol || most < 0.5)
      break;
  }
#pragma endscop
  *last = change + (n > 0 ? u[0][0] - unew[n - 1][n - 1] : 0);
  return it;
}
