/* Each point moves by the inverse length of its differences to its neighbours: a square root and a division for each. */
#include <math.h>

static void step(long n, long T, double epsilon, double A[2][n][n])
{
#pragma scop
  for (long t = 0; t < T; t++)
#pragma omp parallel for
    for (long i = 1; i < n - 1; i++)
      for (long j = 1; j < n - 1; j++) {
        const double c = A[t & 1][i][j];
        const double up = c - A[t & 1][i - 1][j], down = c - A[t & 1][i + 1][j];
        const double left = c - A[t & 1][i][j - 1], right = c - A[t & 1][i][j + 1];
        A[(t + 1) & 1][i][j] = c + 1.0 / sqrt(epsilon + up * up + down * down + left * left + right * right);
      }
#pragma endscop
}

void ENTRY(long n, long T, double *p)
{
  step(n, T, 0.5, (void *)p);
}
