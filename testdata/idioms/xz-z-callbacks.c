// Functions called through pointers: in expressions and as statements that set what they are passed the address of, chosen from a table of structs by name, in a struct that
// functions are passed, in a variable of the function; one from math.h; and a constant table of functions for the border.
// RUN 9 4 gs | 20 9 fhn | 5 0 gs | 33 12 none | 4 7 fhn
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct model model;
struct model {
  const char *name;
  double d[2], p[3];
  void (*react)(const double *p, double u, double v, double *fu, double *fv);
  double (*bound)(const model *m, double x);
};

static void gray_scott(const double *p, double u, double v, double *fu, double *fv)
{
  double uvv = u * v * v;
  *fu = -uvv + p[0] * (1.0 - u);
  *fv = uvv - (p[0] + p[1]) * v;
}

static void fitzhugh(const double *p, double u, double v, double *fu, double *fv)
{
  *fu = u - u * u * u - v + p[0];
  *fv = p[1] * (u - p[2] * v);
}

static void none(const double *p, double u, double v, double *fu, double *fv)
{
  (void)p; (void)u; (void)v;
  *fu = *fv = 0;
}

static double clipped(const model *m, double x) { return x > m->p[2] + 2 ? m->p[2] + 2 : x; }
static double as_it_is(const model *m, double x) { (void)m; return x; }

static const model models[] = {
  {"gs", {0.16, 0.08}, {0.035, 0.065, 0}, gray_scott, as_it_is},
  {"fhn", {0.1, 0.05}, {0.01, 0.08, 0.5}, fitzhugh, clipped},
  {"none", {0.2, 0.1}, {0, 0, 0.1}, none, clipped},
};

static void west(int n, double *a) { a[0] = a[n]; }
static void east(int n, double *a) { a[n + 1] = a[1]; }

typedef void (*edge_fn)(int n, double *a);
static const edge_fn edges[] = {west, east};

int main(int argc, char **argv)
{
  int n = argc > 1 ? atoi(argv[1]) : 20, steps = argc > 2 ? atoi(argv[2]) : 9;
  const model *m = &models[0];
  for (size_t k = 0; argc > 3 && k < sizeof models / sizeof models[0]; k++)
    if (!strcmp(argv[3], models[k].name))
      m = &models[k];
  double (*measure)(double) = n % 2 ? sin : tanh;
  double *u = malloc((n + 2) * sizeof *u), *v = malloc((n + 2) * sizeof *v), *un = malloc((n + 2) * sizeof *un), *vn = malloc((n + 2) * sizeof *vn);
  if (!u || !v || !un || !vn)
    return 1;
  for (int i = 0; i < n + 2; i++) {
    u[i] = un[i] = i % 7 * 0.1 + 0.3;
    v[i] = vn[i] = i % 5 * 0.05;
  }
#pragma scop
  for (int t = 0; t < steps; t++) {
    for (int k = 0; k < 2; k++) {
      edges[k](n, u);
      edges[k](n, v);
    }
    for (int i = 1; i <= n; i++) {
      double fu, fv;
      m->react(m->p, u[i], v[i], &fu, &fv);
      un[i] = m->bound(m, u[i] + 0.8 * (m->d[0] * (u[i - 1] - 2 * u[i] + u[i + 1]) + fu));
      vn[i] = (*m->bound)(m, v[i] + 0.8 * (m->d[1] * (v[i - 1] - 2 * v[i] + v[i + 1]) + fv));
    }
    for (int i = 1; i <= n; i++) {
      u[i] = un[i] - 0.001 * measure(vn[i]);
      v[i] = vn[i];
    }
  }
#pragma endscop
  for (int i = 0; i < n + 2; i++)
    printf("%a %a\n", u[i], v[i]);
  free(u);
  free(v);
  free(un);
  free(vn);
  return 0;
}
