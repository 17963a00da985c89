// Functions that return the address of an element.
// RUN 0 5 7 | 1 7 7 | 6 5 3 | 3 30 41 | 2 3 9 | 5 33 4 | 4 13 17
#include <stdio.h>
#include <stdlib.h>

typedef struct {
  double h, u;
} cell;

typedef struct {
  int n, m;
  double *data;
  cell *cells;
} grid;

static inline double *at(const grid *g, int i, int j) { return &g->data[(size_t)i * g->m + j]; }

static double *row(const grid *g, int i) { return g->data + i * g->m; }

static int place(const grid *g, int i, int j) { return i * g->m + j; }

static cell *water(const grid *g, int i, int j)
{
  const int k = place(g, i, j);
  return &g->cells[k];
}

static double slope(const grid *g, int i, int j) { return 0.5 * (*at(g, i, j + 1) - *at(g, i, j - 1)); }

static void step(grid *from, grid *to)
{
  for (int i = 1; i < from->n - 1; i++)
    for (int j = 1; j < from->m - 1; j++) {
      *at(to, i, j) = 0.25 * (*at(from, i - 1, j) + row(from, i + 1)[j] + at(from, i, j)[1] + at(from, i, j - 1)[0]);
      *at(to, i, j) += 0.125 * slope(from, i, j);
    }
}

static void run(int T, grid *a, grid *b)
{
#pragma scop
  for (int t = 0; t < T; t++) {
    step(a, b);
    for (int i = 1; i < a->n - 1; i++)
      for (int j = 1; j < a->m - 1; j++) {
        row(a, i)[j] = *at(b, i, j) + 0.01 * water(a, i, j)->h;
        water(a, i, j)->u = 0.5 * water(a, i, j)->u + (*water(a, i, j)).h;
      }
  }
#pragma endscop
}

int main(int argc, char **argv)
{
  int T = argc > 1 ? atoi(argv[1]) : 3, n = argc > 2 ? atoi(argv[2]) : 4, m = argc > 3 ? atoi(argv[3]) : 4;
  if (n < 2 || m < 1)
    return 1;
  grid a = {n, m, malloc(sizeof(double) * n * m), malloc(sizeof(cell) * n * m)}, b = {n, m, malloc(sizeof(double) * n * m), malloc(sizeof(cell) * n * m)};
  for (int i = 0; i < n * m; i++)
    a.data[i] = i * 7 % 11, b.data[i] = i * 5 % 13, a.cells[i].h = i % 3, a.cells[i].u = i % 5;
  run(T, &a, &b);
  for (int i = 0; i < n * m; i++)
    printf("%a %a %a\n", a.data[i], b.data[i], a.cells[i].u);
  return 0;
}
