// Gauss-Seidel between walls: one follows from the two rows next to it, another one takes over what lies beside it, in each sweep.
void walls(int T, int n, int m, double u[n][m], const double f[n][m])
{
#pragma scop
  for (int t = 0; t < T; t++) {
    for (int j = 0; j < m; j++)
      u[0][j] = 2 * u[1][j] - u[2][j];
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < m - 1; j++)
        u[i][j] = 0.25 * (u[i - 1][j] + u[i][j - 1] + u[i + 1][j] + u[i][j + 1] - f[i][j]);
    for (int i = 0; i < n; i++)
      u[i][m - 1] = u[i][m - 2];
  }
#pragma endscop
}
