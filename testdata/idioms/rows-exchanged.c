// Tables of rows of one block change hands at each step, also where no point is between the borders.
// RUN 0 5 7 | 1 1 3 | 3 2 9 | 5 3 2 | 4 1 9 | 6 30 40 | 7 17 3
#include <stdio.h>
#include <stdlib.h>

static double **table(int n, int m, int x)
{
  double **rows = malloc(n * sizeof *rows), *block = malloc(sizeof(double) * n * m);
  for (int i = 0; i < n; i++) {
    rows[i] = block + i * m;
    for (int j = 0; j < m; j++)
      rows[i][j] = (i * 7 + j * 13 + x) % 11;
  }
  return rows;
}

int main(int argc, char **argv)
{
  int T = argc > 1 ? atoi(argv[1]) : 5, n = argc > 2 ? atoi(argv[2]) : 20, m = argc > 3 ? atoi(argv[3]) : 21, t = 0;
  double **u = table(n, m, 1), **v = table(n, m, 5);
#pragma scop
  while (t < T) {
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < m - 1; j++)
        v[i][j] = 0.25 * (u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1]);
    double **tmp = u;
    u = v;
    v = tmp;
    t++;
  }
#pragma endscop
  printf("%d\n", t);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      printf("%a %a\n", u[i][j], v[i][j]);
  return 0;
}
