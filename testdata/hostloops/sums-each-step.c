// A sum of each step that the next nest uses, one that is stored, and a count that ends the loop.
// RUN 0 5 0.1 | 1 7 0.01 | 6 3 0 | 40 30 0.2 | 30 17 0.01 | 13 33 0.001 | 5 1 0.1 | 17 24 0
#include "square.h"

static int solve(int T, int n, double (*restrict a)[n], double (*restrict b)[n], double tol, double *last)
{
  double mass[1000], sum, mean;
  int changed, t = 0;
#pragma scop
  do {
    sum = 0;
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        sum += a[i][j];
    mass[t % 1000] = sum;
    mean = sum / (n * n + 1);
    changed = 0;
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++) {
        b[i][j] = a[i][j] > mean ? a[i][j] - 0.25 * (a[i][j] - mean) : 0.5 * (a[i][j - 1] + a[i - 1][j]);
        if (fabs(b[i][j] - a[i][j]) > tol)
          changed++;
      }
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        a[i][j] = b[i][j];
    t++;
  } while (changed && t < T);
#pragma endscop
  *last = mass[0] + mass[t - 1];
  return t;
}
