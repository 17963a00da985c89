// A wave with a point source, damped by a mask cell by cell, and a probe that is read in each step.
// RUN 0 9 | 1 9 | 6 8 | 3 30 | 4 10 | 5 11
#include <stdio.h>
#include <stdlib.h>

static double next(void)
{
  static unsigned long s = 12345;
  s = s * 6364136223846793005ul + 1442695040888963407ul;
  return (double)(s >> 33) / (1ul << 31);
}

static void step(int T, int n, double u[restrict 3][n][n], const double m[restrict n][n], const double s[restrict T + 1], double probe[restrict T + 1])
{
#pragma scop
  for (int t = 0; t < T; t++) {
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        u[(t + 2) % 3][i][j] = 1.5 * u[(t + 1) % 3][i][j] - u[t % 3][i][j] +
                               0.125 * (u[(t + 1) % 3][i - 1][j] + u[(t + 1) % 3][i + 1][j] + u[(t + 1) % 3][i][j - 1] + u[(t + 1) % 3][i][j + 1]);
    u[(t + 2) % 3][5][6] += s[t];
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        u[(t + 2) % 3][i][j] *= m[i][j];
    probe[t] = u[(t + 2) % 3][2][3];
  }
#pragma endscop
}

int main(int argc, char **argv)
{
  int T = argc > 1 ? atoi(argv[1]) : 3, n = argc > 2 ? atoi(argv[2]) : 4;
  double *u = malloc(sizeof(double) * (3 * n * n));
  for (int i = 0; i < 3 * n * n; i++)
    u[i] = next();
  double *m = malloc(sizeof(double) * (n * n));
  for (int i = 0; i < n * n; i++)
    m[i] = next();
  double *s = malloc(sizeof(double) * (T + 1));
  for (int i = 0; i < T + 1; i++)
    s[i] = next();
  double *p = malloc(sizeof(double) * (T + 1));
  for (int i = 0; i < T + 1; i++)
    p[i] = next();
  step(T, n, (double (*)[n][n])u, (const double (*)[n])m, s, p);
  for (int i = 0; i < 3 * n * n; i++)
    printf("%a\n", u[i]);
  for (int i = 0; i < T + 1; i++)
    printf("%a\n", p[i]);
  return 0;
}
