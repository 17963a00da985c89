// Extents that lie in an array, behind a pointer in a struct, and sources whose places lie in an array of structs.
// RUN 4 13 17 | 0 8 8 | 9 5 4 | 3 2 2 | 1 1 1 | 12 40 31 | 7 23 64
// VIOLATED f_size_2 >= 3
#include <stdio.h>
#include <stdlib.h>

#define SOURCES 3

struct source { double rate; int row, column; };
struct field { double *data; int *size; };

static void step(int steps, struct field *restrict f, const struct source *restrict s)
{
  double (*restrict u)[f->size[1]][f->size[2]] = (double (*)[f->size[1]][f->size[2]])f->data;
#pragma scop
  for (int t = 0; t < steps; t++) {
    for (int i = 1; i < f->size[1] - 1; i++)
      for (int j = 1; j < f->size[2] - 1; j++)
        u[(t + 1) % 2][i][j] = 0.25 * (u[t % 2][i - 1][j] + u[t % 2][i + 1][j] + u[t % 2][i][j - 1] + u[t % 2][i][j + 1]);
    for (int k = 0; k < SOURCES; k++)
      u[(t + 1) % 2][s[k].row][s[k].column] += s[k].rate * t;
  }
#pragma endscop
}

int main(int argc, char **argv)
{
  int steps = argc > 1 ? atoi(argv[1]) : 4, n = argc > 2 ? atoi(argv[2]) : 13, m = argc > 3 ? atoi(argv[3]) : 17;
  int size[] = {2, n, m};
  struct field f = {malloc(sizeof(double) * 2 * n * m), size};
  struct source s[SOURCES] = {{1.5, n / 2, m / 2}, {-0.25, n / 2, m / 2}, {3, n - 1, m / 3}};
  for (int i = 0; i < 2 * n * m; i++)
    f.data[i] = (i * 37 % 101) / 64.0;
  step(steps, &f, s);
  for (int i = 0; i < 2 * n * m; i++)
    printf("%a\n", f.data[i]);
  free(f.data);
}
