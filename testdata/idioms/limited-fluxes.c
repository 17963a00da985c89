// Divergence of limited fluxes of a smoothed field, of which one launch may do all, or a second one the fluxes that nobody else sees.
// RUN 3 3 | 5 5 | 4 9 | 20 41 | 35 13 | 17 33
#include <stdio.h>
#include <stdlib.h>

static void spread(int n, int m, double u[restrict n][m], double out[restrict n][m])
{
  double (*smooth)[m] = malloc(sizeof(double[n][m]));
  double (*east)[m] = malloc(sizeof(double[n][m]));
  double (*north)[m] = malloc(sizeof(double[n][m]));
#pragma scop
  for (int i = 1; i < n - 1; i++)
    for (int j = 1; j < m - 1; j++)
      smooth[i][j] = 0.5 * u[i][j] + 0.125 * (u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1]);
  for (int i = 1; i < n - 1; i++)
    for (int j = 1; j < m - 2; j++) {
      double d = smooth[i][j + 1] - smooth[i][j];
      east[i][j] = d > 0.25 ? 0.25 : d < -0.25 ? -0.25 : d;
    }
  for (int i = 1; i < n - 2; i++)
    for (int j = 1; j < m - 1; j++) {
      double d = smooth[i + 1][j] - smooth[i][j];
      north[i][j] = d > 0.25 ? 0.25 : d < -0.25 ? -0.25 : d;
    }
  for (int i = 2; i < n - 2; i++)
    for (int j = 2; j < m - 2; j++)
      out[i][j] = smooth[i][j] + 0.2 * (east[i][j] - east[i][j - 1] + north[i][j] - north[i - 1][j]);
#pragma endscop
  free(smooth);
  free(east);
  free(north);
}

int main(int argc, char **argv)
{
  int n = argc > 1 ? atoi(argv[1]) : 6, m = argc > 2 ? atoi(argv[2]) : 7;
  if (n < 1 || m < 1)
    return 1;
  double *u = malloc(sizeof(double[n][m])), *out = calloc((size_t)n * m, sizeof(double));
  for (int i = 0; i < n * m; i++)
    u[i] = i * 7 % 11 * 0.125;
  spread(n, m, (double (*)[m])u, (double (*)[m])out);
  for (int i = 0; i < n * m; i++)
    printf("%a\n", out[i]);
  free(u);
  free(out);
  return 0;
}
