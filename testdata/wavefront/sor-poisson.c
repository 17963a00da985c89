// Successive over-relaxation for the Poisson equation, with a local for the residual.
void sor(int iterations, int rows, int cols, double omega, double h2, double (*u)[cols], double (*rhs)[cols])
{
#pragma scop
  for (int it = 0; it < iterations; it++) {
    for (int i = 1; i < rows - 1; i++) {
      for (int j = 1; j < cols - 1; j++) {
        double r = u[i + 1][j] + u[i - 1][j] + u[i][j + 1] + u[i][j - 1] - 4.0 * u[i][j] - h2 * rhs[i][j];
        u[i][j] += omega * 0.25 * r;
      }
    }
  }
#pragma endscop
}
