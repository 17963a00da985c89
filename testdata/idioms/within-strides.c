// A time loop in steps of more than 1, beside whose counter others count and take turns: planes, a number of steps, a table by that.
// RUN 0 5 7|1 7 7|6 5 6|3 30 41|2 2 9|5 33 5|4 13 17|9 6 12|10 11 9
#include <stdio.h>
#include <stdlib.h>

static void step(int T, int n, int m, double u[restrict 2][n][m], double v[restrict 3][n][m], const double src[restrict T + 1])
{
  int cur = 0, done = 0, next = 1, old = 2;
#pragma scop
  for (int t = T; t > 0; t -= 2) {
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < m - 1; j++)
        u[1 - cur][i][j] = 0.25 * (u[cur][i - 1][j] + u[cur][i + 1][j] + u[cur][i][j - 1] + v[old][i][j]) + src[done] * 0.5;
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < m - 1; j++)
        v[next][i][j] = 0.5 * (u[1 - cur][i][j] - u[cur][i][j]) + 0.125 * v[old][i][j];
    cur = 1 - cur;
    done++;
    next = (next + 1) % 3;
    old = (old + 1) % 3;
  }
#pragma endscop
  printf("%d %d %d %d\n", cur, done, next, old);
}

int main(int argc, char **argv)
{
  int T = argc > 1 ? atoi(argv[1]) : 3, n = argc > 2 ? atoi(argv[2]) : 4, m = argc > 3 ? atoi(argv[3]) : 4;
  double (*u)[n][m] = malloc(2 * sizeof *u), (*v)[n][m] = malloc(3 * sizeof *v), *src = malloc((T + 1) * sizeof *src);
  for (int k = 0; k < 3; k++)
    for (int i = 0; i < n; i++)
      for (int j = 0; j < m; j++) {
        if (k < 2)
          u[k][i][j] = (i * 7 + j * 3 + k) % 17;
        v[k][i][j] = (i + j * k) % 5;
      }
  for (int t = 0; t <= T; t++)
    src[t] = t * t;
  step(T, n, m, u, v, src);
  for (int k = 0; k < 2; k++)
    for (int i = 0; i < n; i++)
      for (int j = 0; j < m; j++)
        printf("%a %a\n", u[k][i][j], v[k][i][j]);
  return 0;
}
