// Small arrays of a body, tables in it and tables of structs: a lattice gas as its programs are written.
// RUN 0 5 7 | 1 7 7 | 6 5 3 | 3 30 41 | 2 3 9 | 5 33 4 | 4 13 17 | 3 1 1
#include <stdio.h>
#include <stdlib.h>

#define Q 5

static const struct {
  int dx, dy;
  double w;
} link[Q] = {{0, 0, 0.5}, {1, 0, 0.125}, {-1, 0, 0.125}, {.dy = 1, .w = 0.125}, {0, -1, 0.125}};

static inline size_t at(int q, int i, int j, int n, int m) { return ((size_t)q * n + i) * m + j; }


static void step(int T, int n, int m, double *restrict f, double *restrict g, double (*restrict h)[n][m][Q])
{
  static const int back[Q] = {0, 2, 1, 4, 3};
#pragma scop
  for (int t = 0; t < T; t++) {
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < m - 1; j++) {
        const int ex[Q] = {0, 1, -1}, ey[] = {0, 0, 0, 1, -1};
        double rho = 0, in[Q];
        for (int q = 0; q < Q; q++) {
          in[q] = f[at(q, i - ex[q], j - ey[q], n, m)];
          rho += in[q];
        }
        for (int q = 0; q < Q; q++)
          g[at(q, i, j, n, m)] = in[back[q]] + 0.25 * (link[q].w * rho - in[q]);
      }
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < m - 1; j++)
        for (int q = 0; q < Q; q++)
          f[at(q, i, j, n, m)] = g[at(q, i, j, n, m)];
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < m - 1; j++) {
        double v[2][3] = {{1}, {0, 0.5}}, sum = 0;
        for (int q = 0; q < Q; q++) {
          double here = h[t % 2][i + link[q].dx][j + link[q].dy][q];
          v[q % 2][q / 2] += here;
          if (q == 3)
            continue;
          sum += here * link[q].w;
        }
        for (int a = 0; a < 2; a++)
          v[a][2] = v[a][0] + v[a][1];
        for (int q = Q - 1; q >= 0; --q)
          h[(t + 1) % 2][i][j][q] = sum - 0.125 * v[q & 1][2] + v[0][0] * link[q].dx;
      }
  }
#pragma endscop
}

int main(int argc, char **argv)
{
  int T = argc > 1 ? atoi(argv[1]) : 3, n = argc > 2 ? atoi(argv[2]) : 4, m = argc > 3 ? atoi(argv[3]) : 4;
  if (n < 1 || m < 1)
    return 1;
  long cells = (long)n * m * Q;
  double *f = malloc(sizeof(double) * cells), *g = malloc(sizeof(double) * cells), *h = malloc(sizeof(double) * 2 * cells);
  for (long i = 0; i < cells; i++)
    f[i] = i * 7 % 11, g[i] = i * 5 % 13;
  for (long i = 0; i < 2 * cells; i++)
    h[i] = i * 3 % 17;
  step(T, n, m, f, g, (double (*)[n][m][Q])h);
  for (long i = 0; i < cells; i++)
    printf("%a %a\n", f[i], g[i]);
  for (long i = 0; i < 2 * cells; i++)
    printf("%a\n", h[i]);
  return 0;
}
