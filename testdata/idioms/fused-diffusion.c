// Horizontal diffusion of a weather model, whose nests hand on fields that nobody else sees, with levels in its outermost loop.
// RUN 1 1 1 | 1 5 5 | 2 4 9 | 3 20 41 | 35 9 13 | 1 17 33
#include <stdio.h>
#include <stdlib.h>

static void diffuse(int l, int n, int m, double (*restrict in)[n][m], double (*restrict out)[n][m], double (*restrict coeff)[n][m])
{
  double (*lap)[n][m] = malloc(sizeof(double) * l * n * m);
  double (*fli)[n][m] = malloc(sizeof(double) * l * n * m);
  double (*flj)[n][m] = malloc(sizeof(double) * l * n * m);
#pragma scop
  for (int k = 0; k < l; k++)
    for (int j = 1; j < n - 1; j++)
      for (int i = 1; i < m - 1; i++)
        lap[k][j][i] = 4.0 * in[k][j][i] - (in[k][j][i + 1] + in[k][j][i - 1] + in[k][j + 1][i] + in[k][j - 1][i]);
  for (int k = 0; k < l; k++)
    for (int j = 2; j < n - 2; j++)
      for (int i = 1; i < m - 2; i++) {
        double f = lap[k][j][i + 1] - lap[k][j][i];
        fli[k][j][i] = f * (in[k][j][i + 1] - in[k][j][i]) > 0 ? 0 : f;
      }
  for (int k = 0; k < l; k++)
    for (int j = 1; j < n - 2; j++)
      for (int i = 2; i < m - 2; i++) {
        double f = lap[k][j + 1][i] - lap[k][j][i];
        flj[k][j][i] = f * (in[k][j + 1][i] - in[k][j][i]) > 0 ? 0 : f;
      }
  for (int k = 0; k < l; k++)
    for (int j = 2; j < n - 2; j++)
      for (int i = 2; i < m - 2; i++)
        out[k][j][i] = in[k][j][i] - coeff[k][j][i] * (fli[k][j][i] - fli[k][j][i - 1] + flj[k][j][i] - flj[k][j - 1][i]);
#pragma endscop
  free(lap);
  free(fli);
  free(flj);
}

int main(int argc, char **argv)
{
  int l = argc > 1 ? atoi(argv[1]) : 2, n = argc > 2 ? atoi(argv[2]) : 6, m = argc > 3 ? atoi(argv[3]) : 7;
  if (l < 1 || n < 1 || m < 1)
    return 1;
  long cells = (long)l * n * m;
  double *in = malloc(sizeof(double) * cells), *out = malloc(sizeof(double) * cells), *coeff = malloc(sizeof(double) * cells);
  for (long i = 0; i < cells; i++)
    in[i] = i * 7 % 11, out[i] = 0, coeff[i] = 0.025 + i % 3 * 0.001;
  diffuse(l, n, m, (double (*)[n][m])in, (double (*)[n][m])out, (double (*)[n][m])coeff);
  for (long i = 0; i < cells; i++)
    printf("%a\n", out[i]);
  return 0;
}
