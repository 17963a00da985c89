// A function exchanges the pointers; the time loop lies in main.
// RUN 0 5 | 1 7 | 6 3 | 7 90 | 12 70 | 4 2
#include <stdio.h>
#include <stdlib.h>

static double next(void)
{
  static unsigned long s = 12345;
  s = s * 6364136223846793005ul + 1442695040888963407ul;
  return (double)(s >> 33) / (1ul << 31);
}

typedef double *block;

static void swap(block *x, block *y)
{
  block t = *x;
  *x = *y;
  *y = t;
}

int main(int argc, char **argv)
{
  int T = argc > 1 ? atoi(argv[1]) : 3, n = argc > 2 ? atoi(argv[2]) : 4;
  block a = malloc(sizeof(double) * n), b = malloc(sizeof(double) * n), first = a;
  for (int i = 0; i < n; i++)
    a[i] = next(), b[i] = next();
#pragma scop
  for (int t = 0; t < T; t++) {
    for (int i = 1; i < n - 1; i++)
      b[i] = 0.5 * a[i] + 0.25 * (a[i - 1] + a[i + 1]);
    swap(&a, &b);
  }
#pragma endscop
  for (int i = 0; i < n; i++)
    printf("%d %a %a\n", a == first, a[i], b[i]);
  return 0;
}
