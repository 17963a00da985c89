// Windows of which only the part inside of the array is read: by if, by continue, by a function, with the number of points that were read.
// RUN 0 5 7|1 7 7|6 5 6|3 30 41|2 5 9|5 33 5|4 13 17|3 6 6
#include <stdio.h>
#include <stdlib.h>

static unsigned char life[2][31][23];

static int alive(int t, int i, int j) { return i >= 0 && i < 31 && j >= 0 && j < 23 && life[t % 2][i][j]; }

static void step(int T, int n, int m, float *restrict u, float *restrict v, int a[restrict n][m], int b[restrict n][m])
{
#pragma scop
  for (int t = 0; t < T; t++) {
    for (int y = 0; y < n; y++)
      for (int x = 0; x < m; x++) {
        float sum = 0;
        int points = 0;
        for (int dy = -1; dy <= 1; dy++) {
          int yy = y + dy;
          if (yy < 0 || yy >= n)
            continue;
          for (int dx = -1; dx <= 1; dx++) {
            int xx = x + dx;
            if (xx < 0 || xx >= m)
              continue;
            sum += u[yy * m + xx];
            points++;
          }
        }
        v[y * m + x] = sum / points;
      }
    for (int y = 0; y < n; y++)
      for (int x = 0; x < m; x++)
        u[y * m + x] = v[y * m + x];
    for (int y = 0; y < n; y++)
      for (int x = 0; x < m; x++) {
        int most = 0;
        for (int d = -1; d <= 1; d++)
          if (x + d >= 0 && x + d < m)
            if (a[y][x + d] > most)
              most = a[y][x + d];
        b[y][x] = most;
      }
    for (int y = 0; y < n; y++)
      for (int x = 0; x < m; x++)
        a[y][x] = b[y][x] - (y > 0 ? b[y - 1][x] % 3 : 1);
    for (int i = 0; i < 31; i++)
      for (int j = 0; j < 23; j++) {
        int c = 0;
        for (int di = -1; di <= 1; di++)
          for (int dj = -1; dj <= 1; dj++) {
            if (di == 0 && dj == 0)
              continue;
            c += alive(t, i + di, j + dj);
          }
        life[(t + 1) % 2][i][j] = c == 3 || (c == 2 && life[t % 2][i][j]);
      }
  }
#pragma endscop
}

int main(int argc, char **argv)
{
  int T = argc > 1 ? atoi(argv[1]) : 3, n = argc > 2 ? atoi(argv[2]) : 4, m = argc > 3 ? atoi(argv[3]) : 4;
  float *u = malloc(n * m * sizeof(float)), *v = malloc(n * m * sizeof(float));
  int(*a)[m] = malloc(n * m * sizeof(int)), (*b)[m] = malloc(n * m * sizeof(int));
  for (int k = 0; k < n * m; k++)
    u[k] = v[k] = k * 7919 % 251, a[k / m][k % m] = b[k / m][k % m] = k * 31 % 101;
  for (int i = 0; i < 31; i++)
    for (int j = 0; j < 23; j++)
      life[0][i][j] = life[1][i][j] = (i * 7 + j * j * 3 + i * j) % 3 == 0;
  step(T, n, m, u, v, a, b);
  for (int k = 0; k < n * m; k++)
    printf("%a %a %d %d\n", u[k], v[k], a[k / m][k % m], b[k / m][k % m]);
  for (int i = 0; i < 31; i++)
    for (int j = 0; j < 23; j++)
      printf("%d%d", life[0][i][j], life[1][i][j]);
  printf("\n");
  return 0;
}
