// Heads of time loops that declare a counter and advance a time beside it: both loops that are made of one begin with the same values.
// RUN 6 9 | 0 5 | 1 7 | 15 12 | 9 30
#include <stdio.h>
#include <stdlib.h>

static double up(int T, int n, double *u, double *v, double t)
{
  float weights[40];
#pragma scop
  for (int s = 0; s < T; s++, t += 0.5) {
    for (int i = 1; i < n - 1; i++)
      v[i] = 0.3 * (u[i - 1] + u[i] + u[i + 1]) + 1e-3 * t + 1e-4 * s;
    for (int i = 1; i < n - 1; i++)
      u[i] = v[i];
    weights[s] = 2 * t;
    if (s == 2)
      printf("%d: %a %g\n", s, u[1], weights[s]);
  }
#pragma endscop
  return t;
}

static double down(int T, int n, double *u, double *v)
{
  double t = 1;
#pragma scop
  for (int s = T, q = 3; t < 0.1 * T; s -= 1, q += 2, t *= 1.25) {
    for (int i = 1; i < n - 1; i++)
      v[i] = u[i] + 1e-3 * q * (u[i - 1] - u[i + 1]) + 1e-5 * t;
    for (int i = 1; i < n - 1; i++)
      u[i] = v[i];
    if (s % 3 == 0)
      printf("%d %d\n", s, q);
  }
#pragma endscop
  return t;
}

int main(int argc, char **argv)
{
  int T = argc > 1 ? atoi(argv[1]) : 6, n = argc > 2 ? atoi(argv[2]) : 9;
  if (T > 40)
    return 1;
  double *u = malloc(n * sizeof(double)), *v = malloc(n * sizeof(double));
  for (int i = 0; i < n; i++)
    u[i] = v[i] = i * i % 7;
  double t = up(T, n, u, v, 0.25);
  t += down(T, n, u, v);
  printf("%a\n", t);
  for (int i = 0; i < n; i++)
    printf("%a\n", u[i]);
  return 0;
}
