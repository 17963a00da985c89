// Three pointers rotate, as in the wave equation; the loop begins at a parameter.
// RUN 0 0 9 | 3 4 9 | 0 8 4 | 2 9 50 | 5 17 33 | 9 2 20 | -3 5 40
#include <stdio.h>
#include <stdlib.h>

static double next(void)
{
  static unsigned long s = 12345;
  s = s * 6364136223846793005ul + 1442695040888963407ul;
  return (double)(s >> 33) / (1ul << 31);
}

static void wave(int from, int to, int n, double *restrict prev, double *restrict cur, double *restrict next, double **out)
{
  double *tmp;
  int t, i;
#pragma scop
  for (t = from; t < to; t++) {
    for (i = 1; i < n - 1; i++)
      next[i] = 2 * cur[i] - prev[i] + 0.3 * (cur[i - 1] - 2 * cur[i] + cur[i + 1]);
    tmp = prev;
    prev = cur;
    cur = next;
    next = tmp;
  }
#pragma endscop
  out[0] = prev, out[1] = cur, out[2] = next;
}

int main(int argc, char **argv)
{
  int from = argc > 1 ? atoi(argv[1]) : 0, to = argc > 2 ? atoi(argv[2]) : 3, n = argc > 3 ? atoi(argv[3]) : 5;
  double *x[3], *out[3];
  for (int k = 0; k < 3; k++) {
    x[k] = malloc(sizeof(double) * n);
    for (int i = 0; i < n; i++)
      x[k][i] = next();
  }
  wave(from, to, n, x[0], x[1], x[2], out);
  for (int k = 0; k < 3; k++) {
    printf("%d\n", out[k] == x[0] ? 0 : out[k] == x[1] ? 1 : 2);
    for (int i = 0; i < n; i++)
      printf("%a\n", out[k][i]);
  }
  return 0;
}
