// Waves with sources and receivers at places that are data: which elements these loops use is known only when they run, and the host runs them as they are; one of them at every tenth step only.
// RUN 20 25|12 1|37 9|14 30|11 8|13 0|64 21
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static void record(int t, int receivers, int m, const int *x, const int *y, double u[][m], double *seismogram)
{
  for (int r = 0; r < receivers; r++)
    seismogram[t * receivers + r] = u[x[r]][y[r]];
}

static void waves(int n, int m, int steps, int sources, int receivers, double u[restrict n][m], double v[restrict n][m], const int *x, const int *y, const int *sx, double *seismogram)
{
#pragma scop
  for (int t = 0; t < steps; t++) {
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < m - 1; j++)
        v[i][j] = 0.25 * (u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1]);
    for (int s = 0; s < sources; s++)
      v[sx[2 * s]][sx[2 * s + 1]] += sin(0.1 * t) * (s + 1);
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < m - 1; j++)
        u[i][j] = v[i][j];
    record(t, receivers, m, x, y, u, seismogram);
  }
#pragma endscop
}

static void seldom(int n, int m, int steps, int receivers, double u[restrict n][m], double v[restrict n][m], const int *x, double *last)
{
#pragma scop
  for (int t = 0; t < steps; t++) {
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < m - 1; j++)
        v[i][j] = u[i][j] + 0.1 * (u[i][j - 1] - u[i - 1][j]);
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < m - 1; j++)
        u[i][j] = v[i][j];
    if (t % 10 == 7)
      for (int r = 0; r < receivers; r++)
        last[r] = 0.5 * last[r] + u[x[r]][5 + r * (m - 10) / receivers];
  }
#pragma endscop
}

int main(int argc, char **argv)
{
  int n = argc > 1 ? atoi(argv[1]) : 20, steps = argc > 2 ? atoi(argv[2]) : 25, m = n + 3, receivers = 5, sources = 2;
  double(*u)[m] = malloc(n * sizeof *u), (*v)[m] = malloc(n * sizeof *v), *seismogram = calloc((steps + 1) * receivers, sizeof(double)), *last = calloc(receivers, sizeof(double));
  int *x = malloc(receivers * sizeof *x), *y = malloc(receivers * sizeof *y), sx[4] = {n / 2, m / 2, n / 3, 1};
  for (int r = 0; r < receivers; r++)
    x[r] = r * 13 % n, y[r] = (r * r + 1) % m;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      u[i][j] = v[i][j] = (i * 7 + j * 5) % 11;
  waves(n, m, steps, sources, receivers, u, v, x, y, sx, seismogram);
  seldom(n, m, steps, receivers, u, v, x, last);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      printf("%a %a\n", u[i][j], v[i][j]);
  for (int r = 0; r < steps * receivers; r++)
    printf("%a\n", seismogram[r]);
  for (int r = 0; r < receivers; r++)
    printf("%a\n", last[r]);
  return 0;
}
