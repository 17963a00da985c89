// Functions called through pointers where the host gathers norms: every few steps, and at each step of a loop that ends by one.
// RUN 9 4 a | 20 9 b | 33 12 c | 8 0 a | 50 30 b | 17 25 c | 4 7 a
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

typedef double (*limiter)(double r);

static double minmod(double r) { return fmax(0.0, fmin(1.0, r)); }
static double van_leer(double r) { return (r + fabs(r)) / (1.0 + fabs(r)); }
static double upwind(double r) { (void)r; return 0.0; }

static limiter find(char name)
{
  return name == 'a' ? minmod : name == 'b' ? van_leer : upwind;
}

int main(int argc, char **argv)
{
  int n = argc > 1 ? atoi(argv[1]) : 20, steps = argc > 2 ? atoi(argv[2]) : 9, it = 0;
  limiter phi = find(argc > 3 ? argv[3][0] : 'a');
  double *q = malloc((n + 2) * sizeof *q), *flux = malloc((n + 2) * sizeof *flux), *p = malloc((n + 2) * sizeof *p), change = 0, err = 1;
  if (!q || !flux || !p)
    return 1;
  for (int i = 0; i < n + 2; i++) {
    q[i] = i * 37 % 101 * 0.01;
    p[i] = flux[i] = 0;
  }
#pragma scop
  for (int t = 0; t < steps; t++) {
    for (int i = 1; i <= n; i++) {
      double r = (q[i] - q[i - 1]) / (q[i + 1] - q[i] + 1e-9);
      flux[i] = 0.5 * q[i] + 0.1 * phi(r) * (q[i + 1] - q[i]);
    }
    for (int i = 2; i <= n; i++)
      q[i] -= flux[i] - flux[i - 1];
    if (t % 4 == 3) {
      change = 0;
      for (int i = 2; i <= n; i++)
        change = fmax(change, fabs(flux[i] - flux[i - 1]));
      printf("%d %a\n", t, change);
    }
  }
#pragma endscop
#pragma scop
  while (err > 1e-3 && it < 200) {
    err = 0;
    for (int i = 1; i <= n; i++)
      flux[i] = 0.5 * (p[i - 1] + p[i + 1]) + 0.1 * phi(q[i]);
    for (int i = 1; i <= n; i++) {
      err = fmax(err, fabs(flux[i] - p[i]));
      p[i] = flux[i];
    }
    it++;
  }
#pragma endscop
  printf("%d %a\n", it, err);
  for (int i = 0; i < n + 2; i++)
    printf("%a %a\n", q[i], p[i]);
  free(q);
  free(flux);
  free(p);
  return 0;
}
