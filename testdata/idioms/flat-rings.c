// A step that sweeps along both rings of a torus, through a pointer that it exchanges twice.
// RUN 0 5 7 | 1 7 7 | 6 5 3 | 3 30 41 | 2 2 9 | 5 33 4 | 4 13 17 | 3 2 2 | 3 1 1
// VIOLATED g_ny >= 2
#include <stdio.h>
#include <stdlib.h>

typedef struct {
  int nx, ny;
  double *u, *cur, *next;
} Grid;

static void sweep_x(Grid *g, double r)
{
  const int nx = g->nx, ny = g->ny;
  const double *q = g->cur;
  double *qn = g->next;
  for (int j = 0; j < ny; j++)
    for (int i = 0; i < nx; i++) {
      int im = (i - 1 + nx) % nx, ip = (i + 1) % nx;
      double west = r * (q[j * nx + im] + q[j * nx + i]) * g->u[j * nx + im];
      double east = r * (q[j * nx + i] + q[j * nx + ip]) * g->u[j * nx + i];
      qn[j * nx + i] = q[j * nx + i] - (east - west);
    }
}

static void sweep_y(Grid *g, double r)
{
  const int nx = g->nx, ny = g->ny;
  for (int j = 0; j < ny; j++) {
    int jm = (j - 1 + ny) % ny, jp = (j + 1) % ny;
    for (int i = 0; i < nx; i++)
      g->next[j * nx + i] = g->cur[j * nx + i] - r * (g->cur[jp * nx + i] - g->cur[jm * nx + i]);
  }
}

static void swap(Grid *g)
{
  double *tmp = g->cur;
  g->cur = g->next;
  g->next = tmp;
}

static void run(int T, Grid *g)
{
#pragma scop
  for (int t = 0; t < T; t++) {
    sweep_x(g, 0.25);
    swap(g);
    sweep_y(g, 0.125);
    swap(g);
  }
#pragma endscop
}

int main(int argc, char **argv)
{
  int T = argc > 1 ? atoi(argv[1]) : 3, n = argc > 2 ? atoi(argv[2]) : 4, m = argc > 3 ? atoi(argv[3]) : 4;
  if (n < 1 || m < 1)
    return 1;
  Grid g = {m, n, malloc(sizeof(double) * n * m), malloc(sizeof(double) * n * m), malloc(sizeof(double) * n * m)};
  for (int i = 0; i < n * m; i++)
    g.u[i] = 0.5 + i % 3, g.cur[i] = i * 7 % 11, g.next[i] = i * 5 % 13;
  run(T, &g);
  for (int i = 0; i < n * m; i++)
    printf("%a %a\n", g.cur[i], g.next[i]);
  return 0;
}
