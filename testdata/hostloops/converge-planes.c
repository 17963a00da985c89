// Two planes of one array that take turns, ghost cells, and the number of points that change.
// RUN 0 5 | 1 7 | 6 3 | 40 30 | 300 17 | 130 33 | 5 1 | 77 24
#include <stdio.h>
#include <stdlib.h>

static int erode(int T, int n, short h[2][n + 2][n + 2], int cur)
{
  int moved = 1, step = 0;
#pragma scop
  while (moved > 0 && step < T) {
    const int next = 1 - cur;
    moved = 0;
    for (int i = 1; i <= n; i++) {
      h[cur][i][0] = h[cur][i][1];
      h[cur][i][n + 1] = h[cur][i][n];
    }
    for (int j = 0; j <= n + 1; j++) {
      h[cur][0][j] = h[cur][1][j];
      h[cur][n + 1][j] = h[cur][n][j];
    }
    for (int i = 1; i <= n; i++)
      for (int j = 1; j <= n; j++) {
        h[next][i][j] = (2 * h[cur][i][j] + h[cur][i - 1][j] + h[cur][i + 1][j] + h[cur][i][j - 1] + h[cur][i][j + 1]) / 6;
        moved += h[next][i][j] != h[cur][i][j];
      }
    cur = !cur;
    step++;
  }
#pragma endscop
  printf("%d steps, %d moved, plane %d\n", step, moved, cur);
  return cur;
}

int main(int argc, char **argv)
{
  int T = argc > 1 ? atoi(argv[1]) : 3, n = argc > 2 ? atoi(argv[2]) : 4;
  short (*h)[n + 2][n + 2] = malloc(2 * sizeof *h);
  for (int cur = 0; cur < 2; cur++) {
    for (int p = 0; p < 2; p++)
      for (int i = 0; i < n + 2; i++)
        for (int j = 0; j < n + 2; j++)
          h[p][i][j] = (i * 7919 + j * 104729 + p) % 1000;
    int last = erode(T, n, h, cur);
    for (int i = 0; i < n + 2; i++)
      for (int j = 0; j < n + 2; j++)
        printf("%d %d\n", h[last][i][j], h[!last][i][j]);
  }
  return 0;
}
