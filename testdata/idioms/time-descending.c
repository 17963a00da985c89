// Time runs backwards, and the planes with it; the variable of the loop is read afterwards.
// RUN 0 5 | 1 7 | 6 30 | 13 40 | 2 1 | 5 300 | 7 301
#include <stdio.h>
#include <stdlib.h>

static double next(void)
{
  static unsigned long s = 12345;
  s = s * 6364136223846793005ul + 1442695040888963407ul;
  return (double)(s >> 33) / (1ul << 31);
}

static double A[2][300], trace[64];

int main(int argc, char **argv)
{
  int T = argc > 1 ? atoi(argv[1]) : 5, n = argc > 2 ? atoi(argv[2]) : 20, t;
  for (int i = 0; i < 300; i++) {
    A[0][i] = next();
    A[1][i] = next();
  }
  if (n > 300)
    n = 300;
#pragma scop
  for (t = T; t > 0; t--) {
    for (int i = 1; i < n - 1; i++)
      A[(t - 1) % 2][i] = 0.25 * (A[t % 2][i - 1] + A[t % 2][i + 1]) + 0.5 * A[t % 2][i];
    trace[t] = A[t % 2][2] + t;
  }
#pragma endscop
  printf("%d\n", t);
  for (int i = 0; i < 300; i++)
    printf("%a %a %a\n", A[0][i], A[1][i], trace[i % 64]);
  return 0;
}
