// The number of steps counts down in the condition of a while loop. It must not be negative: that is tested.
// RUN 0 5 | 1 7 | 6 30 | 13 40 | 2 1 | 5 90
#include <stdio.h>
#include <stdlib.h>

static double next(void)
{
  static unsigned long s = 12345;
  s = s * 6364136223846793005ul + 1442695040888963407ul;
  return (double)(s >> 33) / (1ul << 31);
}

static unsigned relax(int n, unsigned steps, int left, double *restrict a, double *restrict b)
{
#pragma scop
  while (steps--) {
    left--;
    for (int i = 1; i < n - 1; i++)
      b[i] = 0.5 * (a[i - 1] + a[i + 1]);
    for (int i = 1; i < n - 1; i++)
      a[i] = b[i] + left;
  }
#pragma endscop
  printf("%d\n", left);
  return steps;
}

int main(int argc, char **argv)
{
  int T = argc > 1 ? atoi(argv[1]) : 5, n = argc > 2 ? atoi(argv[2]) : 20;
  double *a = malloc(n * sizeof *a), *b = malloc(n * sizeof *b);
  for (int i = 0; i < n; i++) {
    a[i] = next();
    b[i] = next();
  }
  printf("%u\n", relax(n, T, T / 2, a, b));
  for (int i = 0; i < n; i++)
    printf("%a %a\n", a[i], b[i]);
  free(a);
  free(b);
  return 0;
}
