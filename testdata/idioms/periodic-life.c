// Life on a torus, in bytes, as loops over neighbours count it, and a ring of a power of two.
// RUN 0 5 7 | 1 1 1 | 6 3 2 | 7 40 33 | 12 33 70 | 5 1 9 | 9 2 2 | 4 4 1 | 8 66 64
// VIOLATED m >= 2
// VIOLATED n >= 2
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#define RING 64

static void life(int T, int n, int m, uint8_t w[restrict 2][n][m], int ring[restrict 2][RING])
{
#pragma scop
  for (int t = 0; t < T; t++) {
    for (int i = 0; i < n; i++)
      for (int j = 0; j < m; j++) {
        int s = 0;
        for (int di = -1; di <= 1; di++)
          for (int dj = -1; dj <= 1; dj++)
            if (di != 0 || dj != 0)
              s += w[t % 2][(i + di + n) % n][(j + dj + m) % m];
        w[(t + 1) % 2][i][j] = s == 3 || (s == 2 && w[t % 2][i][j]);
      }
    for (int i = 0; i < RING; i++)
      ring[(t + 1) % 2][i] = ring[t % 2][(i - 1) & (RING - 1)] ^ (ring[t % 2][i] | ring[t % 2][(i + 1) & (RING - 1)]);
  }
#pragma endscop
}

int main(int argc, char **argv)
{
  int T = argc > 1 ? atoi(argv[1]) : 3, n = argc > 2 ? atoi(argv[2]) : 4, m = argc > 3 ? atoi(argv[3]) : 5;
  uint8_t (*w)[n][m] = malloc(2 * n * m);
  int ring[2][RING] = {{0}};
  ring[0][RING / 2] = 1;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      w[0][i][j] = (i * 7 + j * 5) % 3 == 0, w[1][i][j] = 0;
  life(T, n, m, w, ring);
  for (int p = 0; p < 2; p++) {
    for (int i = 0; i < n; i++)
      for (int j = 0; j < m; j++)
        printf("%d\n", w[p][i][j]);
    for (int i = 0; i < RING; i++)
      printf("%d\n", ring[p][i]);
  }
  return 0;
}
