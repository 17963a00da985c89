// Heat in half precision: the grid is _Float16, the sums are calculated in float and rounded where they are stored.
// GCC
// RUN 0 5 9 | 1 7 4 | 4 23 17 | 5 9 40 | 3 3 3 | 6 13 12
#include <stdio.h>
#include <stdlib.h>

static void heat(int T, int n, int m, _Float16 (*restrict a)[n][m], _Float16 c)
{
#pragma scop
  for (int t = 0; t < T; t++)
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < m - 1; j++)
        a[(t + 1) % 2][i][j] = a[t % 2][i][j] + c * (a[t % 2][i - 1][j] + a[t % 2][i + 1][j] + a[t % 2][i][j - 1]
                                                     + a[t % 2][i][j + 1] - 4 * a[t % 2][i][j]);
#pragma endscop
}

int main(int argc, char **argv)
{
  int T = argc > 1 ? atoi(argv[1]) : 3, n = argc > 2 ? atoi(argv[2]) : 8, m = argc > 3 ? atoi(argv[3]) : 8;
  _Float16 (*a)[n][m] = malloc(2 * sizeof *a);
  unsigned s = 1;
  for (int k = 0; k < 2 * n * m; k++) {
    s = s * 1103515245 + 12345;
    a[0][0][k] = (s >> 16 & 0x7fff) * (1.f / 512);
  }
  heat(T, n, m, a, 0.2f);
  for (int k = 0; k < 2 * n * m; k++)
    printf("%.9g\n", (float)a[0][0][k]);
  free(a);
  return 0;
}
