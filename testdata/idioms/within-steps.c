// A time loop within each step of another one: a field is moved, and then made smooth by some Jacobi iterations with borders.
// RUN 0 5 7|1 7 7|6 5 6|3 30 41|2 2 9|5 33 5|4 13 17|3 6 2
// VIOLATED n >= 3
// VIOLATED m >= 4
#include <stdio.h>
#include <stdlib.h>

#define ITERATIONS 5

static void step(int T, int n, int m, double (*restrict p)[m], double (*restrict q)[m], double (*restrict b)[m])
{
#pragma scop
  for (int t = 0; t < T; t++) {
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < m - 1; j++)
        b[i][j] = 0.5 * b[i][j] + 0.25 * (p[i][j + 1] - p[i - 1][j]);
    for (int k = 0; k < ITERATIONS; k++) {
      for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
          q[i][j] = p[i][j];
      for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < m - 1; j++)
          p[i][j] = 0.25 * (q[i - 1][j] + q[i + 1][j] + q[i][j - 1] + q[i][j + 1]) - b[i][j];
      for (int i = 0; i < n; i++) {
        p[i][m - 1] = p[i][m - 2];
        p[i][0] = p[i][1];
      }
      for (int j = 0; j < m; j++) {
        p[0][j] = p[1][j];
        p[n - 1][j] = 0;
      }
    }
  }
#pragma endscop
}

int main(int argc, char **argv)
{
  int T = argc > 1 ? atoi(argv[1]) : 3, n = argc > 2 ? atoi(argv[2]) : 4, m = argc > 3 ? atoi(argv[3]) : 4;
  double (*p)[m] = malloc(sizeof(double) * n * m), (*q)[m] = malloc(sizeof(double) * n * m), (*b)[m] = malloc(sizeof(double) * n * m);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      p[i][j] = (i * 7 + j * 3) % 17, q[i][j] = 0, b[i][j] = (i + j) % 5;
  step(T, n, m, p, q, b);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      printf("%a %a %a\n", p[i][j], q[i][j], b[i][j]);
  return 0;
}
