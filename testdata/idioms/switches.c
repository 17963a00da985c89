// A switch over the kind of a cell, in a nest, in functions and around nests.
// RUN 0 5 7 | 1 7 7 | 6 5 3 | 3 30 41 | 2 3 9 | 5 33 4 | 4 13 17
#include <stdio.h>
#include <stdlib.h>

enum { FLUID, WALL, INLET = 4, OUTLET = -3 };

static double relaxed(signed char kind, double mean, double old)
{
  switch (kind) {
  case FLUID:
    return 0.75 * mean + 0.25 * old;
  case INLET:
  case OUTLET:
    return mean;
  default:
    break;
  }
  return old;
}

static void run(int T, int n, int m, signed char kind[restrict n][m], double u[restrict n][m], double v[restrict n][m])
{
#pragma scop
  for (int t = 0; t < T; t++) {
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < m - 1; j++) {
        double w = 0;
        switch (kind[i][j]) {
        case WALL:
          v[i][j] = 0.0;
          break;
        default:
          v[i][j] = relaxed(kind[i][j], 0.25 * (u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1]), u[i][j]);
          break;
        case OUTLET: {
          v[i][j] = u[i][j - 1];
          break;
        }
        case INLET: /* as a wall that moves, and then some */
          v[i][j] = 1.0; /* fall through */
        case 6:
          v[i][j] += 0.125 * u[i][j + 1];
        }
        switch ((int)u[i][j] & 3) {
        case 0:
          w = 0.5;
          break;
        case 1:
          continue;
        case 2:
          w = u[i - 1][j];
        }
        if (j > 3)
          v[i][j] += 0.01 * w;
      }
    switch (t % 3) {
    case 2:
      for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < m - 1; j++)
          u[i][j] = v[i][j];
      break;
    default:
      for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < m - 1; j++)
          u[i][j] = 0.5 * (u[i][j] + v[i][j]);
    }
  }
#pragma endscop
}

int main(int argc, char **argv)
{
  int T = argc > 1 ? atoi(argv[1]) : 3, n = argc > 2 ? atoi(argv[2]) : 4, m = argc > 3 ? atoi(argv[3]) : 4;
  if (n < 1 || m < 1)
    return 1;
  signed char(*kind)[m] = malloc(n * sizeof *kind);
  double(*u)[m] = malloc(n * sizeof *u), (*v)[m] = malloc(n * sizeof *v);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      kind[i][j] = (i * 5 + j * 3) % 11 - 3;
      u[i][j] = v[i][j] = i * 7 % 11 + j;
    }
  run(T, n, m, kind, u, v);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      printf("%a %a\n", u[i][j], v[i][j]);
  return 0;
}
