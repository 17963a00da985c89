// Alternating directions with forward sweeps: along rows, then along columns, each in place.
void adi(int T, int n, double X[n][n], double B[n][n], const double A[n][n])
{
#pragma scop
  for (int t = 0; t < T; t++) {
    for (int i = 0; i < n; i++)
      for (int j = 1; j < n; j++) {
        X[i][j] = X[i][j] - X[i][j - 1] * A[i][j] / B[i][j - 1];
        B[i][j] = B[i][j] - A[i][j] * A[i][j] / B[i][j - 1];
      }
    for (int i = 1; i < n; i++)
      for (int j = 0; j < n; j++) {
        X[i][j] = X[i][j] - X[i - 1][j] * A[i][j] / B[i - 1][j];
        B[i][j] = B[i][j] - A[i][j] * A[i][j] / B[i - 1][j];
      }
  }
#pragma endscop
}
