// Solvers whose sweep is a pointer to a function in a struct, that calls another one; a border that a function is passed.
// RUN 9 4 | 20 9 1 | 33 12 2 | 8 0 3 | 50 30 8 | 17 25 11 | 4 7 9
#include <stdio.h>
#include <stdlib.h>

struct solver;
typedef void (*sweep_fn)(const struct solver *s, double *out, const double *in);
struct solver {
  int n;
  double k;
  sweep_fn sweep;
  double (*source)(double x);
};

static void central(const struct solver *s, double *out, const double *in)
{
  for (int i = 1; i < s->n - 1; i++)
    out[i] = in[i] + s->k * (in[i - 1] - 2 * in[i] + in[i + 1]) + 1e-3 * s->source(in[i]);
}

static void upwind(const struct solver *s, double *out, const double *in)
{
  for (int i = 1; i < s->n - 1; i++)
    out[i] = in[i] - s->k * (in[i] - in[i - 1]) + 1e-3 * s->source(in[i]);
}

static double cubic(double x) { return x - x * x * x; }
static double no_source(double x) { (void)x; return 0; }
static void mirror(double *a, int n) { a[0] = a[1]; a[n - 1] = a[n - 2]; }
static void wrap(double *a, int n) { a[0] = a[n - 2]; a[n - 1] = a[1]; }
static void border(double *a, int n, void (*fix)(double *, int)) { fix(a, n); }

int main(int argc, char **argv)
{
  int n = argc > 1 ? atoi(argv[1]) : 20, steps = argc > 2 ? atoi(argv[2]) : 9, kind = argc > 3 ? atoi(argv[3]) : 0;
  struct solver s = {n, 0.2, kind & 1 ? upwind : central, kind & 2 ? cubic : no_source};
  void (*fix)(double *, int) = kind & 8 ? wrap : mirror;
  double *u = malloc(n * sizeof *u), *v = malloc(n * sizeof *v);
  if (!u || !v)
    return 1;
  for (int i = 0; i < n; i++)
    u[i] = v[i] = i * 37 % 101 * 0.01;
#pragma scop
  for (int t = 0; t < steps; t++) {
    s.sweep(&s, v, u);
    border(v, n, fix);
    double *tmp = u;
    u = v;
    v = tmp;
  }
#pragma endscop
  for (int i = 0; i < n; i++)
    printf("%a\n", u[i]);
  free(u);
  free(v);
  return 0;
}
