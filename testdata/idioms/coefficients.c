// Arrays of coefficients: of the file, an argument, of two dimensions, changed between
// calls, by an iterator and so no numbers, and not there where there is nothing to do.
// RUN 0 5 | 1 7 | 6 3 | 3 40 | 2 1 | 5 2
#include <stdio.h>
#include <stdlib.h>

static float by_distance[3];
static const double box[3][3] = {{0.01, 0.02, 0.03}, {0.04, 0.5, 0.06}, {0.07, 0.08, 0.09}};

static double next(void)
{
  static unsigned long s = 12345;
  s = s * 6364136223846793005ul + 1442695040888963407ul;
  return (double)(s >> 33) / (1ul << 31);
}

static void step(int T, int n, double A[restrict 2][n][n], float B[restrict n][n],
                 const float *restrict given, const double by_step[restrict 4])
{
#pragma scop
  for (int t = 0; t < T; t++) {
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        A[(t + 1) % 2][i][j] = box[1][1] * A[t % 2][i][j]
            + box[0][1] * A[t % 2][i - 1][j] + box[2][1] * A[t % 2][i + 1][j]
            + box[1][0] * A[t % 2][i][j - 1] + box[1][2] * A[t % 2][i][j + 1] + by_step[t % 4];
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        B[i][j] = by_distance[0] * B[i][j] + given[2] * (float)A[(t + 1) % 2][i][j] + given[0] * by_distance[2];
  }
#pragma endscop
}

int main(int argc, char **argv)
{
  int T = argc > 1 ? atoi(argv[1]) : 4, n = argc > 2 ? atoi(argv[2]) : 20;
  double (*A)[n][n] = malloc(2 * sizeof *A), by_step[4] = {0.5, -0.25, 0.125, 1};
  float (*B)[n] = malloc(n * sizeof *B), given[3] = {0.5f, 99, 0.25f};
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      A[0][i][j] = A[1][i][j] = next();
      B[i][j] = next();
    }
  for (int k = 0; k < 3; k++) {
    by_distance[0] = 0.3f + k;
    by_distance[2] = 0.1f * k;
    given[2] = -given[2];
    step(T, n, A, B, T > 0 && n > 2 ? given : NULL, by_step);
  }
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      printf("%a %a %a\n", A[0][i][j], A[1][i][j], B[i][j]);
  free(A);
  free(B);
  return 0;
}
