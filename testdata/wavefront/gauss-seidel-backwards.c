// A sweep of Gauss-Seidel from the last point to the first.
void backwards(int steps, int n, int m, double u[n][m])
{
#pragma scop
  for (int t = 0; t < steps; t++)
    for (int i = n - 2; i >= 1; i--)
      for (int j = m - 2; j >= 1; j--)
        u[i][j] = 0.25 * (u[i - 1][j] + u[i][j - 1] + u[i + 1][j] + u[i][j + 1]);
#pragma endscop
}
