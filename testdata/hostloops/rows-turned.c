// Tables of rows whose pointers rotate in a loop that runs at least once: also where there is nothing to compute, and where no step is asked for.
// RUN 2 0 | 1 0 | 2 1 | 2 4 | 3 1 | 6 5 | 17 7 | 40 16
#include <stdio.h>
#include <stdlib.h>

static double **grid(int n, int seed)
{
  double *all = malloc((size_t)n * n * sizeof *all);
  double **rows = malloc((size_t)n * sizeof *rows);
  for (int i = 0; i < n * n; i++)
    all[i] = (i * 7919 + seed * 104729) % 1000 / 1000.0;
  for (int i = 0; i < n; i++)
    rows[i] = all + (size_t)i * n;
  return rows;
}

int main(int argc, char **argv)
{
  int n = argc > 1 ? atoi(argv[1]) : 9, steps = argc > 2 ? atoi(argv[2]) : 4;
  double **a = grid(n, 1), **b = grid(n, 2), **c = grid(n, 3);
  int t = 0;
#pragma scop
  do {
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        b[i][j] = 1.9 * a[i][j] - c[i][j] + 0.05 * (a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1] - 4 * a[i][j]);
    double **tmp = c;
    c = a;
    a = b;
    b = tmp;
  } while (++t < steps);
#pragma endscop
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      printf("%a %a %a\n", a[i][j], b[i][j], c[i][j]);
  printf("%d\n", t);
  return 0;
}
