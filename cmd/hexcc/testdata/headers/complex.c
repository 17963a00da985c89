#include <complex.h>
#include <stdio.h>
static double complex z(double x) { return cexp(I * x) * conj(x + 2 * I); }
static int more(void) { return (int)(100 * cabs(z(3)) + 10 * creal(z(1))); }
static void step(int T, int n, double (*restrict a)[n])
{
#pragma scop
  for (int t = 0; t < T; t++)
    for (int i = 1; i < n - 1; i++)
      a[(t + 1) % 2][i] = 0.5 * a[t % 2][i - 1] + 0.25 * a[t % 2][i + 1];
#pragma endscop
}
int main(void)
{
  static double a[2][100];
  double s = 0;
  for (int i = 0; i < 100; i++)
    a[0][i] = a[1][i] = i % 7;
  step(20, 100, a);
  for (int i = 0; i < 100; i++)
    s = s * 0.9 + a[0][i] + a[1][i];
  printf("%.17g %d\n", s, more());
  return 0;
}
