// Functions with nests that the loop calls: one computes the length of the step, one relaxes in a time loop of its own, one sets the border.
// RUN 0 5 0.1 | 1 7 0.01 | 6 3 0 | 20 30 0.2 | 30 17 0.01 | 13 33 0.001 | 5 2 0.1 | 17 24 0
#include "square.h"

static double fastest(int n, double (*a)[n])
{
  double most = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      most = fmax(most, fabs(a[i][j]));
  return most;
}

static void border(int n, double (*a)[n])
{
  for (int i = 0; i < n; i++) {
    a[i][0] = a[i][1];
    a[i][n - 1] = 0.5;
  }
}

static void relax(int n, double (*a)[n], double (*b)[n], double by)
{
  for (int k = 0; k < 20; k++) {
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        b[i][j] = a[i][j] + by * (a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1] - 4 * a[i][j]);
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        a[i][j] = b[i][j];
  }
  border(n, a);
}

static int solve(int T, int n, double (*a)[n], double (*b)[n], double tol, double *last)
{
  double time = 0;
  int t = 0;
#pragma scop
  for (t = 0; t < T; t++) {
    double dt = 0.01 + 0.1 / (1 + fastest(n, a));
    relax(n, a, b, dt);
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        a[i][j] = b[i][j] + tol * dt;
    time += dt;
    if (t == 7)
      border(n, b);
  }
#pragma endscop
  *last = time;
  return t;
}
