// A block of structs with one subscript, and both ends of its rows set in one body.
// RUN 0 5 7 | 1 7 7 | 6 5 3 | 3 30 41 | 2 4 9 | 5 33 4
#include <stdio.h>
#include <stdlib.h>

struct cell {
  double e, h[2];
};

static void step(int T, int n, int m, struct cell *restrict c, double (*restrict edge)[n])
{
#pragma scop
  for (int t = 0; t < T; t++) {
    for (int i = 0; i < m; i++)
      for (int j = 1; j < n - 1; j++)
        c[i * n + j].e = 0.25 * (c[i * n + j].e + c[i * n + j].h[0] - c[i * n + j - 1].h[1]);
    for (int i = 1; i < m; i++)
      for (int j = 0; j < n; j++)
        c[i * n + j].h[0] = 0.5 * (c[i * n + j].e + c[(i - 1) * n + j].e);
    for (int i = 0; i < m; i++)
      for (int j = 0; j < n; j++)
        c[i * n + j].h[1] = c[i * n + j].e;
    for (int i = 0; i < m; i++) {
      edge[i][0] = 0.5 * edge[i][1];
      edge[i][n - 1] = 0.5 * edge[i][n - 2];
    }
    for (int i = 0; i < m; i++)
      for (int j = 1; j < n - 1; j++)
        edge[i][j] = 0.75 * edge[i][j] + c[i * n + j].h[1];
  }
#pragma endscop
}

int main(int argc, char **argv)
{
  int T = argc > 1 ? atoi(argv[1]) : 3, n = argc > 2 ? atoi(argv[2]) : 4, m = argc > 3 ? atoi(argv[3]) : 4;
  if (n < 2 || m < 1)
    return 1;
  struct cell *c = malloc(sizeof *c * m * n);
  double (*edge)[n] = malloc(sizeof(double) * m * n);
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++) {
      c[i * n + j] = (struct cell){(i * 7 + j * 3) % 11, {(i + j) % 5, (i * j) % 7}};
      edge[i][j] = (3 * i + j) % 8;
    }
  step(T, n, m, c, edge);
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++)
      printf("%a %a %a %a\n", c[i * n + j].e, c[i * n + j].h[0], c[i * n + j].h[1], edge[i][j]);
  return 0;
}
