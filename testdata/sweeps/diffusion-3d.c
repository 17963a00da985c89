// Diffusion, explicit across and implicit along levels.
void diffuse(int T, int n, int m, int K, double u[n][m][K], double r[n][m][K], double g[n][m][K], double c)
{
#pragma scop
  for (int t = 0; t < T; t++) {
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < m - 1; j++)
        for (int k = 0; k < K; k++)
          r[i][j][k] = u[i][j][k] + c * (u[i - 1][j][k] + u[i + 1][j][k] + u[i][j - 1][k] + u[i][j + 1][k] - 4.0 * u[i][j][k]);
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < m - 1; j++) {
        g[i][j][0] = -c / (1.0 + c);
        r[i][j][0] = r[i][j][0] / (1.0 + c);
        for (int k = 1; k < K; k++) {
          g[i][j][k] = -c / (1.0 + 2.0 * c + c * g[i][j][k - 1]);
          r[i][j][k] = (r[i][j][k] + c * r[i][j][k - 1]) / (1.0 + 2.0 * c + c * g[i][j][k - 1]);
        }
        u[i][j][K - 1] = r[i][j][K - 1];
        for (int k = K - 2; k >= 0; k--)
          u[i][j][k] = r[i][j][k] - g[i][j][k] * u[i][j][k + 1];
      }
  }
#pragma endscop
}
