// Populations of a lattice in structs with arrays, by pointers to cells, whose numbers a function computes of members.
// RUN 20 12|7 1|2 9|3 4|31 18|2 3
#include <stdio.h>
#include <stdlib.h>
typedef struct { double f[3]; double rho; } cell_t;
typedef struct { int n, m; cell_t *cur, *next; } lattice_t;
static inline int at(const lattice_t *l, int i, int j) { return j * l->m + i; }
static void stream(lattice_t *l)
{
  for (int j = 1; j < l->n - 1; j++)
    for (int i = 1; i < l->m - 1; i++) {
      cell_t *o = l->next + at(l, i, j);
      const cell_t *c = &l->cur[at(l, i, j)];
      o->f[0] = c->f[0];
      o->f[1] = l->cur[at(l, i - 1, j)].f[1];
      o->f[2] = l->cur[at(l, i + 1, j)].f[2];
      o->rho = 0.5 * c->rho + o->f[0] + o->f[1] + o->f[2];
    }
}
static void walls(lattice_t *l)
{
  for (int i = 0; i < l->m; i++) {
    int lo = at(l, i, 0), hi = at(l, i, l->n - 1);
    l->next[lo].rho = 0.5 * l->cur[at(l, i, 1)].rho;
    l->next[hi].rho = 0.25 * l->cur[hi].rho;
  }
}
int main(int argc, char **argv)
{
  lattice_t s = { argc > 1 ? atoi(argv[1]) : 20, 17, 0, 0 }, *l = &s;
  int T = argc > 2 ? atoi(argv[2]) : 12;
  l->cur = calloc(l->n * l->m, sizeof *l->cur); l->next = calloc(l->n * l->m, sizeof *l->next);
  for (int k = 0; k < l->n * l->m; k++) { for (int q = 0; q < 3; q++) l->cur[k].f[q] = (k * 7 + q) % 5; l->cur[k].rho = k % 9; }
#pragma scop
  for (int t = 0; t < T; t++) {
    stream(l);
    walls(l);
    cell_t *tmp = l->cur; l->cur = l->next; l->next = tmp;
  }
#pragma endscop
  for (int k = 0; k < l->n * l->m; k++) printf("%g %g %g %g\n", l->cur[k].f[0], l->cur[k].f[1], l->cur[k].f[2], l->cur[k].rho);
}
