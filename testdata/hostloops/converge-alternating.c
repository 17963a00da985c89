// Two arrays that take turns by the number of the step, with a sum that an inner loop gathers, and the greatest change.
// RUN 0 5 0.1 | 1 7 0.01 | 6 3 0 | 40 30 0.2 | 300 17 0.01 | 130 33 0.001 | 5 1 0.1 | 77 24 0
#include "square.h"

static int solve(int T, int n, double (*a)[n], double (*b)[n], double tol, double *last)
{
  static const int di[4] = {-1, 1, 0, 0}, dj[4] = {0, 0, -1, 1};
  double most = tol + 1;
  int it;
#pragma scop
  for (it = 0; it < T && most > tol; it++) {
    most = 0;
    if (it % 2 == 0) {
      for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++) {
          double sum = 0;
          for (int k = 0; k < 4; k++)
            sum += a[i + di[k]][j + dj[k]];
          b[i][j] = 0.25 * sum;
          if (fabs(b[i][j] - a[i][j]) > most)
            most = fabs(b[i][j] - a[i][j]);
        }
    } else {
      for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++) {
          double sum = 0;
          for (int k = 0; k < 4; k++)
            sum += b[i + di[k]][j + dj[k]];
          a[i][j] = 0.25 * sum;
          if (fabs(a[i][j] - b[i][j]) > most)
            most = fabs(a[i][j] - b[i][j]);
        }
    }
  }
#pragma endscop
  *last = most;
  return it;
}
