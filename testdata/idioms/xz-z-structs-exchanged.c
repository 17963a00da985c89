// Grids that are members of a solver, as structs and by pointers, and are exchanged there: three in turn, and two.
// RUN 1 3 | 2 4 | 3 5 | 5 6 | 12 23 | 13 64
#include <stdio.h>
#include <stdlib.h>
typedef struct { int n; double *d; } grid;
typedef struct { grid prev, cur, next; double k; } sim;
typedef struct { sim in; grid *x, *y; } outer;
static void advance(outer *o, int n) {
  for (int i = 1; i < n - 1; i++) o->in.next.d[i] = 2 * o->in.cur.d[i] - o->in.prev.d[i] + o->in.k * (o->in.cur.d[i - 1] + o->in.cur.d[i + 1] - 2 * o->in.cur.d[i]);
  for (int i = 1; i < n - 1; i++) o->y->d[i] = 0.5 * o->x->d[i + 1] + 0.1 * o->in.next.d[i];
  grid tmp = o->in.prev; o->in.prev = o->in.cur; o->in.cur = o->in.next; o->in.next = tmp;
  grid *h = o->x; o->x = o->y; o->y = h;
}
static void run(outer *s, int n, int steps) {
#pragma scop
  for (int t = 0; t < steps; t++) advance(s, n);
#pragma endscop
}
int main(int argc, char **argv) {
  const int steps = argc > 1 ? atoi(argv[1]) : 13, n = argc > 2 ? atoi(argv[2]) : 101;
  grid g[5]; for (int k = 0; k < 5; k++) { g[k].n = n; g[k].d = calloc(n, sizeof(double)); }
  outer s = {{g[0], g[1], g[2], 0.2}, &g[3], &g[4]};
  for (int i = 0; i < n; i++) for (int k = 0; k < 5; k++) g[k].d[i] = (i * (k + 1)) % 7;
  run(&s, n, steps);
  double r = 0; for (int i = 0; i < n; i++) r += s.in.cur.d[i] * (i % 5) + s.in.next.d[i] + 3 * s.in.prev.d[i] + 5 * s.x->d[i] + 7 * s.y->d[i];
  printf("%.15g\n", r);
}
