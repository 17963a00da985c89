// Planes of one block that take turns by their numbers, where each step ends with a sum: steps run one by one, from either plane, all of them in tiles.
// RUN 50 60 9 | 3 3 4 | 0 0 2 | 1 5 3 | 7 11 1 | 200 130 5
#include <stdio.h>
#include <stdlib.h>

static double sums[4];

static void relax(int n, int m, double *u, int maxit)
{
  int it = 0, cur = 0;
#pragma scop
  do {
    const int nxt = 1 - cur;
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < m - 1; j++)
        u[nxt * n * m + i * m + j] = 0.25 * (u[cur * n * m + (i - 1) * m + j] + u[cur * n * m + (i + 1) * m + j] + u[cur * n * m + i * m + j - 1] + u[cur * n * m + i * m + j + 1]);
    cur = 1 - cur;
    double s = 0;
    for (int i = 0; i < n; i++)
      for (int j = 0; j < m; j++)
        s += u[cur * n * m + i * m + j];
    sums[it % 4] = s;
  } while (++it < maxit);
#pragma endscop
}

static void fill(int n, int m, double *u)
{
  for (int k = 0; k < 2 * n * m; k++)
    u[k] = k * 7 % 31 * 0.1;
}

static void show(int n, int m, const double *u)
{
  double s = 0;
  for (int k = 0; k < 2 * n * m; k++)
    s += u[k] * (k % 13);
  printf("%.17g: %.17g %.17g %.17g %.17g\n", s, sums[0], sums[1], sums[2], sums[3]);
}

int main(int argc, char **argv)
{
  int n = atoi(argv[1]), m = atoi(argv[2]), steps = atoi(argv[3]);
  double *u = malloc(2 * (n * m + 1) * sizeof *u);
  fill(n, m, u);
  relax(n, m, u, steps);
  show(n, m, u);
  free(u);
}
