// Two pairs rotate, one of them before its nest, and a nest lies between two exchanges.
// RUN 0 5 | 1 7 | 6 3 | 7 90 | 12 70 | 4 2
#include <stdio.h>
#include <stdlib.h>

static double next(void)
{
  static unsigned long s = 12345;
  s = s * 6364136223846793005ul + 1442695040888963407ul;
  return (double)(s >> 33) / (1ul << 31);
}

static void step(int T, int n, double *restrict a, double *restrict b, double *restrict c, double *restrict d, double **out)
{
#pragma scop
  for (int t = 0; t < T; t++) {
    double *q = c;
    c = d;
    d = q;
    for (int i = 1; i < n - 1; i++)
      d[i] = 0.5 * c[i] + 0.25 * (a[i - 1] + a[i + 1]);
    double *p = a;
    a = b;
    b = p;
    for (int i = 1; i < n - 1; i++)
      a[i] = 0.5 * b[i] + 0.25 * (d[i - 1] + d[i + 1]);
  }
#pragma endscop
  out[0] = a, out[1] = b, out[2] = c, out[3] = d;
}

int main(int argc, char **argv)
{
  int T = argc > 1 ? atoi(argv[1]) : 3, n = argc > 2 ? atoi(argv[2]) : 4;
  double *x[4], *out[4];
  for (int k = 0; k < 4; k++) {
    x[k] = malloc(sizeof(double) * n);
    for (int i = 0; i < n; i++)
      x[k][i] = next();
  }
  step(T, n, x[0], x[1], x[2], x[3], out);
  for (int k = 0; k < 4; k++)
    for (int i = 0; i < n; i++)
      printf("%d %a\n", out[k] == x[k], out[k][i]);
  return 0;
}
