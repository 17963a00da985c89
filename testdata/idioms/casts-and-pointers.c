// Casts where an array is used, pointers to whole arrays, and * with +.
// RUN 0 5 6 | 1 7 3 | 4 12 40 | 5 19 17 | 2 3 3 | 1 2 2
#include <stdio.h>
#include <stdlib.h>

static double next(void)
{
  static unsigned long s = 12345;
  s = s * 6364136223846793005ul + 1442695040888963407ul;
  return (double)(s >> 33) / (1ul << 31);
}

typedef float real;

static void step(int T, int n, int m, void *restrict block, const real *restrict gain, real (*restrict whole)[n][m], const real *restrict w)
{
#pragma scop
  for (int t = 0; t < T; t++) {
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < m - 1; j++)
        ((real (*)[n][m])block)[(t + 1) & 1][i][j] =
          ((real (*)[n][m])block)[t & 1][i][j] * *gain + w[1] * (*whole)[i][j] + w[0] * *(*(*whole + i - 1) + j + 1) + (&w[1])[1] * (i + w)[-i];
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < m - 1; j++)
        whole[0][i][j] -= ((real (*)[n][m])block)[(t + 1) % 2][i][j];
  }
#pragma endscop
}

int main(int argc, char **argv)
{
  int T = argc > 1 ? atoi(argv[1]) : 3, n = argc > 2 ? atoi(argv[2]) : 4, m = argc > 3 ? atoi(argv[3]) : 4;
  real *block = malloc(sizeof(real) * 2 * n * m), gain = 0.5f, w[3] = {0.25f, 0.125f, 0.0625f}, whole[n][m];
  for (int i = 0; i < 2 * n * m; i++)
    block[i] = (real)next();
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      whole[i][j] = (real)next();
  step(T, n, m, block, &gain, &whole, w);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      printf("%a %a %a\n", whole[i][j], block[i * m + j], block[(n + i) * m + j]);
  return 0;
}
