// A grid is a struct of sizes, a coefficient and pointers; the pointers rotate inside of it.
// RUN 0 5 6 | 1 7 3 | 4 12 40 | 5 19 17 | 3 3 3 | 6 9 8
#include <stdio.h>
#include <stdlib.h>

static double next(void)
{
  static unsigned long s = 12345;
  s = s * 6364136223846793005ul + 1442695040888963407ul;
  return (double)(s >> 33) / (1ul << 31);
}

struct shape { int nx, ny; };
typedef struct {
  struct shape size;
  double alpha;
  double *restrict u, *restrict v;
} grid;

static void step(grid *g, int T)
{
#pragma scop
  for (int t = 0; t < T; t++) {
    for (int i = 1; i < g->size.nx - 1; i++)
      for (int j = 1; j < g->size.ny - 1; j++)
        g->v[i * g->size.ny + j] = g->u[i * g->size.ny + j] +
          g->alpha * (g->u[(i - 1) * (*g).size.ny + j] + g->u[(i + 1) * g->size.ny + j] - 2 * g->u[i * g->size.ny + j + 1]);
    double *swap = g->u;
    g->u = g->v;
    g->v = swap;
  }
#pragma endscop
}

int main(int argc, char **argv)
{
  int T = argc > 1 ? atoi(argv[1]) : 3, nx = argc > 2 ? atoi(argv[2]) : 4, ny = argc > 3 ? atoi(argv[3]) : 4;
  grid g = {{nx, ny}, 0.2, malloc(sizeof(double) * nx * ny), malloc(sizeof(double) * nx * ny)};
  double *u = g.u;
  for (int i = 0; i < nx * ny; i++)
    g.u[i] = next(), g.v[i] = next();
  step(&g, T);
  printf("%d\n", u == g.u);
  for (int i = 0; i < nx * ny; i++)
    printf("%a %a\n", g.u[i], g.v[i]);
  return 0;
}
