// A wave in long double, whose digits double has not: functions, constants, a table, locals and a damping in double.
// RUN 0 5 9 | 1 7 4 | 4 23 17 | 5 9 40 | 3 3 3 | 6 13 12
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define COURANT 0.1L
#define SOFT (COURANT * 1e-3L)

static const long double weight[3] = {1.L / 3, 0.1L, 2 / 3.L};

static inline long double bounded(long double x, double most) { return x > most ? most : x; }

static void wave(int T, int n, int m, long double (*restrict u)[n][m], const double (*restrict damp)[m], long double scale)
{
#pragma scop
  for (int t = 1; t < T; t++)
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < m - 1; j++) {
        long double laplacian = u[t % 3][i - 1][j] + u[t % 3][i + 1][j] + u[t % 3][i][j - 1] + u[t % 3][i][j + 1] - 4 * u[t % 3][i][j];
        double near = 0;
        for (int k = 0; k < 3; k++)
          near += weight[k] * u[t % 3][i][j + k - 1];
        u[(t + 1) % 3][i][j] = 2 * u[t % 3][i][j] - u[(t + 2) % 3][i][j] + COURANT * bounded(laplacian, 4)
                               - damp[i][j] * (u[t % 3][i][j] - near) * scale + SOFT * sinl(u[t % 3][i][j]) + sqrtl(fabsl(laplacian)) * 1e-6;
      }
#pragma endscop
}

int main(int argc, char **argv)
{
  int T = argc > 1 ? atoi(argv[1]) : 3, n = argc > 2 ? atoi(argv[2]) : 8, m = argc > 3 ? atoi(argv[3]) : 8;
  long double (*u)[n][m] = malloc(3 * sizeof *u);
  double (*damp)[m] = malloc(n * sizeof *damp);
  unsigned s = 1;
  for (int k = 0; k < 3 * n * m; k++) {
    s = s * 1103515245 + 12345;
    u[0][0][k] = bounded((s >> 8) / 3.0L, 5e6);
    if (k < n * m)
      damp[0][k] = (s >> 16 & 15) / 1600.;
  }
  wave(T, n, m, u, damp, 0.7L);
  for (int k = 0; k < 3 * n * m; k++)
    printf("%.21Lg\n", u[0][0][k]);
  free(u);
  free(damp);
  return 0;
}
