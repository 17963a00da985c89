// A sum of each step of which the last one's is used after the loop: the steps before that do without.
// RUN 0 5 0.1 | 1 7 0.01 | 2 7 0.01 | 6 3 0 | 40 30 0.2 | 100 17 0.01 | 51 33 0.001 | 5 1 0.1 | 17 24 0
#include "square.h"

static int solve(int T, int n, double (*p)[n], double (*work)[n], double omega, double *last)
{
  double gosa = -1, s0, ss;
  int i, j, t;
#pragma scop
  for (t = 0; t < T; t++) {
    gosa = 0.0;
    for (i = 1; i < n - 1; i++)
      for (j = 1; j < n - 1; j++) {
        s0 = p[i - 1][j] + p[i + 1][j] + p[i][j - 1] + p[i][j + 1];
        ss = s0 * 0.25 - p[i][j];
        gosa += ss * ss;
        work[i][j] = p[i][j] + omega * ss;
      }
    for (i = 1; i < n - 1; i++)
      for (j = 1; j < n - 1; j++)
        p[i][j] = work[i][j];
  }
#pragma endscop
  *last = gosa;
  return t;
}
