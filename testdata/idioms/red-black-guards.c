// Points of one colour behind the test that they lie inside, all in one condition.
// RUN 0 5 | 1 7 | 4 12 | 5 9 | 3 3 | 2 2 | 3 1
#include <stdio.h>
#include <stdlib.h>

static void relax(int T, int n, int m, double *restrict u, double *restrict v)
{
#pragma scop
  for (int t = 0; t < T; t++) {
    for (int rb = 0; rb < 2; rb++)
      for (int k = 0; k < n; k++)
        for (int i = 0; i < n; i++)
          for (int j = 0; j < m; j++) {
            size_t id = (k * n + i) * m + j;
            if (k > 0 && k < n - 1 && i > 0 && i < n - 1 && j > 0 && j < m - 1 && (k + i + j + rb) % 2 == 0) {
              const double west = u[id - 1], east = u[id + 1];
              u[id] = 0.125 * (west + east + u[id - m] + u[id + m] + u[id - n * m] + u[id + n * m]) + 0.25 * u[id];
            }
          }
    for (int rb = 0; rb < 2; rb++)
      for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
          if (i == 0 || i == n - 1 || j == 0 || j == m - 1 || (i + j) % 2 != rb)
            continue;
          else
            v[i * m + j] = 0.25 * (v[i * m + j - 1] + v[i * m + j + 1] + v[(i - 1) * m + j] + v[(i + 1) * m + j]);
  }
#pragma endscop
}

int main(int argc, char **argv)
{
  int T = argc > 1 ? atoi(argv[1]) : 3, n = argc > 2 ? atoi(argv[2]) : 4, m = n + 3;
  double *u = malloc(sizeof(double) * n * n * m), *v = malloc(sizeof(double) * n * m);
  for (int i = 0; i < n * n * m; i++)
    u[i] = i * 7 % 13;
  for (int i = 0; i < n * m; i++)
    v[i] = i * 5 % 11;
  relax(T, n, m, u, v);
  for (int i = 0; i < n * n * m; i++)
    printf("%a\n", u[i]);
  for (int i = 0; i < n * m; i++)
    printf("%a\n", v[i]);
  free(u);
  free(v);
  return 0;
}
