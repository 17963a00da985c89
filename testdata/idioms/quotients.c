// Sources in the middle of the grid, and loops over a part of it: quotients of sizes in subscripts, bounds and conditions.
// RUN 0 5 | 1 4 | 3 9 | 7 10 | 5 37 | 2 6 | 4 4
#include <stdio.h>
#include <stdlib.h>

static void run(int n, int m, int T, double *u, double *v, const double *src)
{
#pragma scop
  for (int t = 0; t < T; t++) {
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < m - 1; j++)
        v[i * m + j] = 0.25 * (u[(i - 1) * m + j] + u[(i + 1) * m + j] + u[i * m + j - 1] + u[i * m + j + 1]);
    v[(n / 2) * m + (m - 1) / 3] += src[t];
    for (int i = n / 4; i < 3 * n / 4; i++)
      v[i * m + m / 2] -= 0.125;
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < m - 1; j++)
        u[i * m + j] = i < n / 2 ? v[i * m + j] : 0.5 * v[i * m + j];
  }
#pragma endscop
}

int main(int argc, char **argv)
{
  int T = argc > 1 ? atoi(argv[1]) : 3, n = argc > 2 ? atoi(argv[2]) : 9, m = n + 3;
  double *u = malloc(n * m * sizeof *u), *v = malloc(n * m * sizeof *v), src[8];
  for (int i = 0; i < n * m; i++)
    u[i] = i * 7 % 13, v[i] = i * 5 % 11;
  for (int t = 0; t < 8; t++)
    src[t] = 1.0 / (t + 1);
  run(n, m, T, u, v, src);
  for (int i = 0; i < n * m; i++)
    printf("%a %a\n", u[i], v[i]);
  return 0;
}
