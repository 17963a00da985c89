// Planes that take turns by their numbers, where each step ends with a sum: steps run one by one, from any plane, all of them in tiles. Arguments: rows, columns, time steps, and the
// planes to begin with.
// RUN 50 60 9 | 3 3 4 | 1 1 2 | 1 5 3 | 7 11 1 2 0 1 | 200 130 5
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

static double w[3][200][130], energy[16];

static void wave(int n, int m, int steps, int prev, int cur, int next)
{
#pragma scop
  for (int t = 0; t < steps; t++) {
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < m - 1; j++)
        w[next][i][j] = 1.9 * w[cur][i][j] - 0.95 * w[prev][i][j] + 0.05 * (w[cur][i - 1][j] + w[cur][i + 1][j] + w[cur][i][j - 1] + w[cur][i][j + 1]);
    double e = 0;
    for (int i = 0; i < n; i++)
      for (int j = 0; j < m; j++)
        e += w[next][i][j] * w[next][i][j];
    energy[t % 16] = e;
    const int old = prev;
    prev = cur;
    cur = next;
    next = old;
  }
#pragma endscop
}

/* planes of a size that is known when it runs; a nest in between sets a border of one plane */
static int settle(int n, int m, double (*v)[n][m], int steps)
{
  int from = 0, to = 1, t = 0;
  double change = 1;
#pragma scop
  while (t < steps && change > 1e-3) {
    change = 0;
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < m - 1; j++) {
        v[to][i][j] = 0.25 * (v[from][i - 1][j] + v[from][i + 1][j] + v[from][i][j - 1] + v[from][i][j + 1]);
        change += (v[to][i][j] - v[from][i][j]) * (v[to][i][j] - v[from][i][j]);
      }
    for (int j = 0; j < m; j++)
      v[to][0][j] = v[from][0][j] * 0.5;
    int was = from;
    from = to;
    to = was;
    t++;
  }
#pragma endscop
  return t;
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
  fill(n, m, u);
  printf("%d steps\n", settle(n, m, (double (*)[n][m])u, 4 * steps));
  show(n, m, u);
  for (int k = 0; k < 3 * 200 * 130; k++)
    (&w[0][0][0])[k] = k * 5 % 29 * 0.1;
  wave(n, m, steps, argc > 4 ? atoi(argv[4]) : 0, argc > 4 ? atoi(argv[5]) : 1, argc > 4 ? atoi(argv[6]) : 2);
  for (int t = 0; t < 16; t++)
    printf("%.17g\n", energy[t]);
  show(100, 130, &w[0][0][0]);
  free(u);
}
