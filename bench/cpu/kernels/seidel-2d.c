/* Gauss-Seidel in place over nine points: no loop of the original can run in parallel. */
static void step(long n, long T, double A[n][n])
{
#pragma scop
  for (long t = 0; t < T; t++)
    for (long i = 1; i < n - 1; i++)
      for (long j = 1; j < n - 1; j++)
        A[i][j] = (A[i - 1][j - 1] + A[i - 1][j] + A[i - 1][j + 1] + A[i][j - 1] + A[i][j] + A[i][j + 1] +
                   A[i + 1][j - 1] + A[i + 1][j] + A[i + 1][j + 1]) / 9.0;
#pragma endscop
}

void ENTRY(long n, long T, double *p)
{
  step(n, T, (void *)p);
}
