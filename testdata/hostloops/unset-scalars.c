// A step that is chosen in each step, into scalars that have no value before the first one; one in a loop that counts nothing
// but the time, so that nothing is in tables.
// RUN 5 33 | 0 20 | 1 7 | 40 12 | 3 3
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

static double march(int nt, int m, double *restrict u, double *restrict v)
{
  double dt = 0.1, dt2, time = 0;
  int n;
  bool first;
#pragma scop
  for (n = 1; n <= nt; n++) {
    first = time < 0.15;
    dt2 = first ? dt : 2 * dt;
    for (int i = 1; i < m - 1; i++)
      v[i] = u[i] + dt2 * (u[i - 1] - 2 * u[i] + u[i + 1]);
    for (int i = 1; i < m - 1; i++)
      u[i] = v[i];
    time += dt2;
  }
#pragma endscop
  return time + n;
}

static int until(double end, int m, double *restrict u, double *restrict v)
{
  double time = 0;
  int step = 0;
#pragma scop
  while (time < end) {
    time += 0.3;
    ++step;
    for (int i = 1; i < m - 1; i++)
      v[i] = 0.5 * (u[i - 1] + u[i + 1]);
    for (int i = 1; i < m - 1; i++)
      u[i] = v[i];
  }
#pragma endscop
  return step;
}

int main(int argc, char **argv)
{
  int nt = argc > 1 ? atoi(argv[1]) : 5, m = argc > 2 ? atoi(argv[2]) : 40;
  double *u = malloc(m * sizeof *u), *v = malloc(m * sizeof *v);
  for (int i = 0; i < m; i++)
    u[i] = v[i] = i * 37 % 23;
  printf("%a\n", march(nt, m, u, v));
  printf("%d\n", until(0.25 * nt, m, u, v));
  for (int i = 0; i < m; i++)
    printf("%a\n", u[i]);
  free(u);
  free(v);
  return 0;
}
