// A clamped window on a square image in one block, with a source of as many points: for one point no part of the nest runs that larger images
// have, and there the first element is the last.
// RUN 0 5 | 1 1 | 2 2 | 6 3 | 7 40 | 5 33 | 3 0 | 9 5
#include <stdio.h>
#include <stdlib.h>
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#define MIN(a, b) ((a) < (b) ? (a) : (b))

static void run(int T, int n, double *restrict u, double *restrict v, const double *restrict source)
{
#pragma scop
  for (int t = 0; t < T; t++) {
    for (int y = 0; y < n; y++)
      for (int x = 0; x < n; x++) {
        double sum = 0;
        for (int dy = -1; dy <= 1; dy++)
          for (int dx = -1; dx <= 1; dx++)
            if (!(dy == 0 && dx == 0))
              sum += u[MIN(MAX(y + dy, 0), n - 1) * n + MIN(MAX(x + dx, 0), n - 1)];
        v[y * n + x] = 0.5 * u[y * n + x] + 0.0625 * sum + 0.03125 * source[y * n + x];
      }
    for (int y = 0; y < n; y++)
      for (int x = 0; x < n; x++)
        u[y * n + x] = v[y * n + x];
  }
#pragma endscop
}

int main(int argc, char **argv)
{
  int T = argc > 1 ? atoi(argv[1]) : 3, n = argc > 2 ? atoi(argv[2]) : 6;
  double *u = malloc(sizeof(double) * (n * n + 1)), *v = malloc(sizeof(double) * (n * n + 1)), *source = malloc(sizeof(double) * (n * n + 1));
  for (int k = 0; k < n * n; k++)
    u[k] = k % 17, v[k] = 0, source[k] = k % 5;
  run(T, n, u, v, source);
  for (int k = 0; k < n * n; k++)
    printf("%a %a\n", u[k], v[k]);
  printf("%d\n", n);
  return 0;
}
