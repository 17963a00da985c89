// Several numbers for each point: loops over components, outermost, between and innermost, written out.
// RUN 0 5 | 1 7 | 6 5 | 3 30 | 2 4 | 5 33
#include <stdio.h>
#include <stdlib.h>

static const double D[2] = {0.16, 0.08};

static void step(int T, int n, double u[restrict 2][2][n][n], float (*restrict rgb)[n][3], float (*restrict out)[n][3])
{
  int c;
#pragma scop
  for (int t = 0; t < T; t++) {
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++) {
        double uvv = u[t % 2][0][i][j] * u[t % 2][1][i][j] * u[t % 2][1][i][j];
        for (int c = 0; c < 2; c++) {
          double lap = u[t % 2][c][i - 1][j] + u[t % 2][c][i + 1][j] + u[t % 2][c][i][j - 1] + u[t % 2][c][i][j + 1] - 4 * u[t % 2][c][i][j];
          u[(t + 1) % 2][c][i][j] = u[t % 2][c][i][j] + D[c] * lap + (c == 0 ? -uvv : uvv - 0.1 * u[t % 2][1 - c][i][j]);
        }
      }
    for (int c = 0; c < 2; c++) {
      for (int i = 1; i < n - 1; i++)
        u[(t + 1) % 2][c][i][0] = u[(t + 1) % 2][c][i][1];
      for (int i = 1; i < n - 1; i++)
        u[(t + 1) % 2][c][i][n - 1] = u[(t + 1) % 2][c][i][n - 2];
    }
    for (int i = 1; i < n - 1; i++)
      for (c = 2; c >= 0; c--)
        for (int j = 1; j < n - 1; j++)
          out[i][j][c] = 0.25f * (rgb[i - 1][j][c] + rgb[i + 1][j][c] + rgb[i][j - 1][c] + rgb[i][j + 1][(c + 1) % 3]);
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        for (c = 0; c < 3; c++)
          rgb[i][j][c] = out[i][j][c] + 0.125f * c;
  }
#pragma endscop
}

int main(int argc, char **argv)
{
  int T = argc > 1 ? atoi(argv[1]) : 3, n = argc > 2 ? atoi(argv[2]) : 4;
  if (n < 2)
    return 1;
  double (*u)[2][n][n] = malloc(sizeof(double) * 4 * n * n);
  float (*rgb)[n][3] = malloc(sizeof(float) * 3 * n * n), (*out)[n][3] = calloc(3 * n * n, sizeof(float));
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      for (int k = 0; k < 4; k++)
        u[k / 2][k % 2][i][j] = (i * 7 + j * 3 + k) % 11 / 16.0;
      for (int c = 0; c < 3; c++)
        rgb[i][j][c] = (i * j + 5 * c) % 13;
    }
  step(T, n, u, rgb, out);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      printf("%a %a %a %a %a\n", u[T % 2][0][i][j], u[T % 2][1][i][j], rgb[i][j][0], rgb[i][j][1], rgb[i][j][2]);
  return 0;
}
