// Constants with names: of macros, of macros made of macros, and enumerators.
// RUN 0 5 | 1 7 | 6 3 | 3 40 | 2 1 | 5 2
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define DT 0.125f
#define HALF (0.5)
#define C0 (1 - 4 * HALF * DT)
#define C1 (DT / 2)
#define NEGATIVE -0.25 /* no operand of its own: 1 NEGATIVE is a difference */
#define THIRD (1.0f / 3)
#define tx 0.75 /* names that generated text has for other things */
#define min 2
#ifndef M_PI
#define M_PI 3.14159265358979323846
#endif
enum { PLANES = 2, WEIGHT = 3 };

static double next(void)
{
  static unsigned long s = 12345;
  s = s * 6364136223846793005ul + 1442695040888963407ul;
  return (double)(s >> 33) / (1ul << 31);
}

static void step(int T, int n, double A[restrict PLANES][n][n], float B[restrict n][n])
{
#pragma scop
  for (int t = 0; t < T; t++) {
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        A[(t + 1) % PLANES][i][j] = C0 * A[t % PLANES][i][j] + C1 * (A[t % PLANES][i - 1][j] NEGATIVE)
            + THIRD * A[t % PLANES][i][j + 1] / WEIGHT - A[t % PLANES][i][j - 1] * (tx + min) / M_PI;
#undef C1
#define C1 0.0625 /* the same name, another value */
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        B[i][j] = B[i][j] * C1 + A[(t + 1) % PLANES][i][j] * HALF + NEGATIVE;
  }
#pragma endscop
}

int main(int argc, char **argv)
{
  int T = argc > 1 ? atoi(argv[1]) : 4, n = argc > 2 ? atoi(argv[2]) : 20;
  double (*A)[n][n] = malloc(PLANES * sizeof *A);
  float (*B)[n] = malloc(n * sizeof *B);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      A[0][i][j] = A[1][i][j] = next();
      B[i][j] = next();
    }
  step(T, n, A, B);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      printf("%a %a %a\n", A[0][i][j], A[1][i][j], B[i][j]);
  free(A);
  free(B);
  return 0;
}
