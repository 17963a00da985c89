// Sums down the columns of a field, and up again with weights: pressure from the top, heights from the ground.
void sums(int T, int n, int m, float rho[n][m], float p[n][m], float z[n][m])
{
#pragma scop
  for (int t = 0; t < T; t++) {
    for (int i = 0; i < n; i++)
      for (int k = 1; k < m; k++)
        p[i][k] = p[i][k - 1] + rho[i][k];
    for (int i = 0; i < n; i++)
      for (int k = m - 2; k >= 0; k--)
        z[i][k] = z[i][k + 1] + 0.5f * (p[i][k] + p[i][k + 1]);
    for (int i = 0; i < n; i++)
      for (int k = 0; k < m; k++)
        rho[i][k] = 0.5f * (rho[i][k] + z[i][k] / (1.0f + p[i][k]));
  }
#pragma endscop
}
