// t & 1, (t + 1) & 1 and 1 - t % 2 are the same subscripts.
// RUN 0 5 | 1 7 | 6 3 | 7 40 | 12 33 | 5 1
#include <stdio.h>
#include <stdlib.h>

static double next(void)
{
  static unsigned long s = 12345;
  s = s * 6364136223846793005ul + 1442695040888963407ul;
  return (double)(s >> 33) / (1ul << 31);
}

static void step(int T, int n, double (*restrict A)[n][n])
{
#pragma scop
  for (int t = 0; t < T; t++)
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        A[1 - t % 2][i][j] = 0.2 * (A[t & 1][i][j] + A[t % 2][i - 1][j] + A[(t + 2) & 1][i + 1][j] + A[!((t + 1) % 2)][i][j - 1] + A[(t + 4) % 2][i][j + 1]);
#pragma endscop
}

int main(int argc, char **argv)
{
  int T = argc > 1 ? atoi(argv[1]) : 3, n = argc > 2 ? atoi(argv[2]) : 4;
  double (*a)[n][n] = malloc(sizeof(double) * 2 * n * n);
  for (int k = 0; k < 2 * n * n; k++)
    (&a[0][0][0])[k] = next();
  step(T, n, a);
  for (int k = 0; k < 2 * n * n; k++)
    printf("%a\n", (&a[0][0][0])[k]);
  return 0;
}
