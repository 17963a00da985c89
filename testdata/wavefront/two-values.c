// A statement that sets two elements, one of which the next point sets again.
void two(int T, int n, int m, float A[n][m])
{
#pragma scop
  for (int t = 0; t < T; t++)
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < m - 2; j++) {
        A[i][j + 1] = 0.5f * (A[i - 1][j] + A[i][j + 2]);
        A[i][j] = 0.25f * (A[i][j + 1] + A[i + 1][j]) + A[i][j - 1];
      }
#pragma endscop
}
