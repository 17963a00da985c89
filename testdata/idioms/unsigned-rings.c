// Tori in unsigned numbers, which wrap around on the way to a sum that fits: neighbours by a number of either sign, and powers of two.
// RUN 0 5 7 | 1 1 1 | 6 3 2 | 7 40 33 | 12 33 70 | 5 1 9 | 9 2 2 | 4 4 1 | 8 66 64
// VIOLATED n >= 2
// VIOLATED m >= 2
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#define RING 64u

static void step(unsigned n, unsigned m, uint8_t old[n][m], uint8_t new[n][m])
{
  for (unsigned i = 0; i < n; i++)
    for (unsigned j = 0; j < m; j++) {
      int sum = 0;
      for (int di = -1; di <= 1; di++)
        for (int dj = -1; dj <= 1; dj++)
          sum += old[(i + di + n) % n][(dj + j + m) % m];
      new[i][j] = (sum + old[i][j]) % 7;
    }
}

static void run(int T, unsigned n, unsigned m, uint8_t a[n][m], uint8_t b[n][m], int ring[restrict 2][RING], size_t k, double *restrict u, double *restrict v)
{
#pragma scop
  for (int t = 0; t < T; t++) {
    step(n, m, a, b);
    step(n, m, b, a);
    for (unsigned i = 0; i < RING; i++)
      ring[(t + 1) % 2][i] = ring[t % 2][(i - 1) % RING] ^ (ring[t % 2][i] | ring[t % 2][(i + 1) & (RING - 1)]);
    for (size_t i = 1; i + 1 < k; i++)
      v[i] = u[i] + 0.25 * (u[i - 2 + 1] + u[i + (size_t)-1 + 2] - 2 * u[i]);
    for (size_t i = 1; i + 1 < k; i++)
      u[i] = v[i];
  }
#pragma endscop
}

int main(int argc, char **argv)
{
  int T = argc > 1 ? atoi(argv[1]) : 3;
  unsigned n = argc > 2 ? atoi(argv[2]) : 4, m = argc > 3 ? atoi(argv[3]) : 5;
  uint8_t (*a)[m] = malloc(n * m), (*b)[m] = malloc(n * m);
  double *u = malloc(sizeof(double) * n * m), *v = malloc(sizeof(double) * n * m);
  int ring[2][RING] = {{0}};
  ring[0][RING / 2] = 1;
  for (unsigned i = 0; i < n; i++)
    for (unsigned j = 0; j < m; j++)
      a[i][j] = (i * 7 + j * 5) % 3, b[i][j] = 0, u[i * m + j] = i * 5 + j, v[i * m + j] = 0;
  run(T, n, m, a, b, ring, n * m, u, v);
  for (unsigned i = 0; i < n; i++)
    for (unsigned j = 0; j < m; j++)
      printf("%d %d %a %a\n", a[i][j], b[i][j], u[i * m + j], v[i * m + j]);
  for (unsigned i = 0; i < RING; i++)
    printf("%d %d\n", ring[0][i], ring[1][i]);
  return 0;
}
