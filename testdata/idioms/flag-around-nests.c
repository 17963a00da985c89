// A region inside of a time loop, of nests in the branches of a flag and a nest behind them: no loop of it is over time.
// RUN 0 5 0 | 1 7 1 | 6 5 0 | 3 30 1 | 2 2 0 | 5 33 2 | 4 13 -1 | 3 1 1
#include <stdio.h>
#include <stdlib.h>

static double next(void)
{
  static unsigned long s = 12345;
  s = s * 6364136223846793005ul + 1442695040888963407ul;
  return (double)(s >> 33) / (1ul << 31);
}

static void step(int n, int upwind, double u[restrict n][n], double v[restrict n][n])
{
  int i, j;
#pragma scop
  if (!upwind) {
    for (i = 1; i < n - 1; i++)
      for (j = 1; j < n - 1; j++)
        v[i][j] = 0.5 * (u[i][j - 1] + u[i][j + 1]);
  } else if (upwind > 0) {
    for (i = 1; i < n - 1; i++)
      for (j = 1; j < n - 1; j++)
        v[i][j] = 0.75 * u[i][j] + 0.25 * u[i - 1][j];
  } else {
    for (i = 1; i < n - 1; i++)
      for (j = 1; j < n - 1; j++)
        v[i][j] = 0.75 * u[i][j] + 0.25 * u[i + 1][j];
  }
  for (i = 0; i < n; i++)
    for (j = 0; j < n; j++)
      u[i][j] = v[i][j];
#pragma endscop
}

int main(int argc, char **argv)
{
  int T = argc > 1 ? atoi(argv[1]) : 3, n = argc > 2 ? atoi(argv[2]) : 4, upwind = argc > 3 ? atoi(argv[3]) : 0;
  double *a = malloc(sizeof(double) * n * n), *b = malloc(sizeof(double) * n * n);
  for (int i = 0; i < n * n; i++) {
    a[i] = next();
    b[i] = next();
  }
  for (int t = 0; t <= T; t++)
    step(n, upwind, (double (*)[n])a, (double (*)[n])b);
  for (int i = 0; i < n * n; i++)
    printf("%a %a\n", a[i], b[i]);
  return 0;
}
