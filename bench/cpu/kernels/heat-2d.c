/* Heat on a plane, 9 points. */
static void step(long n, long T, double A[2][n][n])
{
#pragma scop
  for (long t = 0; t < T; t++)
#pragma omp parallel for
    for (long i = 1; i < n - 1; i++)
      for (long j = 1; j < n - 1; j++)
        A[(t + 1) % 2][i][j] =
            0.125 * (A[t % 2][i + 1][j] - 2.0 * A[t % 2][i][j] + A[t % 2][i - 1][j]) +
            0.125 * (A[t % 2][i][j + 1] - 2.0 * A[t % 2][i][j] + A[t % 2][i][j - 1]) +
            0.0625 * (A[t % 2][i + 1][j + 1] + A[t % 2][i + 1][j - 1] + A[t % 2][i - 1][j + 1] +
                      A[t % 2][i - 1][j - 1] - 4.0 * A[t % 2][i][j]) +
            A[t % 2][i][j];
#pragma endscop
}

void ENTRY(long n, long T, double *p)
{
  step(n, T, (void *)p);
}
