// One subscript made by a macro, into two malloc'ed blocks that rotate; rows have n + 2 elements.
// RUN 0 5 | 1 7 | 6 3 | 7 40 | 12 33 | 5 0 | 3 1
#include <stdio.h>
#include <stdlib.h>

static double next(void)
{
  static unsigned long s = 12345;
  s = s * 6364136223846793005ul + 1442695040888963407ul;
  return (double)(s >> 33) / (1ul << 31);
}

#define IDX(i, j) ((i) * (n + 2) + (j))

static void step(int T, int n, double *restrict a, double *restrict b)
{
#pragma scop
  for (int t = 0; t < T; t++) {
    for (int i = 1; i <= n; i++)
      for (int j = 1; j <= n; j++)
        b[IDX(i, j)] = 0.2 * (a[IDX(i, j)] + a[IDX(i - 1, j)] + a[IDX(i + 1, j)] + a[IDX(i, j - 1)] + a[IDX(i, j + 1)]);
    double *q = a;
    a = b;
    b = q;
  }
#pragma endscop
}

int main(int argc, char **argv)
{
  int T = argc > 1 ? atoi(argv[1]) : 3, n = argc > 2 ? atoi(argv[2]) : 4;
  long last = (long)(n + 1) * (n + 2) + n; /* the corner is not there */
  double *a = malloc(sizeof(double) * (last + 1)), *b = malloc(sizeof(double) * (last + 1));
  for (int i = 0; i <= last; i++)
    a[i] = next(), b[i] = next();
  step(T, n, a, b);
  for (int i = 0; i <= last; i++)
    printf("%a %a\n", a[i], b[i]);
  return 0;
}
