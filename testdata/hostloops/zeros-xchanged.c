// Loops that end by data and move pointers through one that holds nothing before, through one that is used behind them, and by pointers set at each step.
// RUN 40 10 | 40 100 | 3 3 | 1 2 | 40 400 | 40 0 | 7 3
#include <stdio.h>
#include <stdlib.h>
#include <math.h>
int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 40, steps = argc > 2 ? atoi(argv[2]) : 10;
  double *a = calloc(n + 1, 8), *b = calloc(n + 1, 8), *c = calloc(n + 1, 8), *p, *q, *t = c, *none, d = 1;
  for (int i = 0; i < n; i++) a[i] = b[i] = (i * 7 % 5) * 0.3;
#pragma scop
  for (int k = 0; k < steps && d > 1e-3; k++) {
    d = 0;
    for (int i = 1; i < n - 1; i++) {
      b[i] = 0.5 * (a[i - 1] + a[i + 1]);
      d = fmax(d, fabs(b[i] - a[i]));
    }
    t = a; a = b; b = c; c = t;
  }
#pragma endscop
  for (int i = 0; i < n; i++) printf("%.17g %.17g %.17g %.17g\n", a[i], b[i], c[i], t[i]);
  d = 1;
#pragma scop
  for (int k = 0; k < steps && d > 1e-3; k++) {
    p = a; q = b;
    d = 0;
    for (int i = 1; i < n - 1; i++) {
      q[i] = 0.5 * (p[i - 1] + p[i + 1]);
      d = fmax(d, fabs(q[i] - p[i]));
    }
    for (int i = 1; i < n - 1; i++)
      p[i] = q[i];
  }
#pragma endscop
  for (int i = 0; i < n; i++) printf("%.17g %.17g %.17g %.17g\n", a[i], b[i], c[i], t[i]);
  d = 1;
#pragma scop
  for (int k = 0; k < steps && d > 1e-4; k++) {
    d = 0;
    for (int i = 1; i < n - 1; i++) {
      b[i] = 0.25 * (a[i - 1] + 2 * a[i] + a[i + 1]);
      d = fmax(d, fabs(b[i] - a[i]));
    }
    none = a;
    a = b;
    b = none;
  }
#pragma endscop
  for (int i = 0; i < n; i++)
    printf("%.17g %.17g\n", a[i], b[i]);
  return 0;
}
