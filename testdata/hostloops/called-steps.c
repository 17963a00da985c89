// Functions with the nests of a step, one of which calls another; a sum every seven steps, and another scalar of each step that only output uses.
// RUN 0 5 0.1 | 1 7 0.01 | 6 3 0 | 40 30 0.2 | 30 17 0.01 | 13 33 0.001 | 7 2 0.1 | 57 24 0
#include "square.h"

static void border(int n, double (*a)[n])
{
  for (int i = 0; i < n; i++) {
    a[i][0] = a[i][1];
    a[i][n - 1] = 0.5;
  }
}

static int step(int n, double (*a)[n], double (*b)[n], double by)
{
  double half = 0.5 * by;
  for (int i = 1; i < n - 1; i++)
    for (int j = 1; j < n - 1; j++)
      b[i][j] = a[i][j] + half * (a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1] - 4 * a[i][j]);
  half = half * half;
  border(n, b);
  return n;
}

static double norm(int n, double (*a)[n])
{
  double sum = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      sum += a[i][j] * a[i][j];
  return sqrt(sum);
}

static int solve(int T, int n, double (*a)[n], double (*b)[n], double tol, double *last)
{
  int t = 0;
  double time = 0, rate = tol;
#pragma scop
  for (t = 0; t < T; t++) {
    time = 0.01 * t;
    step(n, a, b, rate);
    if (t % 7 == 3) {
      printf("%d %g: %a\n", t, time, norm(n, b));
      rate = rate * 0.9;
    }
    double (*c)[n] = a;
    a = b;
    b = c;
  }
#pragma endscop
  *last = time + norm(n, a);
  return t;
}
