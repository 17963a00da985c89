// Gauss-Seidel under a load that relaxes towards what it does: two nests of one step, the second at the places of the first.
void relax(int steps, int n, int m, double u[n][m], double load[n][m])
{
#pragma scop
  for (int t = 0; t < steps; t++) {
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < m - 1; j++)
        u[i][j] = 0.25 * (u[i - 1][j] + u[i][j - 1] + u[i + 1][j] + u[i][j + 1]) + load[i][j];
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < m - 1; j++)
        load[i][j] = 0.9 * load[i][j] - 0.1 * u[i][j];
  }
#pragma endscop
}
