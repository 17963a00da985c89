// Heads of loops: several variables of which some are places of rows, and variables of few bits.
// RUN 0 5 7 | 1 7 7 | 6 5 3 | 3 30 41 | 2 3 9 | 5 33 4 | 4 13 17 | 3 1 1
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define N 21

static void step(int T, int n, int m, double *restrict u, double *restrict v, unsigned char a[restrict 2][N][N])
{
  short i;
  unsigned char j;
  int row;
  size_t below;
#pragma scop
  for (int t = 0; t < T; t++) {
    for (int i = 1, k = m, up = 0; i < n - 1; i++, k += m, up += m)
      for (int j = 1; j < m - 1; j++)
        v[k + j] = 0.25 * (u[k + j - 1] + u[k + j + 1] + u[up + j] + u[k + m + j]);
    for (i = n - 2, row = i * m, below = row + m; i > 0; row -= m, --i, below -= m)
      for (int64_t j = 1; j < m - 1; j++)
        u[row + j] = v[row + j] + 0.5 * v[below + j];
    for (i = 1; i < N - 1; i++)
      for (j = 1; j < N - 1; j++) {
        int s = a[t % 2][i - 1][j] + a[t % 2][i + 1][j] + a[t % 2][i][j - 1] + a[t % 2][i][j + 1] + i * j;
        a[(t + 1) % 2][i][j] = s % 7 == 3 || (s % 5 == 2 && a[t % 2][i][j]);
      }
  }
#pragma endscop
}

int main(int argc, char **argv)
{
  int T = argc > 1 ? atoi(argv[1]) : 3, n = argc > 2 ? atoi(argv[2]) : 4, m = argc > 3 ? atoi(argv[3]) : 4;
  static unsigned char a[2][N][N];
  double *u = malloc(sizeof(double) * n * m), *v = malloc(sizeof(double) * n * m);
  for (int i = 0; i < n * m; i++)
    u[i] = i * 7 % 11, v[i] = i * 5 % 13;
  for (int k = 0; k < 2; k++)
    for (int i = 0; i < N; i++)
      for (int j = 0; j < N; j++)
        a[k][i][j] = (k + i * N + j) % 3 == 1;
  step(T, n, m, u, v, a);
  for (int i = 0; i < n * m; i++)
    printf("%a %a\n", u[i], v[i]);
  for (int k = 0; k < 2; k++)
    for (int i = 0; i < N; i++)
      for (int j = 0; j < N; j++)
        printf("%d\n", a[k][i][j]);
  return 0;
}
