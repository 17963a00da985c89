// Blocks of structs that begin in front of what members of a struct lead to: a row of ghosts above, and one below.
// RUN 0 5 4 | 1 7 9 | 6 1 1 | 3 30 41 | 2 2 9 | 5 33 4 | 4 13 17 | 3 2 2
#include <stdio.h>
#include <stdlib.h>

static double next(void)
{
  static unsigned long s = 12345;
  s = s * 6364136223846793005ul + 1442695040888963407ul;
  return (double)(s >> 33) / (1ul << 31);
}

static double *block(long size)
{
  double *p = malloc(sizeof(double) * size);
  for (long i = 0; i < size; i++)
    p[i] = next();
  return p;
}

struct cell {
  double f[3];
};

struct grid {
  int n, m;
  struct cell *now, *then;
};

/* rows of structs, of which those above and below are ghosts */
static void cells(int T, struct grid *g)
{
#pragma scop
  for (int t = 0; t < T; t++) {
    for (int i = 0; i < g->n; i++)
      for (int j = 1; j < g->m - 1; j++)
        for (int q = 0; q < 3; q++)
          g->then[i * g->m + j].f[q] = 0.25 * (g->now[(i - 1) * g->m + j].f[q] + g->now[(i + 1) * g->m + j].f[(q + 1) % 3] + g->now[i * g->m + j - 1].f[q]);
    for (int i = 0; i < g->n; i++)
      for (int j = 1; j < g->m - 1; j++)
        for (int q = 0; q < 3; q++)
          g->now[i * g->m + j].f[q] = g->then[i * g->m + j].f[q];
  }
#pragma endscop
}

int main(int argc, char **argv)
{
  const int T = argc > 1 ? atoi(argv[1]) : 3, n = argc > 2 ? atoi(argv[2]) : 4, m = argc > 3 ? atoi(argv[3]) : 5;
  const int size = 3 * (n + 2) * (m + 2) + 10;
  double *a = block(size), *b = block(size);
  struct grid g = {n, m, (struct cell *)a + m, (struct cell *)b + m};
  cells(T, &g);
  for (int i = 0; i < size; i++)
    printf("%a %a\n", a[i], b[i]);
  return 0;
}
