// Diffusion in place of a wave between walls that mirror, whose ghost cells are copied wall by wall: those of the second depend on the first where there is one column.
void mirrored(int T, int m, int n, double A[m + 2][n + 2], double B[m + 2][n + 2])
{
#pragma scop
  for (int t = 0; t < T; t++) {
    for (int j = 1; j <= m; j++)
      A[j][0] = A[j][2];
    for (int j = 1; j <= m; j++)
      A[j][n + 1] = A[j][n - 1];
    for (int i = 1; i <= n; i++)
      A[0][i] = A[2][i];
    for (int i = 1; i <= n; i++)
      A[m + 1][i] = A[m - 1][i];
    for (int j = 1; j <= m; j++)
      for (int i = 1; i <= n; i++)
        B[j][i] = A[j][i] + 0.1 * (A[j][i + 1] + A[j][i - 1] - 4 * A[j][i] + A[j + 1][i] + A[j - 1][i]);
    for (int j = 1; j <= m; j++)
      for (int i = 1; i <= n; i++)
        A[j][i] = B[j][i];
  }
#pragma endscop
}
