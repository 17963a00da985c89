/* Acoustic wave in space, of order 8 in space and 2 in time, with a speed for each point. */
static void step(long n, long T, double u[3][n][n][n], double v[n][n][n])
{
#define STAR(d) \
  (u[t % 3][i - d][j][k] + u[t % 3][i + d][j][k] + u[t % 3][i][j - d][k] + u[t % 3][i][j + d][k] + u[t % 3][i][j][k - d] + \
   u[t % 3][i][j][k + d])
#pragma scop
  for (long t = 0; t < T; t++)
#pragma omp parallel for
    for (long i = 4; i < n - 4; i++)
      for (long j = 4; j < n - 4; j++)
        for (long k = 4; k < n - 4; k++)
          u[(t + 1) % 3][i][j][k] = 2.0 * u[t % 3][i][j][k] - u[(t + 2) % 3][i][j][k] +
                                    0.1 * v[i][j][k] *
                                        (-8.541666666666666 * u[t % 3][i][j][k] + 1.6 * STAR(1) - 0.2 * STAR(2) +
                                         0.025396825396825397 * STAR(3) - 0.0017857142857142857 * STAR(4));
#pragma endscop
#undef STAR
}

void ENTRY(long n, long T, double *p)
{
  step(n, T, (void *)p, (void *)(p + 3 * n * n * n));
}
