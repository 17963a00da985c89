// Complex numbers and real ones side by side, with zeros of both signs, infinities and what is no number: which operands stay real shows.
// RUN 1 40 | 2 300 | 5 77 | 3 3 | 0 5 | 4 9
#include <complex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static double complex times(double complex z, double complex w) { return z * w; }
static double complex real2(double x, double complex w) { return x * w; }
static float complex narrow(double complex z) { return z; }
static double part(double z) { return z; }

static void f(int T, int n, double complex (*restrict a)[12][n], double (*restrict x)[n], float complex (*restrict b)[12][n], int k, double gain)
{
#pragma scop
  for (int t = 0; t < T; t++)
    for (int i = 1; i < n - 1; i++) {
      double complex l = x[t % 2][i];
      double complex w = a[t % 2][0][i + 1];
      a[(t + 1) % 2][0][i] = i % 2 ? w * 0.5 : times(gain, w);
      a[(t + 1) % 2][1][i] = times(x[t % 2][i], w);
      a[(t + 1) % 2][2][i] = real2(x[t % 2][i], w);
      a[(t + 1) % 2][3][i] = l * w;
      a[(t + 1) % 2][4][i] = (double complex)x[t % 2][i] * w;
      a[(t + 1) % 2][5][i] = x[t % 2][i] * w;
      a[(t + 1) % 2][6][i] = w / x[t % 2][i];
      a[(t + 1) % 2][7][i] = w / (double complex)x[t % 2][i] + times(real2(2, w), x[t % 2][i]);
      a[(t + 1) % 2][8][i] = -conj(w) + k * w - (float)k * w;
      a[(t + 1) % 2][9][i] = i % 3 ? x[t % 2][i] : w;
      a[(t + 1) % 2][10][i] += x[t % 2][i] + part(w);
      a[(t + 1) % 2][11][i] *= (i > 4 ? x[t % 2][i] : 2.f) - I * x[t % 2][i];
      b[(t + 1) % 2][0][i] = narrow(w) * (float)x[t % 2][i];
      b[(t + 1) % 2][1][i] = narrow(x[t % 2][i]) * b[t % 2][0][i + 1];
      b[(t + 1) % 2][2][i] = b[t % 2][0][i + 1] * x[t % 2][i];
      b[(t + 1) % 2][3][i] = b[t % 2][0][i + 1] * k / 3 + cabsf(b[t % 2][1][i - 1]) * I;
      b[(t + 1) % 2][4][i] = (k > 2 && w) + !w + (w == x[t % 2][i]);
      x[(t + 1) % 2][i] = w * I + x[t % 2][i + 1];
    }
#pragma endscop
}

static void show(double v)
{
  if (v == v)
    printf("%a\n", v);
  else
    puts("nan"); // of either sign
}

int main(int argc, char **argv)
{
  int T = argc > 1 ? atoi(argv[1]) : 3, n = argc > 2 ? atoi(argv[2]) : 8;
  double complex (*a)[12][n] = calloc(2, sizeof *a);
  float complex (*b)[12][n] = calloc(2, sizeof *b);
  double (*x)[n] = calloc(2, sizeof *x);
  double special[] = {0., -0., 1., -2.5, 1. / 0., -1. / 0., 1e308, 3e-320, 0.1};
  unsigned s = 1;
  for (int k = 0; k < 2 * 12 * n; k++) {
    s = s * 1103515245 + 12345;
    double p[2] = {special[(s >> 16) % 9], special[(s >> 20) % 9]};
    memcpy(&a[0][0][k], p, 16);
    float q[2] = {p[1], p[0]};
    memcpy(&b[0][0][k], q, 8);
    if (k < 2 * n)
      x[0][k] = special[(s >> 8) % 9];
  }
  f(T, n, a, x, b, 3, 2);
  for (int k = 0; k < 2 * 12 * n; k++) {
    show(creal(a[0][0][k]));
    show(cimag(a[0][0][k]));
    show(crealf(b[0][0][k]));
    show(cimagf(b[0][0][k]));
  }
  for (int k = 0; k < 2 * n; k++)
    show(x[0][k]);
  free(a);
  free(b);
  free(x);
  return 0;
}
