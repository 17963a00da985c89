/* Time loops under a condition, in both of its branches and in one behind another. */
// RUN 17 10 3 | 40 20 7 | 5 6 0 | 40 0 2 | 3 5 1
#include <stdio.h>
#include <stdlib.h>

static void go(int n, unsigned steps, int div, int *restrict a, int *restrict b)
{
#pragma scop
  if (n > 2 && div != 0) {
    for (unsigned t = 0; t < steps; t++) {
      for (int i = 1; i < n - 1; i++)
        b[i] = (a[i - 1] + a[i] + a[i + 1]) / div;
      for (int i = 1; i < n - 1; i++)
        a[i] = b[i] + 100 / div;
    }
  }
#pragma endscop
}

static void either(int n, int steps, int way, double *restrict u, double *restrict v)
{
#pragma scop
  if (way > 1 && u[0] > -1)
    for (int t = 0; t < steps; t++) {
      for (int i = 1; i < n - 1; i++)
        v[i] = 0.25 * (u[i - 1] + 2 * u[i] + u[i + 1]);
      for (int i = 1; i < n - 1; i++)
        u[i] = v[i];
    }
  else if (way == 1) {
    int t = steps;
    while (t > 0) {
      for (int i = 1; i < n - 1; i++)
        v[i] = 0.5 * (u[i - 1] + u[i + 1]);
      for (int i = 1; i < n - 1; i++)
        u[i] = v[i] + 0.125 * t;
      t--;
    }
  } else {
    u[0] = 3;
  }
#pragma endscop
}

int main(int argc, char **argv)
{
  int n = argc > 1 ? atoi(argv[1]) : 40, steps = argc > 2 ? atoi(argv[2]) : 10, div = argc > 3 ? atoi(argv[3]) : 0;
  int *a = calloc(n + 2, sizeof *a), *b = calloc(n + 2, sizeof *b);
  double *u = calloc(n + 2, sizeof *u), *v = calloc(n + 2, sizeof *v);
  for (int i = 0; i < n; i++) {
    a[i] = b[i] = i * 17 % 23;
    u[i] = v[i] = i * 5 % 7;
  }
  go(n, steps, div, a, b);
  go(n, steps, 3, a, b);
  for (int way = 0; way < 3; way++)
    either(n, steps, way, u, v);
  for (int i = 0; i < n; i++)
    printf("%d %.17g\n", a[i], u[i]);
  return 0;
}
