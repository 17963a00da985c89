// Implicit vertical advection of a weather model, with the levels of a column next to each other in memory, and a filter across columns of what comes out.
// RUN 1 1 | 5 5 | 9 4 | 20 11 | 13 35 | 33 17
#include <stdio.h>
#include <stdlib.h>

enum { KE = 20 };

static void advect(int n, int m, const float (*restrict w)[m][KE + 1], const float (*restrict u)[m][KE], float (*restrict tend)[m][KE])
{
  float (*c)[m][KE] = malloc(sizeof(float) * n * m * KE), (*d)[m][KE] = malloc(sizeof(float) * n * m * KE), (*x)[m][KE] = malloc(sizeof(float) * n * m * KE);
#pragma scop
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      c[i][j][0] = 0.25f * w[i][j][1] / (1.0f + 0.25f * w[i][j][1]);
      d[i][j][0] = u[i][j][0] / (1.0f + 0.25f * w[i][j][1]);
    }
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      for (int k = 1; k < KE; k++) {
        float a = -0.25f * w[i][j][k], b = 1.0f + 0.25f * (w[i][j][k + 1] - w[i][j][k]), divided = 1.0f / (b - a * c[i][j][k - 1] + 1.0f);
        c[i][j][k] = 0.25f * w[i][j][k + 1] * divided;
        d[i][j][k] = (u[i][j][k] - a * d[i][j][k - 1]) * divided;
      }
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      x[i][j][KE - 1] = d[i][j][KE - 1];
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      for (int k = KE - 2; k >= 0; k--)
        x[i][j][k] = d[i][j][k] - c[i][j][k] * x[i][j][k + 1];
  for (int i = 1; i < n - 1; i++)
    for (int j = 1; j < m - 1; j++)
      for (int k = 0; k < KE; k++)
        tend[i][j][k] = 0.5f * (u[i][j][k] - x[i][j][k]) + 0.125f * (x[i - 1][j][k] + x[i + 1][j][k] + x[i][j - 1][k] + x[i][j + 1][k]);
#pragma endscop
  free(c), free(d), free(x);
}

int main(int argc, char **argv)
{
  int n = argc > 1 ? atoi(argv[1]) : 6, m = argc > 2 ? atoi(argv[2]) : 7;
  if (n < 1 || m < 1)
    return 1;
  long cells = (long)n * m * KE, borders = (long)n * m * (KE + 1);
  float *w = malloc(sizeof(float) * borders), *u = malloc(sizeof(float) * cells), *tend = calloc(cells, sizeof(float));
  for (long i = 0; i < borders; i++)
    w[i] = i * 3 % 7 * 0.0625f;
  for (long i = 0; i < cells; i++)
    u[i] = i * 5 % 11 * 0.25f - 1;
  advect(n, m, (void *)w, (void *)u, (void *)tend);
  for (long i = 0; i < cells; i++)
    printf("%a\n", tend[i]);
  return 0;
}
