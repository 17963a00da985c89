// A step function called twice, loops in steps of two, downwards and up to !=,
// loops beside statements, locals in subscripts.
// RUN 0 5 | 1 7 | 4 3 | 3 40 | 2 1 | 5 2
#include <stdio.h>
#include <stdlib.h>

static double next(void)
{
  static unsigned long s = 12345;
  s = s * 6364136223846793005ul + 1442695040888963407ul;
  return (double)(s >> 33) / (1ul << 31);
}

enum { HALF = 2 };

static inline void sweep(int n, double w, double A[n][n], double B[n][n])
{
  int i, j;
  const double v = w / HALF;
  for (i = 1; i < n - 1; i++) {
    const int up = i - 1, below = i + 1;
    B[i][0] = A[i][0];
    for (j = 1; j < n - 1; j = j + 1)
      B[i][j] = v * (A[up][j] + A[below][j]) + (1 - w) * A[i][j];
    B[i][n - 1] = v;
  }
}

static void step(int T, int n, double A[restrict n][n], double B[restrict n][n], double C[restrict n][n])
{
#pragma scop
  for (int t = 0; t < T; t++) {
    sweep(n, 0.25f, A, B);
    sweep(n, 0.5, B, A);
    for (int i = 0; i < n; i += 2)
      for (int j = n - 1; j >= 0; j -= 3)
        C[i][j] = 0.5 * C[i][j] + i - j;
    if (t > 1)
      for (int j = 0; j != n; ++j)
        B[0][j] = t;
  }
#pragma endscop
}

int main(int argc, char **argv)
{
  int T = argc > 1 ? atoi(argv[1]) : 3, n = argc > 2 ? atoi(argv[2]) : 4;
  double (*a)[n] = malloc(sizeof(double) * n * n), (*b)[n] = malloc(sizeof(double) * n * n),
         (*c)[n] = malloc(sizeof(double) * n * n);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      a[i][j] = next();
      b[i][j] = next();
      c[i][j] = next();
    }
  step(T, n, a, b, c);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      printf("%a %a %a\n", a[i][j], b[i][j], c[i][j]);
  return 0;
}
