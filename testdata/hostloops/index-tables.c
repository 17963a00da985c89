// Tables of the neighbours' indices, clamped and around; a mean that the step uses. In some runs a table holds something else.
// RUN 0 5 0.1 | 3 7 0.01 | 6 3 0.7 | 20 30 0.2 | 30 17 0.8 | 13 33 0.001 | 5 2 0.9 | 17 24 0
#include "square.h"

static int solve(int T, int n, double (*a)[n], double (*b)[n], double tol, double *last)
{
  int *up = malloc(sizeof(int) * n), *down = malloc(sizeof(int) * n), t, i, j, k;
  long right[n];
  double *flat = malloc(sizeof(double) * n * n), *flux = malloc(sizeof(double) * n * n), sum = 0, mean;
  for (i = 0; i < n; i++) {
    up[i] = i - 1;
    down[i] = i + 1;
    right[i] = i == n - 1 ? 0 : i + 1;
  }
  up[0] = 0;
  down[n - 1] = n - 1;
  if (tol > 0.5)
    (tol > 0.75 ? up : down)[n / 2] = n - 1;
  for (i = 0; i < n; i++)
    for (j = 0; j < n; j++)
      flat[i * n + j] = a[i][j];
#pragma scop
  for (t = 0; t < T; t++) {
    sum = 0;
    for (i = 0; i < n; i++)
      for (j = 0; j < n; j++)
        sum += flat[i * n + j];
    mean = sum / (n * n);
    for (i = 0; i < n; i++)
      for (j = 0; j < n; j++) {
        k = i * n + j;
        flux[k] = flat[up[i] * n + j] + flat[down[i] * n + j] - 2 * flat[k] + 0.01 * mean;
      }
    for (i = 0; i < n; i++)
      for (j = 0; j < n; j++) {
        k = i * n + j;
        flat[k] += 0.2 * flux[k];
      }
    for (i = 0; i < n; i++)
      for (j = 0; j < n; j++)
        b[i][j] = a[i][right[j]] - a[down[i]][j];
    for (i = 0; i < n; i++)
      for (j = 0; j < n; j++)
        a[i][j] += 0.1 * b[i][j];
  }
#pragma endscop
  for (i = 0; i < n; i++)
    for (j = 0; j < n; j++)
      b[i][j] += flat[i * n + j];
  *last = sum;
  free(up), free(down), free(flat), free(flux);
  return t;
}
