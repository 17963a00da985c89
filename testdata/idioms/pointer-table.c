// Arrays of two and of three pointers choose the buffer, by t % 2 and t % 3.
// RUN 0 5 6 | 1 7 3 | 4 12 40 | 5 19 17 | 3 3 3 | 6 9 8
#include <stdio.h>
#include <stdlib.h>

static double next(void)
{
  static unsigned long s = 12345;
  s = s * 6364136223846793005ul + 1442695040888963407ul;
  return (double)(s >> 33) / (1ul << 31);
}

static void step(int T, int n, int m, double *restrict u[2], float (*restrict v[3])[m])
{
#pragma scop
  for (int t = 0; t < T; t++)
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < m - 1; j++) {
        u[(t + 1) % 2][i * m + j] = 0.5 * u[t & 1][i * m + j - 1] + 0.25 * v[t % 3][i + 1][j];
        v[(t + 1) % 3][i][j] = 0.5f * (v[t % 3][i][j - 1] - v[(t + 2) % 3][i][j + 1]);
      }
#pragma endscop
}

int main(int argc, char **argv)
{
  int T = argc > 1 ? atoi(argv[1]) : 3, n = argc > 2 ? atoi(argv[2]) : 4, m = argc > 3 ? atoi(argv[3]) : 4;
  double *u[2], *w[2];
  float (*v[3])[m];
  for (int k = 0; k < 3; k++) {
    v[k] = malloc(sizeof(float) * n * m);
    if (k < 2) {
      u[k] = malloc(sizeof(double) * n * m);
      w[k] = malloc(sizeof(double) * n * m);
    }
    for (int i = 0; i < n * m; i++) {
      v[k][i / m][i % m] = (float)next();
      if (k < 2)
        u[k][i] = w[k][i] = next();
    }
  }
  step(T, n, m, u, v);
  for (int t = 0; t < T; t++)
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < m - 1; j++)
        w[(t + 1) % 2][i * m + j] = 0.5 * w[t % 2][i * m + j - 1];
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      printf("%a %a %a %a %a %a\n", u[0][i * m + j], u[1][i * m + j], w[0][i * m + j], v[0][i][j], v[1][i][j], v[2][i][j]);
  return 0;
}
