/* Finite differences in time, three fields, and a source along the first row. */
static void step(long n, long T, double ex[n][n], double ey[n][n], double hz[n][n])
{
#pragma scop
  for (long t = 0; t < T; t++) {
    for (long j = 0; j < n; j++)
      ey[0][j] = t;
#pragma omp parallel for
    for (long i = 1; i < n; i++)
      for (long j = 0; j < n; j++)
        ey[i][j] = ey[i][j] - 0.5 * (hz[i][j] - hz[i - 1][j]);
#pragma omp parallel for
    for (long i = 0; i < n; i++)
      for (long j = 1; j < n; j++)
        ex[i][j] = ex[i][j] - 0.5 * (hz[i][j] - hz[i][j - 1]);
#pragma omp parallel for
    for (long i = 0; i < n - 1; i++)
      for (long j = 0; j < n - 1; j++)
        hz[i][j] = hz[i][j] - 0.7 * (ex[i][j + 1] - ex[i][j] + ey[i + 1][j] - ey[i][j]);
  }
#pragma endscop
}

void ENTRY(long n, long T, double *p)
{
  step(n, T, (void *)p, (void *)(p + n * n), (void *)(p + 2 * n * n));
}
