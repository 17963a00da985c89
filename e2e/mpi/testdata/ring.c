// A region whose rows are a ring.
void ring(int n, int m, int steps, float A[2][n][m])
{
#pragma scop
  for (int t = 0; t < steps; t++)
    for (int i = 0; i < n; i++)
      for (int j = 1; j < m - 1; j++)
        A[(t + 1) % 2][i][j] = 0.25f * (A[t % 2][(i + n - 1) % n][j] + A[t % 2][(i + 1) % n][j] + A[t % 2][i][j - 1] + A[t % 2][i][j + 1]);
#pragma endscop
}
