// Neighbours that are gathered by a running index into an array of a point, sorted, and counted: a median filter that leaves its own point out.
// RUN 2 9 8 | 1 3 3 | 0 5 4 | 3 1 1 | 5 20 33
#include <stdio.h>
#include <stdlib.h>

static void filter(int T, int n, int m, int (*restrict a)[m], int (*restrict b)[m])
{
#pragma scop
  for (int t = 0; t < T; t++) {
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < m - 1; j++) {
        int v[8], k = 0, sum = 0;
        for (int y = -1; y <= 1; y++)
          for (int x = -1; x <= 1; x++) {
            if (y == 0 && x == 0)
              continue;
            sum += a[i + y][j + x];
            v[k++] = a[i + y][j + x];
          }
        for (int p = 0; p < 5; p++)
          for (int q = p + 1; q < 8; q++)
            if (v[q] < v[p]) {
              int w = v[p];
              v[p] = v[q];
              v[q] = w;
            }
        b[i][j] = (v[3] + v[4]) / 2 + sum / k % 3;
      }
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < m - 1; j++) {
        int row[3], at = -1;
        for (int x = -1; x < 2; x++)
          row[++at] = b[i][j + x];
        a[i][j] = row[0] > row[at] ? row[at] : row[at - 1];
      }
  }
#pragma endscop
}

int main(int argc, char **argv)
{
  int T = argc > 1 ? atoi(argv[1]) : 2, n = argc > 2 ? atoi(argv[2]) : 9, m = argc > 3 ? atoi(argv[3]) : 8;
  if (n < 1 || m < 1)
    return 1;
  int(*a)[m] = malloc(sizeof(int) * n * m), (*b)[m] = malloc(sizeof(int) * n * m);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      a[i][j] = b[i][j] = (i * 7919 + j * 104729) % 251;
  filter(T, n, m, a, b);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      printf("%d %d\n", a[i][j], b[i][j]);
  free(a);
  free(b);
  return 0;
}
