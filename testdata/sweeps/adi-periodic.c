// Alternating directions on a torus: each step is implicit along one direction, with coefficients and explicit neighbours across the ends of the other one.
void torus(int T, int n, double u[n][n], double w[n][n], double g[n][n], const double k[n][n])
{
#pragma scop
  for (int t = 0; t < T; t++) {
    for (int i = 0; i < n; i++) {
      g[i][0] = k[i][0];
      w[i][0] = u[i][0];
      for (int j = 1; j < n; j++) {
        g[i][j] = k[(i + 1) % n][j] / (4.0 - g[i][j - 1]);
        w[i][j] = (u[(i + n - 1) % n][j] + u[(i + 1) % n][j] + w[i][j - 1]) / (4.0 - g[i][j - 1]);
      }
      for (int j = n - 2; j >= 0; j--)
        w[i][j] = w[i][j] + g[i][j] * w[i][j + 1];
    }
    for (int j = 0; j < n; j++) {
      g[0][j] = k[0][j];
      u[0][j] = w[0][j];
      for (int i = 1; i < n; i++) {
        g[i][j] = k[i][(j + 1) % n] / (4.0 - g[i - 1][j]);
        u[i][j] = (w[i][(j + n - 1) % n] + w[i][(j + 1) % n] + u[i - 1][j]) / (4.0 - g[i - 1][j]);
      }
      for (int i = n - 2; i >= 0; i--)
        u[i][j] = u[i][j] + g[i][j] * u[i + 1][j];
    }
  }
#pragma endscop
}
