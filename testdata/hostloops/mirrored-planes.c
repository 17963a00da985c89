// Two planes by a variable that only subscripts use, with ghosts at two sides and an end that is asked for every fifth step.
// RUN 0 5 0.1 | 1 7 0.01 | 6 3 0 | 40 30 0.2 | 300 17 0.01 | 130 33 0.001 | 5 2 0.1 | 77 24 0
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static int solve(int T, int n, double u[2][n][n + 2], double tol, int *plane, double *change)
{
  int cur = 0, it;
  double err = -1;
#pragma scop
  for (it = 0; it < T; it++) {
    const int next = 1 - cur;
    for (int i = 0; i < n; i++) {
      u[cur][i][0] = u[cur][i][1];
      u[cur][i][n + 1] = u[cur][i][n];
    }
    for (int i = 0; i < n; i++)
      for (int j = 1; j < n + 1; j++)
        u[next][i][j] = (u[cur][i][j] + u[cur][i > 0 ? i - 1 : 0][j] + u[cur][i < n - 1 ? i + 1 : n - 1][j] + u[cur][i][j - 1] + u[cur][i][j + 1]) / 5;
    cur = 1 - cur;
    if (it % 5 == 0) {
      err = 0;
      for (int i = 0; i < n; i++)
        for (int j = 1; j < n + 1; j++)
          err += fabs(u[0][i][j] - u[1][i][j]);
      if (err < tol)
        break;
    }
  }
#pragma endscop
  *plane = cur;
  *change = err;
  return it;
}

int main(int argc, char **argv)
{
  int T = argc > 1 ? atoi(argv[1]) : 40, n = argc > 2 ? atoi(argv[2]) : 20, cur;
  double tol = argc > 3 ? atof(argv[3]) : 0.1, err;
  double (*u)[n][n + 2] = malloc(sizeof(double[2][n][n + 2]));
  for (int k = 0; k < 2; k++)
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n + 2; j++)
        u[k][i][j] = (i * 7 + j * 3) % 11;
  int it = solve(T, n, u, tol, &cur, &err);
  double sum = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n + 2; j++)
      sum += u[cur][i][j] * (i + 2 * j);
  printf("%d %d %.17g %.17g\n", it, cur, err, sum);
  free(u);
}
