/* 5-point Jacobi, two nests: from A to B, and back. */
static void step(long n, long T, double A[n][n], double B[n][n])
{
#pragma scop
  for (long t = 0; t < T; t++) {
#pragma omp parallel for
    for (long i = 1; i < n - 1; i++)
      for (long j = 1; j < n - 1; j++)
        B[i][j] = 0.2 * (A[i][j] + A[i][j - 1] + A[i][j + 1] + A[i + 1][j] + A[i - 1][j]);
#pragma omp parallel for
    for (long i = 1; i < n - 1; i++)
      for (long j = 1; j < n - 1; j++)
        A[i][j] = 0.2 * (B[i][j] + B[i][j - 1] + B[i][j + 1] + B[i + 1][j] + B[i - 1][j]);
  }
#pragma endscop
}

void ENTRY(long n, long T, double *p)
{
  step(n, T / 2, (void *)p, (void *)(p + n * n)); /* T steps are T / 2 rounds */
}
