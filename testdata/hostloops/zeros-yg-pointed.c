// Functions whose nests gather in what they are passed the address of: a sum, in two ways, the greatest change, how many points change, in scalars of the caller, of the
// file and of a struct; also by a function that passes the address on, and where the caller says what the sum begins with.
// RUN 9 8 12 | 3 3 5 | 17 33 7 | 5 4 1 | 4 5 0
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
typedef struct { double change; int moved; } Report;
static double total;

static void jacobi(int n, int m, double **a, double **b, double *diff)
{
  int i, j;
  *diff = 0.0;
  for (i = 1; i <= n; i++) {
    for (j = 1; j <= m; j++) {
      b[i][j] = 0.25 * (a[i + 1][j] + a[i - 1][j] + a[i][j + 1] + a[i][j - 1]);
      *diff = *diff + fabs(b[i][j] - a[i][j]);
    }
  }
  for (i = 1; i <= n; i++)
    for (j = 1; j <= m; j++)
      a[i][j] = b[i][j];
}

static void add(int n, int m, double **a, double *sum)
{
  for (int i = 0; i < n + 2; i++)
    for (int j = 0; j < m + 2; j++)
      *sum += a[i][j] * a[i][j];
}

static void smooth(int n, int m, double **a, double **b, double *most, int *moved)
{
  double old;
  for (int i = 1; i <= n; i++)
    for (int j = 1; j <= m; j++) {
      b[i][j] = 0.5 * a[i][j] + 0.125 * (a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1]);
      old = fabs(b[i][j] - a[i][j]);
      if (old > *most)
        *most = old;
      if (old > 0.01)
        (*moved)++;
    }
  for (int i = 1; i <= n; i++)
    for (int j = 1; j <= m; j++)
      a[i][j] = b[i][j];
}

static void both(int n, int m, double **a, double **b, double *most, int *moved, double *sum)
{
  *most = 0;
  *moved = 0;
  smooth(n, m, a, b, most, moved);
  add(n, m, a, sum);
}

static double **matrix(int n, int m)
{
  double **a = malloc(n * sizeof *a);
  a[0] = calloc((size_t)n * m, sizeof **a);
  for (int i = 1; i < n; i++)
    a[i] = a[i - 1] + m;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      a[i][j] = (i * 7919 + j * 104729) % 251 / 251.0;
  return a;
}

int main(int argc, char **argv)
{
  int i, j, n = argc > 1 ? atoi(argv[1]) : 9, m = argc > 2 ? atoi(argv[2]) : 8, steps = argc > 3 ? atoi(argv[3]) : 12;
  double diff = 7, least = 1e30, **a = matrix(n + 2, m + 2), **b = matrix(n + 2, m + 2);
  Report r = {0, 0};
#pragma scop
  for (i = 1; i <= steps; i++) {
    jacobi(n, m, a, b, &diff);
    if (diff < least)
      least = diff;
    if (i % 5 == 0)
      printf("%d %a\n", i, diff);
  }
#pragma endscop
#pragma scop
  for (int t = 0; t < steps; t++) {
    double sum = 1;
    add(n, m, a, &sum);
    both(n, m, a, b, &r.change, &r.moved, &total);
    printf("%a %a %d %a\n", sum, r.change, r.moved, total);
    if (r.change < 1e-3)
      break;
  }
#pragma endscop
  for (i = 0; i < n + 2; i++)
    for (j = 0; j < m + 2; j++)
      printf("%a\n", a[i][j]);
  printf("%a %a %d\n", diff, least, r.moved);
  return 0;
}
