// A recurrence over a table, once: no time loop.
void table(int n, int m, float A[n][m], const float w[n][m])
{
#pragma scop
  for (int i = 1; i < n; i++)
    for (int j = 1; j < m; j++)
      A[i][j] = w[i][j] + 0.5f * A[i - 1][j - 1] + 0.25f * (A[i - 1][j] + A[i][j - 1]);
#pragma endscop
}
