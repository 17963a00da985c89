// Structs of which only the elements are exchanged, and not the sizes of their rows: these are the same, or the original loops run.
// RUN 5 12 9 0 | 4 9 12 0 | 1 3 3 0 | 0 5 4 0 | 3 1 1 0 | 7 33 20 0 | 3 10 4 1
// VIOLATED u_ny >= v_ny
#include <stdio.h>
#include <stdlib.h>

typedef struct {
  int nx, ny;
  double *data;
} field;

static double *at(const field *f, int i, int j) { return &f->data[i * f->ny + j]; }

static void relax(int T, field *u, field *v)
{
#pragma scop
  for (int t = 0; t < T; t++) {
    for (int i = 1; i < u->nx - 1; i++)
      for (int j = 1; j < u->ny - 1; j++)
        *at(v, i, j) = 0.25 * (*at(u, i - 1, j) + *at(u, i + 1, j) + *at(u, i, j - 1) + *at(u, i, j + 1));
    double *kept = u->data;
    u->data = v->data;
    v->data = kept;
  }
#pragma endscop
}

int main(int argc, char **argv)
{
  int T = argc > 1 ? atoi(argv[1]) : 4, n = argc > 2 ? atoi(argv[2]) : 12, m = argc > 3 ? atoi(argv[3]) : 9, turned = argc > 4 ? atoi(argv[4]) : 0;
  if (n < 1 || m < 1)
    return 1;
  field u = {n, m, malloc(sizeof(double) * n * n * m)}, v = {n, turned ? m + 1 : m, malloc(sizeof(double) * n * n * m)};
  for (int i = 0; i < n * n * m; i++)
    u.data[i] = v.data[i] = i * 7 % 11;
  relax(T, &u, &v);
  for (int i = 0; i < n * m; i++)
    printf("%a %a\n", u.data[i], v.data[i]);
  return 0;
}
