// Pressure, summed from the top of an atmosphere down, heights from the ground up, and the winds that their gradients drive.
// RUN 0 1 1 | 1 5 5 | 2 9 4 | 3 20 41 | 1 35 13 | 2 17 33
#include <stdio.h>
#include <stdlib.h>

#define NLEV 10
#define DT 0.0625
#define GRAV 9.81

static void step(int steps, int n, int m, double (*restrict theta)[n][m], double (*restrict u)[n][m], double (*restrict v)[n][m], const double ground[restrict n][m])
{
  double (*exner)[n][m] = malloc(sizeof(double) * (NLEV + 1) * n * m), (*phi)[n][m] = malloc(sizeof(double) * (NLEV + 1) * n * m);
#pragma scop
  for (int t = 0; t < steps; t++) {
    for (int j = 0; j < n; j++)
      for (int i = 0; i < m; i++)
        exner[0][j][i] = 0.25;
    for (int k = 0; k < NLEV; k++)
      for (int j = 0; j < n; j++)
        for (int i = 0; i < m; i++)
          exner[k + 1][j][i] = exner[k][j][i] + 0.0625 * GRAV / theta[k][j][i];
    for (int j = 0; j < n; j++)
      for (int i = 0; i < m; i++)
        phi[NLEV][j][i] = GRAV * ground[j][i];
    for (int k = NLEV - 1; k >= 0; k--)
      for (int j = 0; j < n; j++)
        for (int i = 0; i < m; i++)
          phi[k][j][i] = phi[k + 1][j][i] + theta[k][j][i] * (exner[k + 1][j][i] - exner[k][j][i]);
    for (int k = 0; k < NLEV; k++)
      for (int j = 1; j < n - 1; j++)
        for (int i = 1; i < m - 1; i++) {
          u[k][j][i] -= DT * (phi[k][j][i + 1] - phi[k][j][i - 1] + theta[k][j][i] * (exner[k][j][i + 1] - exner[k][j][i - 1]));
          v[k][j][i] -= DT * (phi[k][j + 1][i] - phi[k][j - 1][i] + theta[k][j][i] * (exner[k][j + 1][i] - exner[k][j - 1][i]));
        }
    for (int k = 0; k < NLEV; k++)
      for (int j = 1; j < n - 1; j++)
        for (int i = 1; i < m - 1; i++)
          theta[k][j][i] += DT * 0.01 * (u[k][j][i] + v[k][j][i]);
  }
#pragma endscop
  free(exner), free(phi);
}

int main(int argc, char **argv)
{
  int steps = argc > 1 ? atoi(argv[1]) : 1, n = argc > 2 ? atoi(argv[2]) : 6, m = argc > 3 ? atoi(argv[3]) : 7;
  if (steps < 0 || n < 1 || m < 1)
    return 1;
  long plane = (long)n * m, cells = NLEV * plane;
  double *theta = malloc(sizeof(double) * cells), *u = malloc(sizeof(double) * cells), *v = malloc(sizeof(double) * cells), *ground = malloc(sizeof(double) * plane);
  for (long i = 0; i < cells; i++)
    theta[i] = 4 + i * 5 % 13 * 0.125, u[i] = i % 7 * 0.25, v[i] = i % 5 * 0.125;
  for (long i = 0; i < plane; i++)
    ground[i] = i * 3 % 8 * 0.0625;
  typedef double (*field)[n][m];
  step(steps, n, m, (field)theta, (field)u, (field)v, (double (*)[m])ground);
  for (long i = 0; i < cells; i++)
    printf("%a %a %a\n", theta[i], u[i], v[i]);
  return 0;
}
