// Gauss-Seidel on a line: what Jacobi would be with one array only.
void relax(int T, int n, double *x, const double *b)
{
#pragma scop
  for (int t = 0; t < T; t++)
    for (int i = 1; i < n - 1; i++)
      x[i] = 0.5 * (x[i - 1] + x[i + 1] + b[i]);
#pragma endscop
}
