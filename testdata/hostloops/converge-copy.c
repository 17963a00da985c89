// Relaxation until the greatest change is small, in arrays with one subscript: the change is looked for in a loop over all elements, and memcpy copies them.
// RUN 0 5 0.1 | 1 7 0.01 | 6 3 0 | 40 30 0.2 | 300 17 0.01 | 130 33 0.001 | 5 1 0.1 | 77 24 0
#include <string.h>

#include "square.h"

static int solve(int T, int n, double (*restrict a)[n], double (*restrict anew)[n], double tol, double *last)
{
  double err = 2 * tol + 1, *u = &a[0][0], *v = &anew[0][0];
  int iter = 0;
  const int size = n * n;
  memcpy(v, u, size * sizeof(double));
#pragma scop
  while (err > tol && iter < T) {
    err = 0.0;
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        v[i * n + j] = 0.25 * (u[i * n + j + 1] + u[i * n + j - 1] + u[(i - 1) * n + j] + u[(i + 1) * n + j]);
    for (int k = 0; k < size; k++)
      err = fmax(err, fabs(v[k] - u[k]));
    memcpy(u, v, size * sizeof(double));
    iter++;
  }
#pragma endscop
  *last = err;
  return iter;
}
