// A profile that is summed along a line, used by all columns, which are filtered down and up; what is left is smoothed across.
void profile(int T, int n, int m, double a[n][m], double w[m], double b[n][m])
{
#pragma scop
  for (int t = 0; t < T; t++) {
    for (int k = 1; k < m; k++)
      w[k] = 0.5 * w[k - 1] + 1.0;
    for (int i = 0; i < n; i++)
      for (int k = m - 2; k >= 0; k--)
        a[i][k] = a[i][k] + w[k] * a[i][k + 1];
    for (int i = 1; i < n - 1; i++)
      for (int k = 0; k < m; k++)
        b[i][k] = 0.25 * (a[i - 1][k] + 2.0 * a[i][k] + a[i + 1][k]);
  }
#pragma endscop
}
