/* gcc only */
#include <stdio.h>
#include <stddef.h>
_Decimal64 money = 1.5dd;
static _Float16 small(_Float16 x) { return x * 2; }
static int scaled(int x)
{
  __label__ again;
  auto int inner(int y);
  int inner(int y) { return x * y; }
  if (x < 0)
    goto again;
again:
  return inner(3) + __builtin_types_compatible_p(int, typeof(x));
}
static int bits(int x)
{
  register int r __asm__("eax") = x;
  __asm__ __volatile__("addl $1, %0" : "+r"(r) : : "cc");
  return r + __builtin_choose_expr(sizeof(x) == 4, 2, "no");
}
typedef int v4 __attribute__((vector_size(16)));
static int lanes(void)
{
  v4 x = {1, 2, 3, 4}, y = __builtin_shuffle(x, (v4){3, 2, 1, 0});
  x += y << 1;
  return x[0] + (x > y)[1];
}
static int more(void) { return scaled(4) + bits(3) + lanes() + (int)small(2) + (int)money; }
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
