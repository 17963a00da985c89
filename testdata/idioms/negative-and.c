// t & 1 of negative t is 0 or 1, as of others.
// RUN 0 0 9 | -3 4 9 | -4 -1 14 | -7 2 33 | -2 -2 5
#include <stdio.h>
#include <stdlib.h>

static float A[2][64];

static void step(int from, int to, int n)
{
#pragma scop
  for (int t = from; t < to; t++)
    for (int i = 1; i < n - 1; i++)
      A[1 - (t & 1)][i] = 0.5f * A[t & 1][i] + 0.25f * (A[t & 1][i - 1] + A[(t + 2) & 1][i + 1]);
#pragma endscop
}

int main(int argc, char **argv)
{
  int from = argc > 1 ? atoi(argv[1]) : 0, to = argc > 2 ? atoi(argv[2]) : 3, n = argc > 3 ? atoi(argv[3]) : 9;
  for (int i = 0; i < 64; i++)
    A[0][i] = 1.0f / (i + 1), A[1][i] = (float)i;
  step(from, to, n);
  for (int i = 0; i < 64; i++)
    printf("%a %a\n", A[0][i], A[1][i]);
  return 0;
}
