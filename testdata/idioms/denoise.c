// A volume of magnetic resonance without its noise, by total variation: how steep the picture is, and a step of gradient descent from the picture before to the next, with the Rician term by a ratio of polynomials.
// RUN 0 3 3 3 | 1 5 5 5 | 2 6 4 9 | 3 7 11 41 | 2 17 9 13 | 1 5 17 33
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static void denoise(int steps, int l, int n, int m, float u[restrict 2][l][n][m], float (*restrict f)[n][m])
{
  const float epsilon = 1e-4f, step = 0.05f, lambda = 0.3f, sigma2 = 1.5f;
  float (*g)[n][m] = malloc(sizeof(float) * l * n * m);
#pragma scop
  for (int t = 0; t < steps; t++) {
    for (int k = 1; k < l - 1; k++)
      for (int j = 1; j < n - 1; j++)
        for (int i = 1; i < m - 1; i++) {
          float c = u[t % 2][k][j][i], e = c - u[t % 2][k][j][i + 1], w = c - u[t % 2][k][j][i - 1], s = c - u[t % 2][k][j + 1][i], o = c - u[t % 2][k][j - 1][i], b = c - u[t % 2][k + 1][j][i], a = c - u[t % 2][k - 1][j][i];
          g[k][j][i] = 1 / sqrtf(epsilon + e * e + w * w + s * s + o * o + b * b + a * a);
        }
    for (int k = 2; k < l - 2; k++)
      for (int j = 2; j < n - 2; j++)
        for (int i = 2; i < m - 2; i++) {
          float r = u[t % 2][k][j][i] * f[k][j][i] / sigma2;
          r = r * (2.38944f + r * (0.950037f + r)) / (4.65314f + r * (2.57541f + r * (1.48937f + r)));
          u[(t + 1) % 2][k][j][i] = (u[t % 2][k][j][i] + step * (u[t % 2][k][j][i + 1] * g[k][j][i + 1] + u[t % 2][k][j][i - 1] * g[k][j][i - 1] + u[t % 2][k][j + 1][i] * g[k][j + 1][i] + u[t % 2][k][j - 1][i] * g[k][j - 1][i]
                                             + u[t % 2][k + 1][j][i] * g[k + 1][j][i] + u[t % 2][k - 1][j][i] * g[k - 1][j][i] + lambda * f[k][j][i] * r))
            / (1 + step * (g[k][j][i + 1] + g[k][j][i - 1] + g[k][j + 1][i] + g[k][j - 1][i] + g[k + 1][j][i] + g[k - 1][j][i] + lambda));
        }
  }
#pragma endscop
  free(g);
}

int main(int argc, char **argv)
{
  int steps = argc > 1 ? atoi(argv[1]) : 1, l = argc > 2 ? atoi(argv[2]) : 5, n = argc > 3 ? atoi(argv[3]) : 6, m = argc > 4 ? atoi(argv[4]) : 7;
  if (steps < 0 || l < 1 || n < 1 || m < 1)
    return 1;
  long cells = (long)l * n * m;
  float *u = malloc(2 * sizeof(float) * cells), *f = malloc(sizeof(float) * cells);
  for (long i = 0; i < cells; i++)
    u[i] = u[cells + i] = f[i] = 1 + i * 7 % 11 * 0.25f;
  denoise(steps, l, n, m, (float (*)[l][n][m])u, (float (*)[n][m])f);
  for (long i = 0; i < 2 * cells; i++)
    printf("%a\n", u[i]);
  return 0;
}
