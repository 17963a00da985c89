// Structs that a loop of few steps exchanges in the time loop: each of its steps uses others.
// RUN 1 3 | 5 0 | 7 4 | 20 9 | 33 12
#include <stdio.h>
#include <stdlib.h>

struct field { double *v; };

int main(int argc, char **argv)
{
  int n = argc > 1 ? atoi(argv[1]) : 20, steps = argc > 2 ? atoi(argv[2]) : 9;
  struct field phi = { calloc(n, sizeof(double)) }, tmp = { calloc(n, sizeof(double)) };
  if (!phi.v || !tmp.v)
    return 1;
  for (int k = 0; k < n; k++)
    phi.v[k] = tmp.v[k] = k * 37 % 101 * 0.01;
#pragma scop
  for (int t = 0; t < steps; t++) {
    for (int i = 2; i < n - 2; i++)
      tmp.v[i] = 0.25 * (phi.v[i - 2] + phi.v[i + 2]) + 0.5 * phi.v[i];
    struct field old = phi; phi = tmp; tmp = old;
    for (int it = 0; it < 4; it++) {
      for (int i = 1; i < n - 1; i++)
        tmp.v[i] = phi.v[i] + 0.125 * (phi.v[i - 1] - phi.v[i + 1]);
      struct field last = phi; phi = tmp; tmp = last;
    }
  }
#pragma endscop
  double a = 0, b = 0;
  for (int k = 0; k < n; k++) {
    a += phi.v[k] * (k % 17);
    b += tmp.v[k] * (k % 13);
  }
  printf("%.17g %.17g\n", a, b);
  free(phi.v);
  free(tmp.v);
  return 0;
}
