// Borders of blocks with one subscript: clamped rows and columns by MIN and ?:, and rings by %, in sizes of a struct.
// RUN 0 5 7 | 1 7 7 | 6 5 3 | 3 30 41 | 2 2 9 | 5 33 4 | 4 13 17 | 3 2 2 | 3 1 1
// VIOLATED g_nx >= 2
#include <stdio.h>
#include <stdlib.h>

#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define MAX(a, b) ((a) > (b) ? (a) : (b))

struct grid {
  int nx, ny;
  double *cur, *next, *ring;
};

static double square(double x) { return x * x; }

static void step(struct grid *g)
{
  const int nx = g->nx, ny = g->ny;
  const double *h = g->cur;
  double *hnew = g->next;
  for (int j = 0; j < ny; j++) {
    int jn = MAX(j - 1, 0), js = MIN(j + 1, ny - 1);
    for (int i = 0; i < nx; i++) {
      int c = j * nx + i;
      int east = i < nx - 1 ? c + 1 : c;
      double d = h[jn * nx + i] - h[c];
      hnew[c] = h[c] + 0.0625 * (square(d) + h[js * nx + i] - h[east]);
    }
  }
}

static void run(int T, struct grid *g)
{
#pragma scop
  for (int t = 0; t < T; t++) {
    const int old = t % 2 * g->nx * g->ny, new = (t + 1) % 2 * g->nx * g->ny;
    step(g);
    for (int j = 0; j < g->ny; j++)
      for (int i = 0; i < g->nx; i++) {
        int im = (i - 1 + g->nx) % g->nx, ip = (i + 1) % g->nx;
        g->ring[new + j * g->nx + i] = 0.25 * (g->ring[old + j * g->nx + im] + g->ring[old + j * g->nx + ip]);
      }
    double *tmp = g->cur;
    g->cur = g->next;
    g->next = tmp;
  }
#pragma endscop
}

int main(int argc, char **argv)
{
  int T = argc > 1 ? atoi(argv[1]) : 3, n = argc > 2 ? atoi(argv[2]) : 4, m = argc > 3 ? atoi(argv[3]) : 4;
  if (n < 1 || m < 1)
    return 1;
  struct grid g = {m, n, malloc(sizeof(double) * n * m), malloc(sizeof(double) * n * m), malloc(sizeof(double) * 2 * n * m)};
  for (int i = 0; i < n * m; i++)
    g.cur[i] = i * 7 % 11, g.next[i] = i * 5 % 13;
  for (int i = 0; i < 2 * n * m; i++)
    g.ring[i] = i * 3 % 17;
  run(T, &g);
  for (int i = 0; i < n * m; i++)
    printf("%a %a\n", g.cur[i], g.next[i]);
  for (int i = 0; i < 2 * n * m; i++)
    printf("%a\n", g.ring[i]);
  return 0;
}
