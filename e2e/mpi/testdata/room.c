void room(int T, int n, int m, double a[restrict n][m], double b[restrict n][m], const int *solid, int kind)
{
#pragma scop
  for (int t = 0; t < T; t++) {
    for (int i = 0; i < n; i++)
      for (int j = 0; j < m; j++)
        if (solid[i * m + j] != kind)
          b[i][j] = 0.25 * (a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 2]);
    double (*other)[m] = a;
    a = b;
    b = other;
  }
#pragma endscop
}
