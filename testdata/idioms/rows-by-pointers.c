// Rows that are reached by pointers. With a third argument they lie out of order: then the original loops run.
// RUN 0 5 | 1 7 | 6 30 | 13 40 | 2 3 | 5 90 | 5 20 1 | 2 0
// VIOLATED u_row >= m
#include <stdio.h>
#include <stdlib.h>

static double next(void)
{
  static unsigned long s = 12345;
  s = s * 6364136223846793005ul + 1442695040888963407ul;
  return (double)(s >> 33) / (1ul << 31);
}

static double **table(int n, int m, int mixed)
{
  double **rows = malloc((n + 1) * sizeof *rows);
  rows[0] = malloc((n * m + 1) * sizeof **rows);
  for (int i = 1; i < n; i++)
    rows[i] = rows[0] + i * m;
  if (mixed && n > 4) {
    double *row = rows[3];
    rows[3] = rows[1];
    rows[1] = row;
  }
  return rows;
}

struct grid {
  int rows;
  double **height;
};

static void smooth(int T, int n, int m, double **u, double **v, struct grid *g, const double **depth)
{
#pragma scop
  for (int t = 0; t < T; t++) {
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < m - 1; j++)
        v[i][j] = 0.25 * (u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1]) + depth[i][j + 2];
    for (int i = 0; i < n; i++)
      for (int j = 0; j < m; j++)
        g->height[i][j] += *(v[i] + j);
    double **tmp = u;
    u = v;
    v = tmp;
  }
#pragma endscop
  printf("%a\n", n > 0 ? **u : 0.0);
}

int main(int argc, char **argv)
{
  int T = argc > 1 ? atoi(argv[1]) : 5, n = argc > 2 ? atoi(argv[2]) : 20, m = n + 3;
  double **u = table(n, m, argc > 3), **v = table(n, m, 0), **depth = table(n, m + 1, 0);
  struct grid g = {n, table(n, m, 0)};
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      u[i][j] = next();
      v[i][j] = next();
      depth[i][j] = next();
      g.height[i][j] = next();
    }
  for (int i = 0; i < n; i++)
    depth[i][m] = 1;
  smooth(T, n, m, u, v, &g, (const double **)depth);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      printf("%a %a %a\n", u[i][j], v[i][j], g.height[i][j]);
  return 0;
}
