#include <stdio.h>
#include <math.h>
#include <stdint.h>
#include <stdbool.h>
#include <limits.h>
static int more(void) { return 0; }
static void step(int T, int n, double (*restrict a)[n])
{
#pragma scop
  for (int t = 0; t < T; t++)
    for (int i = 1; i < n - 1; i++)
      a[(t + 1) % 2][i] = 0.5 * a[t % 2][i - 1] + 0.25 * fmin(a[t % 2][i + 1], M_PI) + (double)INT8_MAX / INT_MAX + (i < (int64_t)7 ? true : false);
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
