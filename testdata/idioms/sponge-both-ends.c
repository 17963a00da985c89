// A wave that fades at both ends of each side: one loop works on both, which do not overlap where the grid is large enough.
// Where it is not, the original loops run.
// RUN 4 31 9 | 0 8 2 | 1 0 0 | 9 3 5 | 5 40 1 | 12 70 20 | 3 2 6 | 7 23 0 | 3 -4 6
// VIOLATED nx >= 2*b - 1
#include <stdio.h>
#include <stdlib.h>

static void forward(int steps, int nx, int nz, double p[restrict 2][nx][nz], int b, const double *restrict fade)
{
  int it, ix, iz, ib;
#pragma scop
  for (it = 0; it < steps; it++) {
    for (ix = 2; ix < nx - 2; ix++)
      for (iz = 2; iz < nz - 2; iz++)
        p[(it + 1) % 2][ix][iz] = 0.5 * (p[it % 2][ix][iz - 2] + p[it % 2][ix + 2][iz]) - 0.25 * (p[it % 2][ix - 1][iz] + p[it % 2][ix][iz + 1]);
    for (ix = 0; ix < nx; ix++)
      for (ib = 0; ib < b; ib++) {
        p[(it + 1) % 2][ix][ib] *= fade[ib];
        p[(it + 1) % 2][ix][nz - 1 - ib] *= fade[ib];
      }
    for (ib = 0; ib < b; ib++)
      for (iz = 0; iz < nz; iz++) {
        p[(it + 1) % 2][ib][iz] *= fade[ib];
        p[(it + 1) % 2][nx - 1 - ib][iz] *= fade[ib];
      }
  }
#pragma endscop
}

int main(int argc, char **argv)
{
  int steps = argc > 1 ? atoi(argv[1]) : 4, n = argc > 2 ? atoi(argv[2]) : 31, b = argc > 3 ? atoi(argv[3]) : 9;
  int nx = n + 2 * b, nz = nx + 1;
  double *p = malloc(sizeof(double[2][nx + 1][nz])), *fade = malloc((b + 1) * sizeof *fade);
  for (int i = 0; i < 2 * nx * nz; i++)
    p[i] = (i * 37 % 101) / 64.0;
  for (int i = 0; i < b; i++)
    fade[i] = 1 - 0.015 * (b - i);
  forward(steps, nx, nz, (double(*)[nx][nz])p, b, fade);
  for (int i = 0; i < 2 * nx * nz; i++)
    printf("%a\n", p[i]);
  puts("done");
  free(p), free(fade);
}
