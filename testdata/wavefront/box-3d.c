// Gauss-Seidel over all 27 points of a box.
void box(int steps, int n, double u[n][n][n])
{
#pragma scop
  for (int t = 0; t < steps; t++)
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        for (int k = 1; k < n - 1; k++) {
          double s = 0;
          for (int a = -1; a <= 1; a++)
            for (int b = -1; b <= 1; b++)
              for (int c = -1; c <= 1; c++)
                s += u[i + a][j + b][k + c];
          u[i][j][k] = s / 27;
        }
#pragma endscop
}
