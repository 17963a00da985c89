// Neighbours in a local array and a loop over them, an index in a variable, and arrays that a macro exchanges.
// RUN 0 5 0.1 | 1 7 0.01 | 6 3 0 | 40 30 0.2 | 300 17 0.01 | 130 33 0.001 | 5 1 0.1 | 77 24 0
#include "square.h"

#define SWAP(x, y) do { double *tmp = x; x = y; y = tmp; } while (0)

static void relax(int T, int n, double *u, double *v, double tol, double *last, int *steps)
{
  const int ld = n;
  double diff = tol + 1;
  int it = 0;
#pragma scop
  while (diff > tol && it < T) {
    diff = 0;
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++) {
        const int at = i * ld + j;
        double near[4] = {u[at - ld], u[at + ld], u[at - 1], u[at + 1]};
        double sum = 0;
        for (int k = 0; k < 4; k++)
          sum += near[k];
        v[at] = 0.25 * sum;
        diff = fmax(diff, fabs(v[at] - u[at]));
      }
    SWAP(u, v);
    it++;
  }
#pragma endscop
  *last = diff;
  *steps = it;
}

static int solve(int T, int n, double (*a)[n], double (*b)[n], double tol, double *last)
{
  int steps;
  relax(T, n, &a[0][0], &b[0][0], tol, last, &steps);
  return steps;
}
