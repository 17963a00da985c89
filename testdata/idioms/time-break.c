// A loop without an end of its own: the number of steps ends it, in the middle of a step too.
// RUN 0 5 | 1 7 | 6 30 | 13 40 | 2 1 | 5 90 | 9 12
// VIOLATED T >= 1
#include <stdio.h>
#include <stdlib.h>

static double next(void)
{
  static unsigned long s = 12345;
  s = s * 6364136223846793005ul + 1442695040888963407ul;
  return (double)(s >> 33) / (1ul << 31);
}

static int run(int n, int T, int limit, double *restrict a, double *restrict b)
{
  int t = 0;
#pragma scop
  for (;;) {
    if (t == limit)
      break;
    for (int i = 1; i < n - 1; i++)
      b[i] = 0.25 * a[i - 1] + 0.5 * a[i] + 0.25 * a[i + 1];
    if (++t >= T)
      break;
    for (int i = 1; i < n - 1; i++)
      a[i] = b[i] + t;
  }
#pragma endscop
  return t;
}

int main(int argc, char **argv)
{
  int T = argc > 1 ? atoi(argv[1]) : 5, n = argc > 2 ? atoi(argv[2]) : 20;
  double *a = malloc(n * sizeof *a), *b = malloc(n * sizeof *b);
  for (int i = 0; i < n; i++) {
    a[i] = next();
    b[i] = next();
  }
  printf("%d\n", run(n, T, n % 10 + 3, a, b));
  for (int i = 0; i < n; i++)
    printf("%a %a\n", a[i], b[i]);
  free(a);
  free(b);
  return 0;
}
