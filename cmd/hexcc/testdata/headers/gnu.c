/* gcc only */
#include <stdio.h>
#include <stddef.h>
typedef __int128 wide;
typedef _Float128 quad __attribute__((aligned(16)));
struct packed { char c; double d; } __attribute__((packed));
static quad half(quad x) { return x / 2; }
static __attribute__((noinline, cold)) int nested(int x)
{
  int inner(int y) { return x * y; }
  return inner(3);
}
static int jump(int x)
{
  asm goto("" : : : : out);
  return x;
out:
  return -x;
}
static int table(int x)
{
  static void *labels[] = {&&one, &&two};
  goto *labels[x & 1];
one:
  return 1;
two:
  return 2;
}
static int cases(int x)
{
  switch (x) {
  case 1 ... 5:
    return x ?: 4;
  default:
    return ({ int y = x; __auto_type z = y + 1; z * 2; });
  }
}
static int more(void)
{
  wide w = (wide)1 << 100;
  int array[] = {[0 ... 3] = 7};
  return nested(4) + jump(2) + table(1) + cases(9) + (int)(w >> 98) + (int)half(6) + array[2] + (int)sizeof(struct packed) + (int)offsetof(struct packed, d) + __builtin_popcount(255);
}
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
