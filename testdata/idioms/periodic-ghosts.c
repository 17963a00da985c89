// A torus by ghost cells: copies of the two ends, corners included, behind each step.
// RUN 0 5 7 | 1 3 3 | 6 3 4 | 7 40 33 | 12 33 70 | 5 3 9 | 9 4 4 | 4 5 3 | 8 66 65
#include <stdio.h>
#include <stdlib.h>

static double next(void)
{
  static unsigned long s = 12345;
  s = s * 6364136223846793005ul + 1442695040888963407ul;
  return (double)(s >> 33) / (1ul << 31);
}

static void step(int T, int n, int m, double u[restrict n][m], double v[restrict n][m])
{
#pragma scop
  for (int t = 0; t < T; t++) {
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < m - 1; j++)
        v[i][j] = 0.2 * (u[i][j] + u[i - 1][j] + u[i + 1][j - 1] + u[i][j - 1] + u[i][j + 1]);
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < m - 1; j++)
        u[i][j] = v[i][j];
    for (int i = 1; i < n - 1; i++) {
      u[i][0] = u[i][m - 2];
      u[i][m - 1] = u[i][1];
    }
    for (int j = 0; j < m; j++) {
      u[0][j] = u[n - 2][j];
      u[n - 1][j] = u[1][j];
    }
  }
#pragma endscop
}

int main(int argc, char **argv)
{
  int T = argc > 1 ? atoi(argv[1]) : 3, n = argc > 2 ? atoi(argv[2]) : 4, m = argc > 3 ? atoi(argv[3]) : 5;
  if (n < 3 || m < 3)
    return 0;
  double (*u)[m] = malloc(sizeof(double) * n * m), (*v)[m] = malloc(sizeof(double) * n * m);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      u[i][j] = next(), v[i][j] = next();
  step(T, n, m, u, v);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      printf("%a %a\n", u[i][j], v[i][j]);
  return 0;
}
