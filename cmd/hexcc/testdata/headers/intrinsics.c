#include <immintrin.h>
#include <stdio.h>
static __m128d twice(__m128d x) { return _mm_add_pd(x, x); }
static int more(void)
{
  double two[2];
  __m128d v = _mm_set_pd(3, 4);
  v = twice(v) + _mm_set1_pd(1) * 2;
  _mm_storeu_pd(two, v);
  return (int)(two[0] * two[1]) + (v[0] > v[1]);
}
static void step(int T, int n, double (*restrict a)[n])
{
  _mm_prefetch((const char *)a, _MM_HINT_T0);
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
