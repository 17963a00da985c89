// A norm of what the nest then overwrites, and a loop that prints it at every step.
// RUN 0 5 0.1 | 1 7 0.01 | 6 3 0 | 40 30 0.2 | 100 17 0.01 | 50 33 0.001 | 5 1 0.1 | 17 24 0
#include "square.h"

#define MOST(a, b) ((a) > (b) ? (a) : (b))

static int it;
static double eps;

static int solve(int T, int n, double (*a)[n], double (*b)[n], double tol, double *last)
{
  double sum = 0;
#pragma scop
  for (it = 1; it <= T; it++) {
    eps = 0;
    sum = 0;
    {
      for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++) {
          double tmp = fabs(b[i][j] - a[i][j]);
          eps = MOST(tmp, eps);
          sum += a[i][j] * tmp;
          a[i][j] = b[i][j];
        }
      for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++)
          b[i][j] = (a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1]) / 4.0 + 0.001;
    }
    printf("it=%4i   eps=%e %a\n", it, eps, sum);
    if (eps < tol)
      break;
  }
#pragma endscop
  *last = eps + sum;
  return it;
}
