// Mass carried by winds: products of a density with each of two winds, which a point needs of its neighbours on both sides, computed once for each place.
// RUN 0 3 3 | 1 3 4 | 3 9 12 | 7 17 33 | 4 40 37
#include <stdio.h>
#include <stdlib.h>

static void carry(int steps, int n, int m, double rho[restrict 2][n][m], double u[restrict n][m], double v[restrict n][m])
{
#pragma hexcc fold(rho,u,v)
#pragma scop
  for (int t = 0; t < steps; t++)
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < m - 1; j++)
        rho[(t + 1) % 2][i][j] = rho[t % 2][i][j] - 0.125 * (rho[t % 2][i + 1][j] * u[i + 1][j] - rho[t % 2][i - 1][j] * u[i - 1][j])
                                 - 0.0625 * (rho[t % 2][i][j + 1] * v[i][j + 1] - rho[t % 2][i][j - 1] * v[i][j - 1]);
#pragma endscop
}

int main(int argc, char **argv)
{
  int steps = argc > 1 ? atoi(argv[1]) : 3, n = argc > 2 ? atoi(argv[2]) : 9, m = argc > 3 ? atoi(argv[3]) : 12;
  if (n < 1 || m < 1)
    return 1;
  double (*rho)[n][m] = malloc(sizeof(double) * 2 * n * m), (*u)[m] = malloc(sizeof(double) * n * m), (*v)[m] = malloc(sizeof(double) * n * m);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      rho[0][i][j] = rho[1][i][j] = 1 + (i * 7 + j * 5) % 11 * 0.125;
      u[i][j] = (i * 3 + j) % 7 * 0.25 - 0.75;
      v[i][j] = (i + j * 3) % 5 * 0.25 - 0.5;
    }
  carry(steps, n, m, rho, u, v);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      printf("%a\n", rho[steps % 2][i][j]);
  return 0;
}
