// Scalars that pass from step to step, and that no array decides: the time, the length of a step, and what is computed from them.
// RUN 0 5 7 | 1 7 7 | 6 5 3 | 3 30 41 | 2 3 9 | 25 33 4 | 40 13 17
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static double pulse(double t, double width)
{
  double a = (t - 0.05) / width;
  return exp(-a * a);
}

static void spread(int n, int m, double u[n][m], double v[n][m], double weight)
{
  for (int i = 1; i < n - 1; i++)
    for (int j = 1; j < m - 1; j++)
      v[i][j] = u[i][j] + weight * (u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1] - 4 * u[i][j]);
}

static void run(int T, int n, int m, double u[n][m], double v[n][m], double *time, float *length)
{
  double now = *time, dt = 0.01, total = 0;
  float width = 0.02f;
  int shots = 0;
#pragma scop
  for (int t = 0; t < T; t++) {
    double source = 0.5 * pulse(now, width);
    spread(n, m, u, v, 0.1 + 0.01 * source);
    total += source;
    if (now > 0.04)
      dt = 0.004, width *= 0.999f;
    else
      shots++;
    now += dt;
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < m - 1; j++)
        u[i][j] = v[i][j] - 1e-3 * now * v[i][j] + (i == 2 && j == 1 ? source : 0);
  }
#pragma endscop
  printf("%a %a %a %d\n", now, dt, total, shots);
  *time = now;
  *length = width;
}

int main(int argc, char **argv)
{
  int T = argc > 1 ? atoi(argv[1]) : 3, n = argc > 2 ? atoi(argv[2]) : 4, m = argc > 3 ? atoi(argv[3]) : 4;
  if (n < 2 || m < 1)
    return 1;
  double *u = malloc(sizeof(double) * n * m), *v = malloc(sizeof(double) * n * m), time = 0.01;
  float length = 0;
  for (int i = 0; i < n * m; i++)
    u[i] = i * 7 % 11, v[i] = i * 5 % 13;
  run(T, n, m, (double(*)[m])u, (double(*)[m])v, &time, &length);
  for (int i = 0; i < n * m; i++)
    printf("%a\n", u[i]);
  printf("%a %a\n", time, length);
  return 0;
}
