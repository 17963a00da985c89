// Where the greatest element is; a variable that counts in loops and has values of its own between them; loops in steps beside others, upwards and downwards; Gauss-Seidel between a copy
// and a sum, in a loop that prints; arrays that a function is passed and does not use.
// RUN 30 9 | 1 1 | 2 4 | 57 13 | 97 2
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static double a[100], b[100];
static double u[64][64], old[64][64];

static void highest(int n, int T)
{
  double most = 0;
  int where = -1, times = 0;
#pragma scop
  for (int t = 0; t < T; t++) {
    most = -1;
    for (int i = 1; i < n + 1; i++)
      b[i] = (a[i - 1] + a[i] * 2 + a[i + 1]) / 4;
    for (int i = 1; i < n + 1; i++)
      if (b[i] > most) {
        most = b[i];
        where = i;
        times++;
      }
    for (int i = 1; i < n + 1; i++)
      a[i] = b[i];
    printf("%d %.17g %d %d\n", t, most, where, times);
  }
#pragma endscop
}

static void between(int n, int T)
{
  int i;
#pragma scop
  for (int t = 0; t < T; t++) {
    for (i = 1; i < n + 1; i++)
      b[i] = 0.5 * (a[i - 1] + a[i + 1]);
    i = 0;
    b[i] = 0.5 * (a[n + 1] + a[i + 1]) + i;
    i = n + 1;
    b[i] = 0.5 * (a[i - 1] + a[0]) + 0.001 * i;
    for (i = 0; i < n + 2; i++)
      a[i] = b[i];
  }
#pragma endscop
}

static void betweenPrints(int n, int T)
{
  int i;
  double time = 0;
#pragma scop
  while (time < T) {
    for (i = 1; i < n + 1; i++)
      b[i] = 0.5 * (a[i - 1] + a[i + 1]);
    i = 0;
    a[i] = b[i + 1] * 0.5;
    for (i = 1; i < n + 1; i++)
      a[i] = b[i];
    i = n + 1;
    a[i] = a[i - 1] + 0.001 * i;
    time += 0.75;
    printf("%.17g %.17g\n", time, a[1]);
  }
#pragma endscop
}

static void steps(int n, int T)
{
  int i;
#pragma scop
  for (int t = T - 1; t >= 0; t -= 2) {
    for (i = 1; i < n + 1; i++)
      b[i] = a[i] + 0.01 * t;
    for (i = n; i >= 1; i -= 2)
      a[i] = 0.25 * (b[i - 1] + b[i + 1]);
    for (i = 1; i < n + 1; i += 2) {
      (void)t;
      b[i] = a[i - 1] - a[i + 1];
    }
  }
#pragma endscop
#pragma scop
  for (int t = T - 1; t >= 0; t -= 2) {
    for (int i = 1; i < n + 1; i += 2)
      b[i] = 0.25 * (a[i - 1] + a[i + 1]);
    for (int i = 1; i < n + 1; i++) {
      (void)0;
      a[i] = isnan(b[i]) ? 0 : b[i];
    }
  }
#pragma endscop
}

static void seidel(int T)
{
  double sum = 1;
#pragma scop
  for (int it = 0; it < T; it++) {
    for (int j = 1; j < 63; j++)
      for (int i = 1; i < 63; i++)
        old[i][j] = u[i][j];
    for (int j = 1; j < 63; j++)
      for (int i = 1; i < 63; i++)
        u[i][j] = 0.25 * (u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1]);
    sum = 0;
    for (int i = 1; i < 63; i++)
      for (int j = 1; j < 63; j++)
        sum += fabs(u[i][j] - old[i][j]);
    printf("%d %.17g\n", it, sum);
  }
#pragma endscop
}

static double constant(double x) { return 0.5; }

static void unused(int n, int T, double *to, double *from, const double *x)
{
#pragma scop
  for (int t = 0; t < T; t++) {
    for (int i = 0; i < n; i++)
      from[i] = to[i];
    for (int i = 1; i < n - 1; i++)
      to[i] = 0.5 * (from[i - 1] + from[i + 1]);
    to[0] = constant(x[0]);
  }
#pragma endscop
}

int main(int argc, char **argv)
{
  int n = argc > 1 ? atoi(argv[1]) : 30, T = argc > 2 ? atoi(argv[2]) : 9;
  if (n < 1 || n > 97)
    n = 1;
  for (int i = 0; i < 100; i++)
    a[i] = b[i] = i * 7919 % 101 / 3.0;
  for (int i = 0; i < 64; i++)
    for (int j = 0; j < 64; j++)
      u[i][j] = (i * 3 + j * 5) % 7;
  highest(n, T);
  between(n, T);
  betweenPrints(n, T);
  steps(n, T);
  seidel(T);
  double x[1] = {1};
  unused(n, T, a, b, x);
  for (int i = 0; i < 100; i++)
    printf("%.17g %.17g %.17g\n", a[i], b[i], u[i % 64][i * 7 % 64]);
  return 0;
}
