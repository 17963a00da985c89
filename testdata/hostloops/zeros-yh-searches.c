// Searches in tables, by loops that end by a break, in nests of a loop of the host: in functions, in bodies, and beside a sum.
// RUN 9 8 12 | 3 3 5 | 17 33 7 | 5 4 1 | 4 5 0
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#define SIZE 8
static const double edge[SIZE] = {0, 0.125, 0.25, 0.375, 0.5, 0.625, 0.75, 1};
static const double gain[SIZE] = {0.1, 0.2, 0.15, 0.3, 0.25, 0.1, 0.05, 0.2};

static double conductivity(double x)
{
  int i;
  for (i = 0; i < SIZE - 2; i++)
    if (x < edge[i + 1])
      break;
  return gain[i] + (gain[i + 1] - gain[i]) * (x - edge[i]) / (edge[i + 1] - edge[i]);
}

int main(int argc, char **argv)
{
  int n = argc > 1 ? atoi(argv[1]) : 9, m = argc > 2 ? atoi(argv[2]) : 8, steps = argc > 3 ? atoi(argv[3]) : 12;
  double(*a)[m] = malloc(sizeof(double) * n * m), (*b)[m] = malloc(sizeof(double) * n * m);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      a[i][j] = b[i][j] = (i * 7919 + j * 104729) % 251 / 251.0;
#pragma scop
  for (int t = 0; t < steps; t++) {
    double sum = 0;
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < m - 1; j++) {
        int k;
        for (k = 0; k < SIZE - 1; k++)
          if (a[i][j] < edge[k])
            break;
        b[i][j] = a[i][j] + 0.001 * gain[k] + conductivity(a[i][j]) * (a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1] - 4 * a[i][j]);
      }
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < m - 1; j++) {
        sum += fabs(b[i][j] - a[i][j]) / conductivity(b[i][j]);
        a[i][j] = b[i][j];
      }
    printf("%d %a\n", t, sum);
  }
#pragma endscop
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      printf("%a\n", a[i][j]);
  free(a);
  free(b);
  return 0;
}
