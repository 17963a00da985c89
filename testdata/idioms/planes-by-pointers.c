// Planes of rows that are reached by pointers to pointers, and an image of bytes by rows.
// RUN 0 5 | 1 7 | 6 8 | 3 13 | 2 1 | 2 20
#include <stdio.h>
#include <stdlib.h>

static double next(void)
{
  static unsigned long s = 12345;
  s = s * 6364136223846793005ul + 1442695040888963407ul;
  return (double)(s >> 33) / (1ul << 31);
}

static void run(int T, int n, int m, int l, float ***u, float ***v, unsigned char **mask)
{
#pragma scop
  for (int t = 0; t < T; t++) {
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < m - 1; j++)
        for (int k = 1; k < l - 1; k++)
          v[i][j][k] = (u[i - 1][j][k] + u[i + 1][j][k] + u[i][j - 1][k] + u[i][j + 1][k] + u[i][j][k - 1] + u[i][j][k + 1]) / 6;
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < m - 1; j++)
        for (int k = 1; k < l - 1; k++)
          u[i][j][k] = mask[i][j] > 100 ? v[i][j][k] : u[i][j][k];
  }
#pragma endscop
}

static float ***block(int n, int m, int l)
{
  float ***a = malloc((n + 1) * sizeof *a), **rows = malloc((n * m + 1) * sizeof *rows), *all = malloc((n * m * l + 1) * sizeof *all);
  for (int i = 0; i < n; i++) {
    a[i] = rows + i * m;
    for (int j = 0; j < m; j++)
      a[i][j] = all + (i * m + j) * l;
  }
  return a;
}

int main(int argc, char **argv)
{
  int T = argc > 1 ? atoi(argv[1]) : 5, n = argc > 2 ? atoi(argv[2]) : 10, m = n + 2, l = n + 1;
  float ***u = block(n, m, l), ***v = block(n, m, l);
  unsigned char *mask[30], all[30][32];
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      mask[i] = all[i];
      mask[i][j] = 255 * next();
      for (int k = 0; k < l; k++) {
        u[i][j][k] = next();
        v[i][j][k] = next();
      }
    }
  run(T, n, m, l, u, v, mask);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      for (int k = 0; k < l; k++)
        printf("%a %a\n", u[i][j][k], v[i][j][k]);
  return 0;
}
