// Statements that do nothing, wherever they may stand.
// RUN 20 9 | 3 1 | 41 30
#include <stdio.h>
#include <stdlib.h>
static double g(double x, int unused) { (void)unused; ; return 0.5 * x; }
static void step(int n, double *a, double *b) { (void)0; ; for (int i = 1; i < n - 1; i++) { ; (void)n; b[i] = g(a[i - 1] + a[i + 1], 3); } (void)a; }
int main(int argc, char **argv)
{
  int n = argc > 1 ? atoi(argv[1]) : 9, T = argc > 2 ? atoi(argv[2]) : 5, cur = 0, it = 0;
  double e = 1;
  if (n < 3) n = 3;
  double *u = malloc(n * sizeof *u), *v = malloc(n * sizeof *v);
  for (int i = 0; i < n; i++) u[i] = v[i] = i % 5;
  (void)argc;
  ;
#pragma scop
  (void)argv;
  for (int t = 0; t < T; t++) {
    (void)t;
    ;
    step(n, u, v);
    (void)cur;
    for (int i = 1; i < n - 1; i++) { (void)i; u[i] = v[i]; }
    ;
  }
#pragma endscop
  (void)cur;
#pragma scop
  while (e > 1e-3 && it < T) {
    (void)it;
    e = 0;
    for (int i = 1; i < n - 1; i++) { (void)e; double d = u[i]; ; v[i] = 0.5 * (u[i - 1] + u[i + 1]); (void)d; if (v[i] - d > e) e = v[i] - d; }
    for (int i = 1; i < n - 1; i++) { u[i] = v[i]; (void)0; }
    it++;
    (void)e;
  }
  (void)it;
#pragma endscop
  for (int i = 0; i < n; i++) printf("%a\n", u[i]);
  printf("%d %a\n", it, e);
}
