// Life on a hexagonal grid, whose odd rows are shifted: a point has its neighbours above and below to the left in even rows, and to the right in odd ones.
// RUN 0 5 4 | 1 7 3 | 4 30 11 | 5 19 16 | 3 3 2 | 6 17 33 | 2 2 2 | 3 1 1
#include <stdio.h>
#include <stdlib.h>

static unsigned draw(void)
{
  static unsigned long s = 12345;
  s = s * 6364136223846793005ul + 1442695040888963407ul;
  return s >> 40;
}

static void life(int T, int n, int m, int a[restrict 2][n][m])
{
#pragma scop
  for (int t = 0; t < T; t++)
    for (int y = 1; y < n - 1; y++)
      for (int x = 1; x < m - 1; x++) {
        int left, right;
        if (y % 2 == 0) {
          left = x - 1;
          right = x;
        } else {
          left = x;
          right = x + 1;
        }
        int s = a[t % 2][y][x - 1] + a[t % 2][y][x + 1];
        for (int d = -1; d <= 1; d += 2)
          s += a[t % 2][y + d][left] + a[t % 2][y + d][right];
        a[(t + 1) % 2][y][x] = s == 2 || (s == 3 && a[t % 2][y][x]);
      }
#pragma endscop
}

int main(int argc, char **argv)
{
  int T = argc > 1 ? atoi(argv[1]) : 3, n = argc > 2 ? atoi(argv[2]) : 4, m = argc > 3 ? atoi(argv[3]) : 5;
  int (*a)[n][m] = malloc(2 * sizeof *a);
  for (int i = 0; i < n * m; i++)
    a[0][0][i] = a[1][0][i] = draw() % 3 == 0;
  life(T, n, m, a);
  for (int i = 0; i < n * m; i++)
    printf("%d %d\n", a[0][0][i], a[1][0][i]);
  free(a);
  return 0;
}
