// The vertical solver of a weather model: levels lie far apart in memory, and loops over them stand outside.
void vertical(int T, int K, int n, int m, const float a[K][n][m], const float b[K][n][m], float c[K][n][m], float d[K][n][m], float x[K][n][m])
{
#pragma scop
  for (int t = 0; t < T; t++) {
    for (int i = 0; i < n; i++)
      for (int j = 0; j < m; j++) {
        c[0][i][j] = c[0][i][j] / b[0][i][j];
        d[0][i][j] = x[0][i][j] / b[0][i][j];
      }
    for (int k = 1; k < K; k++)
      for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
          float w = 1.0f / (b[k][i][j] - a[k][i][j] * c[k - 1][i][j]);
          c[k][i][j] = c[k][i][j] * w;
          d[k][i][j] = (x[k][i][j] - a[k][i][j] * d[k - 1][i][j]) * w;
        }
    for (int i = 0; i < n; i++)
      for (int j = 0; j < m; j++)
        x[K - 1][i][j] = d[K - 1][i][j];
    for (int k = K - 2; k >= 0; k--)
      for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
          x[k][i][j] = d[k][i][j] - c[k][i][j] * x[k + 1][i][j];
  }
#pragma endscop
}
