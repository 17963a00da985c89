// A checkerboard on a torus, in place, by loops that count down: of an odd number of rows the first and the last have one colour, and the first
// reads what the last left.
// RUN 0 5 7 | 1 3 3 | 6 4 4 | 7 40 33 | 5 33 30 | 5 4 9 | 9 2 2 | 4 7 6 | 8 2 6
#include <stdio.h>
#include <stdlib.h>

static void relax(int n, int m, double (*restrict u)[m], int *restrict s, int colour)
{
  for (int i = n - 1; i >= 0; i--) {
    const int north = (i + n - 1) % n, south = (i + 1) % n;
    for (int j = m - 1; j >= 0; j--)
      if ((i + j + colour) % 2 == 0)
        u[i][j] = 0.5 * u[i][j] + 0.125 * (u[north][j] + u[south][j] + u[i][(j + m - 1) % m] + u[i][(j + 1) % m]);
  }
  for (int i = n - 1; i >= 0; i--)
    for (int j = (i + colour) % 2; j < m; j += 2)
      s[i * m + j] = (s[i * m + j] + s[(i == 0 ? n - 1 : i - 1) * m + j] + 3 * s[(i == n - 1 ? 0 : i + 1) * m + j]) % 100;
}

static void run(int T, int n, int m, double (*restrict u)[m], int *restrict s)
{
#pragma scop
  for (int t = 0; t < T; t++)
    for (int c = 0; c < 2; c++)
      relax(n, m, u, s, c);
#pragma endscop
}

int main(int argc, char **argv)
{
  int T = argc > 1 ? atoi(argv[1]) : 3, n = argc > 2 ? atoi(argv[2]) : 6, m = argc > 3 ? atoi(argv[3]) : 5;
  double (*u)[m] = calloc(n * m, sizeof(double));
  int *s = calloc(n * m, sizeof *s);
  for (int k = 0; k < n * m; k++)
    u[k / m][k % m] = k % 17, s[k] = k % 41;
  run(T, n, m, u, s);
  for (int k = 0; k < n * m; k++)
    printf("%a %d\n", u[k / m][k % m], s[k]);
  return 0;
}
