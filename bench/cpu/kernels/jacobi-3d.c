/* Jacobi in space, 6 neighbours. */
static void step(long n, long T, double A[2][n][n][n])
{
#pragma scop
  for (long t = 0; t < T; t++)
#pragma omp parallel for
    for (long i = 1; i < n - 1; i++)
      for (long j = 1; j < n - 1; j++)
        for (long k = 1; k < n - 1; k++)
          A[(t + 1) % 2][i][j][k] = (A[t % 2][i - 1][j][k] + A[t % 2][i + 1][j][k] + A[t % 2][i][j - 1][k] + A[t % 2][i][j + 1][k] +
                                     A[t % 2][i][j][k - 1] + A[t % 2][i][j][k + 1]) / 6.0;
#pragma endscop
}

void ENTRY(long n, long T, double *p)
{
  step(n, T, (void *)p);
}
