// Structs that a loop of few steps exchanges in the time loop, and directives inside of the statements that the host runs one by one.
// RUN 1 3 | 5 0 | 7 4 | 20 9 | 33 12
#include <stdio.h>
#include <stdlib.h>

#define DAMPED 1

struct field { int n; double *v; };

static struct field make(int n)
{
  struct field f = { n, calloc((size_t)n * n, sizeof(double)) };
  if (!f.v)
    exit(1);
  return f;
}

int main(int argc, char **argv)
{
  int n = argc > 1 ? atoi(argv[1]) : 20, steps = argc > 2 ? atoi(argv[2]) : 9;
  struct field phi = make(n), tmp = make(n);
  for (int k = 0; k < n * n; k++)
    phi.v[k] = tmp.v[k] = k * 37 % 101 * 0.01;
#pragma scop
  for (int t = 1; t <= steps; t++) {
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
#ifdef DAMPED
        tmp.v[i * n + j] = 0.24 * (phi.v[i * n + j - 1] + phi.v[i * n + j + 1] + phi.v[(i - 1) * n + j] + phi.v[(i + 1) * n + j]);
#else
        tmp.v[i * n + j] = 0.25 * (phi.v[i * n + j - 1] + phi.v[i * n + j + 1] + phi.v[(i - 1) * n + j] + phi.v[(i + 1) * n + j]);
#endif
    struct field old = phi; phi = tmp; tmp = old;
    if (t % 3 != 0)
      continue;
    for (int it = 0; it < 3; it++) {
#if defined(DAMPED) && DAMPED > 1
      for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++)
          tmp.v[i * n + j] = 0;
#elif DAMPED
#
      for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++)
#ifndef DAMPED
          tmp.v[i * n + j] = phi.v[i * n + j];
#else
          tmp.v[i * n + j] = phi.v[i * n + j] + 0.125 * (phi.v[(i - 1) * n + j] - phi.v[i * n + j + 1]);
#endif
#else
      tmp.v[0] = 1;
#endif
      struct field last = phi; phi = tmp; tmp = last;
    }
  }
#pragma endscop
  double a = 0, b = 0;
  for (int k = 0; k < n * n; k++) {
    a += phi.v[k] * (k % 17);
    b += tmp.v[k] * (k % 13);
  }
  printf("%.17g %.17g\n", a, b);
  free(phi.v);
  free(tmp.v);
  return 0;
}
