// A region of two fields, one that ranks share out and one that each has as a whole.
void plate(int n, int m, int steps, float A[2][n][m], const double c[m], float k)
{
#pragma scop
  for (int t = 0; t < steps; t++)
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < m - 1; j++)
        A[(t + 1) % 2][i][j] = k * (float)(A[t % 2][i][j] + c[j] * A[t % 2][i - 1][j] + A[t % 2][i + 1][j] + A[t % 2][i][j - 1] + A[t % 2][i][j + 1]);
#pragma endscop
}
