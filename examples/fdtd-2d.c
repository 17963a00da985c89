/* Finite differences in the time domain: two electric fields and a magnetic one
   on a staggered grid, updated in place, one nest after the other. */
void fdtd_2d(int steps, int nx, int ny, float ex[restrict nx][ny], float ey[restrict nx][ny],
             float hz[restrict nx][ny])
{
#pragma scop
  for (int t = 0; t < steps; t++) {
    for (int i = 1; i < nx; i++)
      for (int j = 0; j < ny; j++)
        ey[i][j] = ey[i][j] - 0.5f * (hz[i][j] - hz[i - 1][j]);
    for (int i = 0; i < nx; i++)
      for (int j = 1; j < ny; j++)
        ex[i][j] = ex[i][j] - 0.5f * (hz[i][j] - hz[i][j - 1]);
    for (int i = 0; i < nx - 1; i++)
      for (int j = 0; j < ny - 1; j++)
        hz[i][j] = hz[i][j] - 0.7f * (ex[i][j + 1] - ex[i][j] + ey[i + 1][j] - ey[i][j]);
  }
#pragma endscop
}
