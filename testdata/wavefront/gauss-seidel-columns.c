// The loops of a sweep the other way round: columns outside, as in Fortran.
void columns(int steps, int n, int m, double A[n][m])
{
#pragma scop
  for (int t = 0; t < steps; t++)
    for (int j = 1; j < m - 1; j++)
      for (int i = 1; i < n - 1; i++)
        A[i][j] = 0.2 * (A[i][j] + A[i + 1][j - 1] + A[i][j - 1] + A[i - 1][j] + A[i - 1][j + 1]);
#pragma endscop
}
