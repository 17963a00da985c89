// A time loop in a time loop, beside other nests; the inner one of the second half ends by a value.
// RUN 0 5 0.1 | 1 7 0.01 | 6 3 0 | 10 30 0.2 | 20 17 0.01 | 7 33 0.001 | 5 1 0.1 | 9 24 0
#include "square.h"

static int solve(int T, int n, double (*restrict u)[n], double (*restrict p)[n], double tol, double *last)
{
  double (*restrict old)[n] = malloc(sizeof(double) * n * n), (*restrict rhs)[n] = malloc(sizeof(double) * n * n), err = 0;
  int t, sweeps = 0;
#pragma scop
  for (t = 0; t < T; t++) {
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        rhs[i][j] = 0.1 * (u[i][j + 1] - u[i][j - 1] + u[i + 1][j] - u[i - 1][j]);
    for (int k = 0; k < 30; k++) {
      for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
          old[i][j] = p[i][j];
      for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++)
          p[i][j] = 0.25 * (old[i - 1][j] + old[i + 1][j] + old[i][j - 1] + old[i][j + 1] - rhs[i][j]);
      for (int i = 0; i < n; i++)
        p[i][0] = 0.5;
    }
    err = 1;
    for (int k = 0; k < 40 && err > tol; k++) {
      err = 0;
      for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++) {
          old[i][j] = u[i][j] + 0.1 * (u[i - 1][j] + u[i + 1][j] - 2 * u[i][j]) - 0.01 * (p[i][j + 1] - p[i][j - 1]);
          err = fmax(err, fabs(old[i][j] - u[i][j]));
        }
      for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++)
          u[i][j] = old[i][j];
      sweeps++;
    }
  }
#pragma endscop
  *last = err + sweeps;
  free(old);
  free(rhs);
  return t;
}
