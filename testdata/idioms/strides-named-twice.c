// The length of a row under a name in the function around the region, under one in a function that it calls, and written out; planes in
// front of them, of lines that are mirrored at their ends.
// RUN 0 5 7 | 1 3 3 | 6 3 5 | 7 40 33 | 12 33 30 | 5 4 9 | 9 2 2 | 4 2 4 | 8 2 6 | 3 1 1
// VIOLATED n >= 2
#include <stdio.h>
#include <stdlib.h>

struct cell {
  float now, next;
};

static void borders(int n, int m, struct cell *cell)
{
  const int ld = m + 2;
  for (int j = 1; j < m + 1; j++) {
    cell[0 * ld + j].now = cell[1 * ld + j].now;
    cell[(n + 1) * ld + j].now = cell[n * ld + j].now;
  }
}

static inline int at(int i, int j, int ld) { return i * ld + j; }

static void run(int n, int m, struct cell *cell, double *line, int steps)
{
  const int ld = m + 2;
#pragma scop
  for (int t = 0; t < steps; t++) {
    borders(n, m, cell);
    for (int i = 1; i < n + 1; i++)
      for (int j = 1; j < m + 1; j++)
        cell[i * ld + j].next = 0.5f * cell[at(i, j, m + 2)].now + 0.25f * (cell[(i - 1) * ld + j].now + cell[(i + 1) * (m + 2) + j].now);
    for (int i = 1; i < n + 1; i++)
      for (int j = 1; j < m + 1; j++)
        cell[at(i, j, ld)].now = cell[at(i, j, ld)].next;
    for (int i = 0; i < n; i++) {
      int west = i < 1 ? 1 - i : i - 1, east = i >= n - 1 ? 2 * (n - 1) - (i + 1) : i + 1;
      line[(t + 1) % 2 * n + i] = 0.5 * line[t % 2 * n + i] + 0.25 * (line[t % 2 * n + west] + line[t % 2 * n + east]);
    }
  }
#pragma endscop
}

int main(int argc, char **argv)
{
  int steps = argc > 1 ? atoi(argv[1]) : 3, n = argc > 2 ? atoi(argv[2]) : 6, m = argc > 3 ? atoi(argv[3]) : 5;
  struct cell *cell = calloc((n + 2) * (m + 2), sizeof *cell);
  double *line = calloc(2 * n + 1, sizeof *line);
  for (int k = 0; k < (n + 2) * (m + 2); k++)
    cell[k].now = k % 17, cell[k].next = k % 5;
  for (int k = 0; k < 2 * n; k++)
    line[k] = k % 7;
  run(n, m, cell, line, steps);
  for (int k = 0; k < (n + 2) * (m + 2); k++)
    printf("%a %a\n", cell[k].now, cell[k].next);
  for (int k = 0; k < 2 * n; k++)
    printf("%a\n", line[k]);
  return 0;
}
