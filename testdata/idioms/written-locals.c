// Functions that set small arrays, structs and numbers of the body that calls them, by pointers: as statements, and where their
// value is used; and one that calls such functions for numbers of its own.
// RUN 0 9 | 1 7 | 6 3 | 3 40 | 4 1 | 5 2
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct { double rho, flux; } cell;

static void fluxes(const double *u, double *f)
{
  f[0] = u[1];
  f[1] = 0.5 * u[0] + u[1] * 0.25;
}

static void limit(cell *c, double by)
{
  if (c->flux > by)
    c->flux = by;
  c->rho *= 0.5;
}

static int split(double x, double *low, double *high)
{
  *low = x * 0.25;
  *high = x - *low;
  return x > 0;
}

static double mean(const double *v, int n)
{
  double sum = 0;
  for (int k = 0; k < n; k++)
    sum += v[k];
  return sum / n;
}

static void order(double *x, double *y)
{
  if (*x > *y) {
    double t = *x;
    *x = *y;
    *y = t;
  }
}

static double median(double p, double q, double r)
{
  double v[3] = {p, q, r};
  order(v, v + 1);
  order(&v[1], &v[2]);
  order(v, v + 1);
  return v[1];
}

static double next(void)
{
  static unsigned long s = 12345;
  s = s * 6364136223846793005ul + 1442695040888963407ul;
  return (double)(s >> 33) / (1ul << 31) - 0.5;
}

static void step(int T, int n, double *restrict a, double *restrict b, double *restrict c)
{
#pragma scop
  for (int t = 0; t < T; t++) {
    for (int i = 1; i < n - 1; i++) {
      double left[2] = {a[i - 1], a[i]}, right[2] = {a[i], a[i + 1]}, f[2], g[2];
      cell own;
      fluxes(left, f);
      fluxes(right, g);
      own.rho = a[i];
      own.flux = 0.1 * (f[0] + g[0]) - 0.1 * (g[1] - f[1]);
      limit(&own, 0.4);
      b[i] = own.rho + own.flux;
    }
    for (int i = 1; i < n - 1; i++) {
      double low, high, v[3];
      for (int k = 0; k < 3; k++)
        v[k] = b[i + k - 1];
      if (split(v[1], &low, &high))
        order(&v[0], &v[2]);
      else
        order(&low, &high);
      c[i] = mean(v, 3) + 0.5 * high - low * mean(v, 2);
    }
    for (int i = 1; i < n - 1; i++)
      a[i] = median(c[i - 1], c[i], c[i + 1]);
  }
#pragma endscop
}

int main(int argc, char **argv)
{
  int T = argc > 1 ? atoi(argv[1]) : 4, n = argc > 2 ? atoi(argv[2]) : 20;
  double *a = malloc(n * sizeof *a), *b = malloc(n * sizeof *b), *c = malloc(n * sizeof *c);
  for (int i = 0; i < n; i++) {
    a[i] = next();
    b[i] = next();
    c[i] = next();
  }
  step(T, n, a, b, c);
  for (int i = 0; i < n; i++)
    printf("%a %a %a\n", a[i], b[i], c[i]);
  free(a);
  free(b);
  free(c);
  return 0;
}
