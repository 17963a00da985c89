// Pointers to rows with ghost cells in front of where they lead: at three levels of pointers, and planes that the time loop exchanges.
// RUN 9 4 | 20 9 | 33 12 | 5 0 | 4 30
#include <stdio.h>
#include <stdlib.h>

static double **field(int n, int m)
{
  double **f = malloc((size_t)(n + 2) * sizeof *f), *block = calloc((size_t)(n + 2) * (size_t)(m + 2), sizeof *block);
  if (!f || !block)
    exit(1);
  for (int i = 0; i < n + 2; i++)
    f[i] = block + i * (m + 2) + 1;
  for (int i = 0; i < (n + 2) * (m + 2); i++)
    block[i] = i % 13 * 0.25;
  return f + 1;
}

static void free_field(double **f)
{
  free(f[-1] - 1);
  free(f - 1);
}

static double ***box(int n)
{
  double ***b = malloc((size_t)(n + 2) * sizeof *b), **rows = malloc((size_t)((n + 2) * (n + 2)) * sizeof *rows);
  double *block = malloc((size_t)((n + 2) * (n + 2) * (n + 2)) * sizeof *block);
  if (!b || !rows || !block)
    exit(1);
  for (int i = 0; i < n + 2; i++) {
    b[i] = rows + i * (n + 2) + 1;
    for (int j = 0; j < n + 2; j++)
      b[i][j - 1] = block + (i * (n + 2) + j) * (n + 2) + 1;
  }
  for (int i = 0; i < (n + 2) * (n + 2) * (n + 2); i++)
    block[i] = i % 11 * 0.125;
  return b + 1;
}

static void free_box(double ***b)
{
  free(b[-1][-1] - 1);
  free(b[-1] - 1);
  free(b - 1);
}

static void heat(int n, int steps, double ***p, double ***q)
{
#pragma scop
  for (int t = 0; t < steps; t++) {
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        for (int k = 0; k < n; k++)
          q[i][j][k] = 0.125 * (p[i - 1][j][k] + p[i + 1][j][k] + p[i][j - 1][k] + p[i][j + 1][k] + p[i][j][k - 1] + p[i][j][k + 1]);
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        for (int k = 0; k < n; k++)
          p[i][j][k] = q[i][j][k];
  }
#pragma endscop
}

static void exchanged(int nx, int ny, int steps, double **a, double **b)
{
#pragma scop
  for (int t = 0; t < steps; t++) {
    for (int j = 0; j < ny; j++)
      a[-1][j] = a[0][j];
    for (int i = 0; i < nx; i++)
      a[i][-1] = -a[i][0];
    for (int i = 0; i < nx; i++)
      for (int j = 0; j < ny; j++)
        b[i][j] = 0.5 * a[i][j] + 0.25 * (a[i - 1][j] + a[i][j - 1]);
    double **c = a;
    a = b;
    b = c;
  }
#pragma endscop
}

int main(int argc, char **argv)
{
  int nx = argc > 1 ? atoi(argv[1]) : 20, steps = argc > 2 ? atoi(argv[2]) : 9, ny = nx + 3, n = nx / 2 + 2;
  double ***p = box(n), ***q = box(n), **a = field(nx, ny), **b = field(nx, ny);
  heat(n, steps, p, q);
  exchanged(nx, ny, steps, a, b);
  for (int i = -1; i <= n; i++)
    printf("%a %a\n", p[i][n / 2][n - i - 1], q[n / 2][i][n - i - 1]);
  for (int i = -1; i < nx; i++)
    for (int j = -1; j <= ny; j++)
      printf("%a %a\n", a[i][j], b[i][j]);
  free_box(p);
  free_box(q);
  free_field(a);
  free_field(b);
  return 0;
}
