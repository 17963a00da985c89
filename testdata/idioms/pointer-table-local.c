// Two blocks from malloc in an array of pointers; the loops stand in the same function.
// RUN 0 5 | 1 7 | 4 40 | 5 19 | 3 3 | 6 9
#include <stdio.h>
#include <stdlib.h>

static double next(void)
{
  static unsigned long s = 12345;
  s = s * 6364136223846793005ul + 1442695040888963407ul;
  return (double)(s >> 33) / (1ul << 31);
}

int main(int argc, char **argv)
{
  int T = argc > 1 ? atoi(argv[1]) : 3, n = argc > 2 ? atoi(argv[2]) : 4;
  double *w[2] = {NULL, NULL};
  for (int k = 0; k < 2; k++)
    w[k] = (double *)malloc(sizeof(double) * n * n);
  for (int i = 0; i < n * n; i++)
    w[0][i] = next(), w[1][i] = next();
#pragma scop
  for (int t = 0; t < T; t++)
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        w[1 - t % 2][i * n + j] = 0.25 * (w[t % 2][i * n + j - 1] + w[t % 2][(i - 1) * n + j] + w[t % 2][(i + 1) * n + j] + w[t % 2][i * n + j + 1]);
#pragma endscop
  for (int i = 0; i < n * n; i++)
    printf("%a %a\n", w[0][i], w[1][i]);
  free(w[0]), free(w[1]);
  return 0;
}
