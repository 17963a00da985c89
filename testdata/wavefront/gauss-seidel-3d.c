// A sweep of Gauss-Seidel over seven points in three dimensions.
void sweep(int steps, int nz, int ny, int nx, float u[nz][ny][nx], const float f[nz][ny][nx])
{
#pragma scop
  for (int s = 0; s < steps; s++)
    for (int k = 1; k < nz - 1; k++)
      for (int j = 1; j < ny - 1; j++)
        for (int i = 1; i < nx - 1; i++)
          u[k][j][i] = (u[k-1][j][i] + u[k][j-1][i] + u[k][j][i-1]
                      + u[k+1][j][i] + u[k][j+1][i] + u[k][j][i+1] - f[k][j][i]) / 6.0f;
#pragma endscop
}
