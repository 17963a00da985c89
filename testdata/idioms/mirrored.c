// Diffusion with mirrored borders, in a block of rows and in planes: for n = 1 the neighbours of a point lie outside.
// RUN 0 5 7 | 1 7 3 | 4 30 40 | 5 19 2 | 3 2 2 | 2 2 9 | 6 33 64
#include <stdio.h>
#include <stdlib.h>

static void diffuse(int T, int n, int m, double *restrict a, double *restrict b, float c[restrict 2][n][m])
{
#pragma scop
  for (int t = 0; t < T; t++) {
    for (int i = 0; i < n; i++)
      for (int j = 0; j < m; j++) {
        int jm = j == 0 ? 1 : j - 1, jp = j == m - 1 ? m - 2 : j + 1;
        int im = i - 1, ip = i + 1;
        if (im < 0)
          im = -im;
        if (ip >= n)
          ip = 2 * (n - 1) - ip;
        b[i * m + j] = a[i * m + j] + 0.1 * (a[i * m + jm] + a[i * m + jp] + a[im * m + j] + a[ip * m + j] - 4 * a[i * m + j]);
      }
    for (int i = 0; i < n; i++)
      for (int j = 0; j < m; j++)
        a[i * m + j] = b[i * m + j];
    for (int i = 0; i < n; i++)
      for (int j = 0; j < m; j++)
        c[(t + 1) % 2][i][j] = 0.2f * (c[t % 2][i][j] + c[t % 2][i == 0 ? 1 : i - 1][j] + c[t % 2][i == n - 1 ? n - 2 : i + 1][j]
                                       + c[t % 2][i][j ? j - 1 : 1] + c[t % 2][i][j < m - 1 ? j + 1 : m - 2]);
  }
#pragma endscop
}

int main(int argc, char **argv)
{
  int T = argc > 1 ? atoi(argv[1]) : 3, n = argc > 2 ? atoi(argv[2]) : 4, m = argc > 3 ? atoi(argv[3]) : 5;
  double *a = malloc(sizeof(double) * n * m), *b = malloc(sizeof(double) * n * m);
  float (*c)[n][m] = malloc(2 * sizeof *c);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      a[i * m + j] = (i * 7 + j * 13) % 11;
      b[i * m + j] = 0;
      c[0][i][j] = c[1][i][j] = (i * 5 + j * 3) % 7;
    }
  diffuse(T, n, m, a, b, c);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      printf("%a %a %a %a\n", a[i * m + j], b[i * m + j], c[0][i][j], c[1][i][j]);
  free(a);
  free(b);
  free(c);
  return 0;
}
