// An unsharp mask of a picture in three colours: a blur in two passes, and what the picture has more than that, added, where it is enough.
// RUN 1 1 | 5 5 | 6 7 | 20 41 | 9 70 | 37 11
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static void unsharp(int n, int m, float in[restrict 3][n][m], float out[restrict 3][n][m])
{
  const float weight = 3, threshold = 0.5f;
  float blurx[3][n][m], blury[3][n][m];
#pragma scop
  for (int c = 0; c < 3; c++)
    for (int i = 2; i < n - 2; i++)
      for (int j = 0; j < m; j++)
        blurx[c][i][j] = (in[c][i - 2][j] + 4 * in[c][i - 1][j] + 6 * in[c][i][j] + 4 * in[c][i + 1][j] + in[c][i + 2][j]) / 16;
  for (int c = 0; c < 3; c++)
    for (int i = 2; i < n - 2; i++)
      for (int j = 2; j < m - 2; j++)
        blury[c][i][j] = (blurx[c][i][j - 2] + 4 * blurx[c][i][j - 1] + 6 * blurx[c][i][j] + 4 * blurx[c][i][j + 1] + blurx[c][i][j + 2]) / 16;
  for (int c = 0; c < 3; c++)
    for (int i = 2; i < n - 2; i++)
      for (int j = 2; j < m - 2; j++)
        out[c][i][j] = fabsf(in[c][i][j] - blury[c][i][j]) < threshold ? in[c][i][j] : in[c][i][j] * (1 + weight) - blury[c][i][j] * weight;
#pragma endscop
}

int main(int argc, char **argv)
{
  int n = argc > 1 ? atoi(argv[1]) : 6, m = argc > 2 ? atoi(argv[2]) : 7;
  if (n < 1 || m < 1)
    return 1;
  long cells = 3L * n * m;
  float *in = malloc(sizeof(float) * cells), *out = malloc(sizeof(float) * cells);
  for (long i = 0; i < cells; i++)
    in[i] = i * 7 % 11, out[i] = 0;
  unsharp(n, m, (float (*)[n][m])in, (float (*)[n][m])out);
  for (long i = 0; i < cells; i++)
    printf("%a\n", out[i]);
  return 0;
}
