// A filter along rows, in place and in order, after which a second statement blurs what it made across them, each time step.
void filter(int steps, int n, int m, float a, float u[n][m], float v[n][m])
{
#pragma scop
  for (int t = 0; t < steps; t++) {
    for (int i = 0; i < n; i++)
      for (int j = 1; j < m; j++)
        u[i][j] = a * u[i][j - 1] + (1 - a) * v[i][j];
    for (int i = 1; i < n - 1; i++)
      for (int j = 0; j < m; j++)
        v[i][j] = 0.5f * u[i][j] + 0.25f * (u[i - 1][j] + u[i + 1][j]);
  }
#pragma endscop
}
