// Corners of an image by Harris and Stephens: gradients, their products, sums over windows, and the response, each in an image of its own.
// RUN 1 1 | 5 5 | 6 7 | 20 41 | 9 70 | 37 11
#include <stdio.h>
#include <stdlib.h>

static void harris(int n, int m, float in[restrict n][m], float out[restrict n][m])
{
  float ix[n][m], iy[n][m], xx[n][m], yy[n][m], xy[n][m], sxx[n][m], syy[n][m], sxy[n][m];
#pragma scop
  for (int i = 1; i < n - 1; i++)
    for (int j = 1; j < m - 1; j++) {
      ix[i][j] = (in[i - 1][j + 1] - in[i - 1][j - 1] + 2 * (in[i][j + 1] - in[i][j - 1]) + in[i + 1][j + 1] - in[i + 1][j - 1]) / 12;
      iy[i][j] = (in[i + 1][j - 1] - in[i - 1][j - 1] + 2 * (in[i + 1][j] - in[i - 1][j]) + in[i + 1][j + 1] - in[i - 1][j + 1]) / 12;
    }
  for (int i = 1; i < n - 1; i++)
    for (int j = 1; j < m - 1; j++) {
      xx[i][j] = ix[i][j] * ix[i][j];
      yy[i][j] = iy[i][j] * iy[i][j];
      xy[i][j] = ix[i][j] * iy[i][j];
    }
  for (int i = 2; i < n - 2; i++)
    for (int j = 2; j < m - 2; j++) {
      sxx[i][j] = xx[i - 1][j - 1] + xx[i - 1][j] + xx[i - 1][j + 1] + xx[i][j - 1] + xx[i][j] + xx[i][j + 1] + xx[i + 1][j - 1] + xx[i + 1][j] + xx[i + 1][j + 1];
      syy[i][j] = yy[i - 1][j - 1] + yy[i - 1][j] + yy[i - 1][j + 1] + yy[i][j - 1] + yy[i][j] + yy[i][j + 1] + yy[i + 1][j - 1] + yy[i + 1][j] + yy[i + 1][j + 1];
      sxy[i][j] = xy[i - 1][j - 1] + xy[i - 1][j] + xy[i - 1][j + 1] + xy[i][j - 1] + xy[i][j] + xy[i][j + 1] + xy[i + 1][j - 1] + xy[i + 1][j] + xy[i + 1][j + 1];
    }
  for (int i = 2; i < n - 2; i++)
    for (int j = 2; j < m - 2; j++) {
      float det = sxx[i][j] * syy[i][j] - sxy[i][j] * sxy[i][j], trace = sxx[i][j] + syy[i][j];
      out[i][j] = det - 0.04f * trace * trace;
    }
#pragma endscop
}

int main(int argc, char **argv)
{
  int n = argc > 1 ? atoi(argv[1]) : 6, m = argc > 2 ? atoi(argv[2]) : 7;
  if (n < 1 || m < 1)
    return 1;
  long cells = (long)n * m;
  float *in = malloc(sizeof(float) * cells), *out = malloc(sizeof(float) * cells);
  for (long i = 0; i < cells; i++)
    in[i] = i * 7 % 11, out[i] = 0;
  harris(n, m, (float (*)[m])in, (float (*)[m])out);
  for (long i = 0; i < cells; i++)
    printf("%a\n", out[i]);
  return 0;
}
