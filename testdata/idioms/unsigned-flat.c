// Rows in one block, by indices of 32 bits: unsigned sums of products, an int that holds what is computed in long, and planes in front of them. That
// they count all elements depends on the sizes, which is tested.
// RUN 0 5 7 | 1 3 3 | 6 3 5 | 7 40 33 | 12 33 30 | 5 4 9 | 9 2 2 | 4 2 4 | 8 2 6
#include <stdio.h>
#include <stdlib.h>
#define AT(i, j) ((i) * m + (j))

static void run(int T, unsigned n, unsigned m, int rows, int columns, double *restrict u, double *restrict v, float *restrict w, short *restrict c)
{
#pragma scop
  for (int t = 0; t < T; t++) {
    for (unsigned i = 1; i < n - 1; i++)
      for (unsigned j = 1; j < m - 1; j++)
        v[AT(i, j)] = u[AT(i, j)] + 0.125 * (u[AT(i - 1, j)] + u[AT(i + 1, j)] + u[AT(i, j - 1)] + u[AT(i, j + 1)] - 4 * u[AT(i, j)]);
    for (unsigned i = 1; i < n - 1; i++)
      for (unsigned j = 1; j < m - 1; j++) {
        const unsigned k = i * m + j;
        u[k] = v[k];
      }
    for (long i = 1; i < rows - 1; i++)
      for (long j = 1; j < columns - 1; j++) {
        int k = i * columns + j, north = (i - 1) * columns + j, south = k + columns;
        w[(t + 1) % 2 * rows * columns + k] = 0.5f * w[t % 2 * rows * columns + k] + 0.125f * (w[t % 2 * rows * columns + north] + w[t % 2 * rows * columns + south]);
      }
    for (unsigned i = 1; i < n; i++)
      for (unsigned j = 0; j < m; j++)
        c[((t + 1) % 2 * n + i) * m + j] = (c[(t % 2 * n + i) * m + j] + 3 * c[(size_t)(t % 2) * n * m + (i - 1) * m + j]) % 50;
  }
#pragma endscop
}

int main(int argc, char **argv)
{
  int T = argc > 1 ? atoi(argv[1]) : 3, n = argc > 2 ? atoi(argv[2]) : 6, m = argc > 3 ? atoi(argv[3]) : 5;
  double *u = calloc(n * m + 1, sizeof *u), *v = calloc(n * m + 1, sizeof *v);
  float *w = calloc(2 * n * m + 1, sizeof *w);
  short *c = calloc(2 * n * m + 1, sizeof *c);
  for (int k = 0; k < n * m; k++)
    u[k] = k % 17, v[k] = k % 5, w[k] = k % 13, w[n * m + k] = k % 11, c[k] = k % 41;
  run(T, n, m, n, m, u, v, w, c);
  for (int k = 0; k < n * m; k++)
    printf("%a %a %a %a %d %d\n", u[k], v[k], w[k], w[n * m + k], c[k], c[n * m + k]);
  return 0;
}
