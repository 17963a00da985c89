// Sources at several places, whose strength is computed once a step, by a function that gets a product, and where pointers swap.
// RUN 4 9 8 3 | 1 1 1 0 | 0 5 4 1 | 3 2 2 0 | 7 20 33 17
#include <stdio.h>
#include <stdlib.h>

#define SOURCES 3

struct source {
  int i, j;
  double rate;
};

static void emit(int n, int m, double c[n][m], const struct source *s, double strength)
{
  for (int k = 0; k < SOURCES; k++)
    c[s[k].i][s[k].j] += strength * s[k].rate;
}

static void spread(int T, int n, int m, double (*c)[m], double (*d)[m], const struct source *s, double dt)
{
#pragma scop
  for (int t = 0; t < T; t++) {
    for (int i = 0; i < n; i++)
      for (int j = 0; j < m; j++) {
        const int above = i > 0 ? i - 1 : 0, below = i < n - 1 ? i + 1 : n - 1;
        d[i][j] = 0.5 * c[i][j] + 0.25 * (c[above][j] + c[below][j]);
      }
    emit(n, m, d, s, dt * (t < 3 ? 0.5 : 0.125));
    double (*swap)[m] = c;
    c = d;
    d = swap;
  }
#pragma endscop
}

int main(int argc, char **argv)
{
  int T = argc > 1 ? atoi(argv[1]) : 4, n = argc > 2 ? atoi(argv[2]) : 9, m = argc > 3 ? atoi(argv[3]) : 8, at = argc > 4 ? atoi(argv[4]) : 3;
  if (n < 1 || m < 1 || at < 0 || at >= n || at >= m)
    return 1;
  struct source s[SOURCES] = {{0, 0, 1.5}, {at, at, 0.75}, {n - 1, at, 0.1}};
  double(*c)[m] = malloc(sizeof(double) * n * m), (*d)[m] = malloc(sizeof(double) * n * m);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      c[i][j] = d[i][j] = (i * 7919 + j * 104729) % 251 / 251.0;
  spread(T, n, m, c, d, s, 0.3);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      printf("%.17g %.17g\n", c[i][j], d[i][j]);
  free(c);
  free(d);
  return 0;
}
