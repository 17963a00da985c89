// Cells in bytes and shorts: a game of life in unsigned char, and a blur in int16_t with a gain that is a short.
// RUN 0 5 9 | 1 7 4 | 4 23 17 | 5 9 40 | 3 3 3 | 6 13 12
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static void life(int T, int n, int m, unsigned char (*restrict a)[n][m], int16_t (*restrict h)[n][m], short gain)
{
#pragma scop
  for (int t = 0; t < T; t++) {
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < m - 1; j++) {
        unsigned char k = a[t % 2][i - 1][j - 1] + a[t % 2][i - 1][j] + a[t % 2][i - 1][j + 1] + a[t % 2][i][j - 1]
                          + a[t % 2][i][j + 1] + a[t % 2][i + 1][j - 1] + a[t % 2][i + 1][j] + a[t % 2][i + 1][j + 1];
        a[(t + 1) % 2][i][j] = k == 3 || (k == 2 && a[t % 2][i][j]);
      }
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < m - 1; j++)
        h[(t + 1) % 2][i][j] = (int16_t)(h[t % 2][i][j - 1] * gain + h[t % 2][i][j + 1] - h[t % 2][i - 1][j]) >> 1;
  }
#pragma endscop
}

int main(int argc, char **argv)
{
  int T = argc > 1 ? atoi(argv[1]) : 3, n = argc > 2 ? atoi(argv[2]) : 8, m = argc > 3 ? atoi(argv[3]) : 8;
  unsigned char (*a)[n][m] = malloc(2 * sizeof *a);
  int16_t (*h)[n][m] = malloc(2 * sizeof *h);
  unsigned s = 1;
  for (int k = 0; k < 2 * n * m; k++) {
    s = s * 1103515245 + 12345;
    a[0][0][k] = s >> 16 & 1;
    h[0][0][k] = (short)(s >> 8);
  }
  life(T, n, m, a, h, 3);
  for (int k = 0; k < 2 * n * m; k++)
    printf("%d %d\n", a[0][0][k], h[0][0][k]);
  free(a);
  free(h);
  return 0;
}
