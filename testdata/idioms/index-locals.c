// Index locals: of one subscript for two dimensions, chosen at the borders by ?: and by if, of planes, and from functions.
// RUN 0 5 7 | 1 7 7 | 6 5 3 | 3 30 41 | 2 3 9 | 5 33 4 | 4 13 17
#include <stdio.h>
#include <stdlib.h>

static int at(int i, int j, int m)
{
  int row = i;
  row *= m + 2;
  return row + j;
}

static int below(int i, int n)
{
  if (i + 1 < n)
    return i + 1;
  return n - 1;
}

static void step(int T, int n, int m, double *restrict u, double *restrict v, double *restrict w, double *restrict x, int (*restrict mark)[n][m])
{
  int c, east, south;
#pragma scop
  for (int t = 0; t < T; t++) {
    const int old = t % 2, new = 1 - old;
    for (int i = 1; i <= n; i++)
      for (int j = 1; j <= m; j++) {
        int k = i * (m + 2) + j;
        const int up = k - (m + 2);
        k++;
        v[k - 1] = u[k - 1] + 0.125 * (u[k - 2] + u[k] + u[up] + u[k + m + 1] - 4 * u[k - 1]);
      }
    for (int i = 1; i <= n; i++)
      for (int j = 1; j <= m; j++)
        u[at(i, j, m)] = v[at(i, j, m)];
    for (int i = 0; i < n; i++)
      for (int j = 0; j < m; j++) {
        c = i * m + j;
        east = j < m - 1 ? c + 1 : c;
        if (i < n - 1)
          south = c + m;
        else
          south = c;
        x[c] = 0.5 * w[c] + 0.25 * (w[east] + w[south]);
      }
    for (int i = 0; i < n; i++)
      for (int j = 0; j < m; j++)
        w[m * i + j] = x[m * i + j] + 1;
    for (int i = 0; i < n; i++) {
      short s = 1;
      const int next = below(i, n);
      for (int j = 1; j < m; j++)
        mark[new][i][j] = mark[old][next][j - s] + 1;
    }
  }
#pragma endscop
}

int main(int argc, char **argv)
{
  int T = argc > 1 ? atoi(argv[1]) : 3, n = argc > 2 ? atoi(argv[2]) : 4, m = argc > 3 ? atoi(argv[3]) : 4;
  if (n < 1 || m < 1)
    return 1;
  long cells = (long)(n + 2) * (m + 2);
  double *u = malloc(sizeof(double) * cells), *v = malloc(sizeof(double) * cells), *w = malloc(sizeof(double) * cells), *x = malloc(sizeof(double) * cells);
  int *mark = malloc(sizeof(int) * 2 * n * m);
  for (long i = 0; i < cells; i++)
    u[i] = i * 7 % 11, v[i] = i * 5 % 13, w[i] = i * 3 % 17, x[i] = i % 7;
  for (int i = 0; i < 2 * n * m; i++)
    mark[i] = i * 3 % 5;
  step(T, n, m, u, v, w, x, (int (*)[n][m])mark);
  for (long i = 0; i < cells; i++)
    printf("%a %a %a %a\n", u[i], v[i], w[i], x[i]);
  for (int i = 0; i < 2 * n * m; i++)
    printf("%d\n", mark[i]);
  return 0;
}
