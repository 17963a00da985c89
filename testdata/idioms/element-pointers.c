// Pointers that a body sets to the elements that it works on: structs, and members of such.
// RUN 0 5 7 | 1 7 7 | 6 5 3 | 3 30 41 | 2 3 9 | 5 33 4 | 4 13 17
#include <stdio.h>
#include <stdlib.h>

typedef struct {
  float h, hu, hv;
} cell;

static int width;

static inline int at(int i, int j) { return i * width + j; }

/* Half of what flows from l to r. */
static void flux(const cell *l, const cell *r, cell *to, float k)
{
  to->hu = 0.5f * (l->hu + r->hu) - k * (r->h - l->h);
}

static void run(int T, int n, int m, float k, cell *restrict now, cell *restrict next, cell (*restrict rows)[n][m])
{
  width = m;
#pragma scop
  for (int t = 0; t < T; t++) {
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < m - 1; j++) {
        const cell *c = &now[at(i, j)], *east = &now[at(i, j + 1)];
        cell *o = &next[at(i, j)];
        float *const v = &next[at(i, j)].hv;
        o->h = c->h - k * ((*east).hu - now[at(i, j - 1)].hu);
        *v = east[0].hv + 0.5f * c->hv;
        flux(c, &now[at(i + 1, j)], o, k);
      }
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < m - 1; j++) {
        const cell *const from = &rows[t % 2][i - 1][j];
        cell *const to = &rows[(t + 1) % 2][i][j];
        *to = *from;
        to->h += 0.25f * rows[t % 2][i][j + 1].hv;
        now[at(i, j)] = next[at(i, j)];
      }
  }
#pragma endscop
}

int main(int argc, char **argv)
{
  int T = argc > 1 ? atoi(argv[1]) : 3, n = argc > 2 ? atoi(argv[2]) : 4, m = argc > 3 ? atoi(argv[3]) : 4;
  if (n < 1 || m < 1)
    return 1;
  cell *now = malloc(n * m * sizeof *now), *next = malloc(n * m * sizeof *next), *rows = malloc(2 * n * m * sizeof *rows);
  for (int i = 0; i < n * m; i++) {
    now[i] = (cell){i * 7 % 11, i % 3, i % 5};
    next[i] = (cell){i % 4, i % 7, i * 3 % 5};
    rows[i] = rows[n * m + i] = (cell){i % 13, 1, i % 6};
  }
  run(T, n, m, 0.125f, now, next, (cell (*)[n][m])rows);
  for (int i = 0; i < n * m; i++)
    printf("%a %a %a %a %a %a\n", now[i].h, now[i].hu, now[i].hv, rows[i].h, rows[n * m + i].h, rows[i].hv);
  return 0;
}
