// Arrays of structs with members of several types: those of one type change.
// RUN 0 5 | 1 7 | 4 40 | 5 19 | 3 3 | 6 33
#include <stdio.h>
#include <stdlib.h>

static double next(void)
{
  static unsigned long s = 12345;
  s = s * 6364136223846793005ul + 1442695040888963407ul;
  return (double)(s >> 33) / (1ul << 31);
}

struct material { float k[2]; short id; };
typedef struct { char tag; double u, v; struct material m; int fixed; unsigned mask; const char *name; } cell;
struct grid { int n; cell *restrict cells; double dt; };

static cell fixed[12];

static void step(int T, int n, cell (*restrict c)[n], struct grid *restrict g)
{
#pragma scop
  for (int t = 0; t < T; t++) {
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        c[i][j].v = c[i][j].fixed > 0 ? c[i][j].u : c[i][j].m.k[0] * c[i - 1][j].u + c[i][j].m.k[1] * c[i][j + 1].u;
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        c[i][j].u = c[i][j].v + (c[i][j].mask & 3u) * 0.001;
    for (int i = 1; i < n - 1; i++)
      g->cells[i].m.k[1] = (float)g->cells[i].v * g->cells[i].m.k[0] + (float)g->dt;
    for (int i = 0; i < 12; i++)
      fixed[i].mask += fixed[i].fixed ^ 5;
  }
#pragma endscop
}

static void fill(cell *c, int count)
{
  for (int k = 0; k < count; k++)
    c[k] = (cell){'a' + k % 26, next(), next(), {{next(), next()}, k}, k % 3 - 1, 77 * k, "cell"};
}

static void print(const cell *c, int count)
{
  for (int k = 0; k < count; k++)
    printf("%c %a %a %a %a %d %d %u %s\n", c[k].tag, c[k].u, c[k].v, c[k].m.k[0], c[k].m.k[1], c[k].m.id, c[k].fixed, c[k].mask, c[k].name);
}

int main(int argc, char **argv)
{
  int T = argc > 1 ? atoi(argv[1]) : 3, n = argc > 2 ? atoi(argv[2]) : 4;
  cell (*c)[n] = calloc(n, sizeof *c), *line = calloc(n, sizeof *line);
  struct grid g = {n, line, 0.125};
  fill(c[0], n * n);
  fill(line, n);
  fill(fixed, 12);
  step(T, n, c, &g);
  print(c[0], n * n);
  print(line, n);
  print(fixed, 12);
  free(c);
  free(line);
  return 0;
}
