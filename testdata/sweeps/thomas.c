// A tridiagonal system in each column, its levels next to each other in memory: Thomas's algorithm, forward and backward.
void solve(int T, int n, int m, int K, const double a[n][m][K], const double b[n][m][K], const double c[n][m][K], double x[n][m][K], double cp[n][m][K], double dp[n][m][K])
{
#pragma scop
  for (int t = 0; t < T; t++)
    for (int i = 0; i < n; i++)
      for (int j = 0; j < m; j++) {
        cp[i][j][0] = c[i][j][0] / b[i][j][0];
        dp[i][j][0] = x[i][j][0] / b[i][j][0];
        for (int k = 1; k < K; k++) {
          cp[i][j][k] = c[i][j][k] / (b[i][j][k] - a[i][j][k] * cp[i][j][k - 1]);
          dp[i][j][k] = (x[i][j][k] - a[i][j][k] * dp[i][j][k - 1]) / (b[i][j][k] - a[i][j][k] * cp[i][j][k - 1]);
        }
        x[i][j][K - 1] = dp[i][j][K - 1];
        for (int k = K - 2; k >= 0; k--)
          x[i][j][k] = dp[i][j][k] - cp[i][j][k] * x[i][j][k + 1];
      }
#pragma endscop
}
