// Relaxation in place of points in two colours, whose neighbours are clamped and mirrored.
// RUN 0 5 | 1 7 | 4 30 | 5 19 | 3 3 | 2 2 | 3 2
#include <stdio.h>
#include <stdlib.h>
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define AT(i, j) ((i) * n + (j))

static float next(void)
{
  static unsigned long s = 12345;
  s = s * 6364136223846793005ul + 1442695040888963407ul;
  return (float)(s >> 40) / (1 << 24);
}

static void relax(int T, int n, float a[restrict n][n], float *restrict b, float c[restrict n][n])
{
#pragma scop
  for (int t = 0; t < T; t++) {
    for (int colour = 0; colour < 2; colour++)
      for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
          if ((i + j + colour) % 2 == 0)
            a[i][j] = 0.25f * (a[i > 0 ? i - 1 : 0][j] + a[i < n - 1 ? i + 1 : n - 1][j] + a[i][j > 0 ? j - 1 : 0] + a[i][j < n - 1 ? j + 1 : n - 1]);
    for (int colour = 0; colour < 2; colour++)
      for (int i = 0; i < n; i++)
        for (int j = (i + colour) % 2; j < n; j += 2) {
          int im = MAX(i - 1, 0), ip = MIN(i + 1, n - 1), jm = MAX(j - 1, 0), jp = MIN(j + 1, n - 1);
          b[AT(i, j)] = 0.25f * (b[AT(im, j)] + b[AT(ip, j)] + b[AT(i, jm)] + b[AT(i, jp)]);
        }
    for (int colour = 0; colour < 2; colour++)
      for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
          if ((i + j) % 2 != colour)
            continue;
          int jm = j == 0 ? 1 : j - 1, im = i ? i - 1 : 1;
          int jp = j == n - 1 ? n - 2 : j + 1, ip = i < n - 1 ? i + 1 : i - 1;
          c[i][j] = 0.25f * (c[im][j] + c[ip][j] + c[i][jm] + c[i][jp]);
        }
  }
#pragma endscop
}

int main(int argc, char **argv)
{
  int T = argc > 1 ? atoi(argv[1]) : 3, n = argc > 2 ? atoi(argv[2]) : 4;
  float (*a)[n] = malloc(n * sizeof *a), *b = malloc(n * sizeof *a), (*c)[n] = malloc(n * sizeof *c);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      a[i][j] = next();
      b[i * n + j] = next();
      c[i][j] = next();
    }
  relax(T, n, a, b, c);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      printf("%a %a %a\n", a[i][j], b[i * n + j], c[i][j]);
  free(a);
  free(b);
  free(c);
  return 0;
}
