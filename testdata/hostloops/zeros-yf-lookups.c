// Elements of constant arrays that calls get, by what the step is after a quotient by a variable: computed for all steps before the loop.
// RUN 12 30 2 | 0 9 1 | 1 3 5 | 25 17 4 | 100 64 7
#include <stdio.h>
#include <stdlib.h>

#define HOURS 6

static const double profile[HOURS] = {0.25, 0.5, 2.0, 1.5, 1.0, 0.125};
static const short sign[2][3] = {{1, -1, 0}, {2, 1, -2}};

static void heat(int n, const double *u, double *v)
{
  for (int i = 1; i < n - 1; i++)
    v[i] = u[i] + 0.25 * (u[i - 1] - 2 * u[i] + u[i + 1]);
}

static void emit(int n, double *v, double strength, int twice)
{
  v[n / 2] += strength * (twice + 2);
  v[n / 3] -= 0.5 * strength;
}

static void simulate(int steps, int n, int hour, double *restrict a, double *restrict b)
{
  double *u = a, *v = b;
#pragma scop
  for (int t = 1; t <= steps; t++) {
    heat(n, u, v);
    emit(n, v, 0.1 * profile[(t / hour + 1) % HOURS] - 0.01, sign[(t % hour) % 2][t / hour % 3]);
    double *w = u;
    u = v;
    v = w;
  }
#pragma endscop
}

int main(int argc, char **argv)
{
  const int steps = argc > 1 ? atoi(argv[1]) : 12, n = argc > 2 ? atoi(argv[2]) : 30, hour = argc > 3 ? atoi(argv[3]) : 2;
  if (n < 1 || hour < 1)
    return 1;
  double *a = malloc(n * sizeof *a), *b = malloc(n * sizeof *b);
  for (int i = 0; i < n; i++)
    a[i] = b[i] = i * 37 % 101 / 101.0;
  simulate(steps, n, hour, a, b);
  for (int i = 0; i < n; i++)
    printf("%.17g %.17g\n", a[i], b[i]);
  free(a);
  free(b);
  return 0;
}
