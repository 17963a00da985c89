// Functions that exchange the pointers they are passed: those of the program stay where they are, but for what it exchanges itself.
// RUN 20 5 | 3 4 | 1 2 | 33 12
#include <stdio.h>
#include <stdlib.h>

static void exchange(double **a, double **b)
{
  double *t = *a;
  *a = *b;
  *b = t;
}

static void ends(int n, double *p)
{
  for (int i = 0; i < n; i++)
    p[i] += 0.5;
}

static void relax(int n, double *u, double *v, const double *f)
{
  for (int i = 1; i < n - 1; i++)
    v[i] = 0.3 * (u[i - 1] + u[i + 1] + f[i]);
  exchange(&u, &v);
  ends(n, u);
}

static void other(int n, double *u, double *v, const double *f)
{
  for (int i = 1; i < n - 1; i++)
    v[i] = 0.2 * (u[i - 1] + u[i + 1] - f[i]);
  double *t = u;
  u = v;
  v = t;
  ends(n, v);
}

int main(int argc, char **argv)
{
  int n = argc > 1 ? atoi(argv[1]) : 20, T = argc > 2 ? atoi(argv[2]) : 5;
  double *u = malloc((n + 1) * sizeof *u), *v = malloc((n + 1) * sizeof *v), *f = malloc((n + 1) * sizeof *f);
  for (int i = 0; i <= n; i++)
    u[i] = v[i] = 0.5, f[i] = i % 7;
  double *p = u, *q = v;
#pragma scop
  for (int t = 0; t < T; t++) {
    relax(n, p, q, f);
    exchange(&p, &q);
  }
#pragma endscop
#pragma scop
  for (int t = 0; t < T; t++) {
    other(n, p, q, f);
    relax(n, q, p, f);
  }
#pragma endscop
  for (int i = 0; i <= n; i++)
    printf("%a %a %d\n", u[i], v[i], p == u);
  free(u), free(v), free(f);
  return 0;
}
