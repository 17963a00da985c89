// Structs that functions get, by pointer or by value, with the sizes in them; functions of an index that is a product.
// RUN 0 5 7 | 1 7 7 | 6 5 3 | 3 30 41 | 2 3 9 | 5 33 4 | 4 13 17
#include <stdio.h>
#include <stdlib.h>

struct size {
  int n, m;
};

typedef struct {
  struct size s;
  double c, *u, *v;
} grid;

static inline size_t at(const grid *g, int i, int j) { return (size_t)i * g->s.m + j; }

static double laplace(const double *u, int k, struct size s) { return u[k - 1] + u[k + 1] + u[k - s.m] + u[k + s.m] - 4 * u[k]; }

static void spread(grid *g)
{
  const int n = g->s.n, m = g->s.m;
  const double *u = g->u;
  double *v = g->v;
  for (int i = 1; i < n - 1; i++)
    for (int j = 1; j < m - 1; j++) {
      const int k = i * m + j;
      v[k] = u[k] + g->c * laplace(u, k, g->s);
    }
}

static void copy(struct size s, const double *from, double *to)
{
  for (int i = 1; i < s.n - 1; i++)
    for (int j = 1; j < s.m - 1; j++)
      to[i * s.m + j] = from[i * s.m + j];
}

static void run(int T, grid *gr)
{
#pragma scop
  for (int t = 0; t < T; t++) {
    spread(gr);
    copy(gr->s, gr->v, gr->u);
    for (int j = 0; j < gr->s.m; j++)
      gr->u[at(gr, 0, j)] = 0.5 * gr->u[at(gr, 1, j)];
  }
#pragma endscop
}

int main(int argc, char **argv)
{
  int T = argc > 1 ? atoi(argv[1]) : 3, n = argc > 2 ? atoi(argv[2]) : 4, m = argc > 3 ? atoi(argv[3]) : 4;
  if (n < 2 || m < 1)
    return 1;
  grid g = {{n, m}, 0.125, malloc(sizeof(double) * n * m), malloc(sizeof(double) * n * m)};
  for (int i = 0; i < n * m; i++)
    g.u[i] = i * 7 % 11, g.v[i] = i * 5 % 13;
  run(T, &g);
  for (int i = 0; i < n * m; i++)
    printf("%a %a\n", g.u[i], g.v[i]);
  return 0;
}
