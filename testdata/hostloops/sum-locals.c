// A count at every step, of what locals of the body gather first: what only they need is not in the loop of the host.
// RUN 0 5 0 | 1 7 0 | 6 3 0 | 40 30 0 | 30 17 0 | 13 33 0 | 5 1 0 | 17 24 0
#include "square.h"

static int solve(int T, int n, double (*restrict a)[n], double (*restrict b)[n], double tol, double *last)
{
  int t = 0, changed = 1;
#pragma scop
  while (changed && t < T) {
    changed = 0;
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++) {
        double sum = 0;
        sum += a[i - 1][j];
        sum += a[i + 1][j];
        b[i][j] = 0.5 * sum > tol ? 0.25 * sum : a[i][j];
        changed += b[i][j] != a[i][j];
      }
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        a[i][j] = b[i][j];
    t++;
  }
#pragma endscop
  *last = changed;
  return t;
}
