// Tables of tables of rows, of which there may be none: then no row may be looked at to find how far rows lie apart.
// RUN 0 0 0 2 | 2 2 2 1 | 5 9 8 3 | 0 5 4 3 | 7 30 18 2
#include <stdio.h>
#include <stdlib.h>

static int clamp(int i, int n) { return i < 0 ? 0 : i > n - 1 ? n - 1 : i; }

static int ***grid(int nz, int ny, int nx)
{
  int *block = malloc((size_t)nz * ny * nx * sizeof *block), **rows = malloc((size_t)nz * ny * sizeof *rows), ***planes = malloc((size_t)nz * sizeof *planes);
  for (int i = 0; i < nz * ny * nx; i++)
    block[i] = i * 7919 % 1000;
  for (int i = 0; i < nz * ny; i++)
    rows[i] = block + (size_t)i * nx;
  for (int i = 0; i < nz; i++)
    planes[i] = rows + (size_t)i * ny;
  return planes;
}

int main(int argc, char **argv)
{
  int nz = argc > 1 ? atoi(argv[1]) : 9, ny = argc > 2 ? atoi(argv[2]) : 9, nx = argc > 3 ? atoi(argv[3]) : 7, steps = argc > 4 ? atoi(argv[4]) : 4;
  int ***a = grid(nz, ny, nx);
  int t = 0;
#pragma scop
  do {
    for (int colour = 0; colour < 2; colour++)
      for (int i = 0; i < nz; i++)
        for (int j = 0; j < ny; j++)
          for (int k = (i + j + colour) & 1; k < nx; k += 2)
            a[i][j][k] = (a[i][j][k] + a[clamp(i - 1, nz)][j][k] + a[clamp(i + 1, nz)][j][k] + a[i][clamp(j - 1, ny)][k] + a[i][clamp(j + 1, ny)][k] + a[i][j][(k - 1 + nx) % nx] + a[i][j][(k + 1) % nx]) / 5;
  } while (++t < steps);
#pragma endscop
  for (int i = 0; i < nz; i++)
    for (int j = 0; j < ny; j++)
      for (int k = 0; k < nx; k++)
        printf("%d\n", a[i][j][k]);
  printf("%d\n", t);
  return 0;
}
