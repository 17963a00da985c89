// Norms behind continue, over points that a mask leaves, and between two planes of one array.
// RUN 0 5 0.1 | 1 7 0.01 | 6 3 0 | 40 30 0.2 | 300 17 0.01 | 130 33 0.001 | 5 1 0.1 | 77 24 0
#include "square.h"

static int solve(int T, int n, double (*a)[n], double (*b)[n], double tol, double *last)
{
  double err = 1, u[2][n][n], diff = 1;
  int t = 0, now = 0, it = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      u[0][i][j] = u[1][i][j] = b[i][j];
#pragma scop
  while (err > tol && t < T) {
    err = 0;
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++) {
        if ((i * j) % 5 == 2)
          continue;
        b[i][j] = a[i][j] + 0.2 * (a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1] - 4 * a[i][j]);
        if (i % 3 == 0)
          continue;
        err = fmax(err, fabs(b[i][j] - a[i][j]));
      }
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        a[i][j] = b[i][j];
    t++;
  }
#pragma endscop
#pragma scop
  while (diff > tol && it < T) {
    diff = 0;
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++) {
        if (b[i][j] > 0.75) {
          u[1 - now][i][j] = u[now][i][j];
          continue;
        }
        u[1 - now][i][j] = u[now][i][j] + 0.2 * (u[now][i - 1][j] + u[now][i + 1][j] + u[now][i][j - 1] + u[now][i][j + 1] - 4 * u[now][i][j]);
        double d = fabs(u[1 - now][i][j] - u[now][i][j]);
        if (d > diff)
          diff = d;
      }
    now = 1 - now;
    it++;
  }
#pragma endscop
  diff += it;
#pragma scop
  for (int s = 0; s < T; s++) {
    err = 0;
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++) {
        u[(s + 1) % 2][i][j] = 0.25 * (u[s % 2][i - 1][j] + u[s % 2][i + 1][j] + u[s % 2][i][j - 1] + u[s % 2][i][j + 1]);
        err += fabs(u[(s + 1) % 2][i][j] - u[s % 2][i][j]);
      }
    if (err < tol)
      break;
  }
#pragma endscop
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      b[i][j] = u[0][i][j] - 2 * u[1][i][j];
  *last = diff + err;
  return t;
}
