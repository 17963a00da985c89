// The head of the loop counts, and a test in its body ends it.
// RUN 0 5 | 1 7 | 6 30 | 13 40 | 2 1 | 5 90 | 9 12
#include <stdio.h>
#include <stdlib.h>

static double next(void)
{
  static unsigned long s = 12345;
  s = s * 6364136223846793005ul + 1442695040888963407ul;
  return (double)(s >> 33) / (1ul << 31);
}

static void run(int n, int T, double *restrict a, double *restrict b)
{
#pragma scop
  for (int t = 0;; t++) {
    if (t >= T)
      break;
    for (int i = 1; i < n - 1; i++)
      b[i] = 0.25 * a[i - 1] + 0.5 * a[i] + 0.25 * a[i + 1];
    for (int i = 1; i < n - 1; i++)
      a[i] = b[i] + t;
  }
#pragma endscop
}

int main(int argc, char **argv)
{
  int T = argc > 1 ? atoi(argv[1]) : 5, n = argc > 2 ? atoi(argv[2]) : 20;
  double *a = malloc(sizeof(double) * (n + 1)), *b = malloc(sizeof(double) * (n + 1));
  for (int i = 0; i < n; i++) {
    a[i] = next();
    b[i] = next();
  }
  run(n, T, a, b);
  for (int i = 0; i < n; i++)
    printf("%a %a\n", a[i], b[i]);
  return 0;
}
