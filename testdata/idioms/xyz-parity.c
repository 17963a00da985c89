// Tests of a colour that are around some statements of a nest only: of rows that are kept flat, and one that has an else.
// RUN 5 12 0 | 4 9 1 | 1 3 2 | 0 5 3 | 3 1 0 | 7 33 5 | 6 20 1
#include <stdio.h>
#include <stdlib.h>

static void relax(int T, int n, int first, double *restrict u, double *restrict w)
{
#pragma scop
  for (int t = 0; t < T; t++) {
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++) {
        int turn = (i + j + t + first) & 1;
        w[i * n + j] *= 0.5;
        if (turn) {
          double r = 0.25 * (u[(i - 1) * n + j] + u[(i + 1) * n + j] + u[i * n + j - 1] + u[i * n + j + 1]) - u[i * n + j];
          u[i * n + j] += r;
          w[i * n + j] += r * r;
        }
      }
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        if (i > 2 && (i + j) % 2 == 0)
          u[i * n + j] = 0.25 * (u[(i - 1) * n + j] + u[(i + 1) * n + j] + u[i * n + j - 1] + u[i * n + j + 1]);
        else
          w[i * n + j] = 0.5 * (w[i * n + j] + t);
  }
#pragma endscop
}

int main(int argc, char **argv)
{
  int T = argc > 1 ? atoi(argv[1]) : 5, n = argc > 2 ? atoi(argv[2]) : 12, first = argc > 3 ? atoi(argv[3]) : 0;
  if (n < 1)
    return 1;
  double *u = malloc(sizeof(double) * n * n), *w = malloc(sizeof(double) * n * n);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      u[i * n + j] = (i * 7 + j * 3) % 11;
      w[i * n + j] = (i + j) % 5;
    }
  relax(T, n, first, u, w);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      printf("%a %a\n", u[i * n + j], w[i * n + j]);
  free(u);
  free(w);
  return 0;
}
