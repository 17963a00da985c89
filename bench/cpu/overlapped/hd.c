// Horizontal diffusion of COSMO: four nests that hand fields on by local arrays.
#include "hd.h"

void hd(void)
{
  double lap[K][N][M], fli[K][N][M], flj[K][N][M];
#pragma scop
  for (int k = 0; k < K; k++)
    for (int j = 1; j < N - 1; j++)
      for (int i = 1; i < M - 1; i++)
        lap[k][j][i] = 4.0 * in[k][j][i] - (in[k][j][i + 1] + in[k][j][i - 1] + in[k][j + 1][i] + in[k][j - 1][i]);
  for (int k = 0; k < K; k++)
    for (int j = 2; j < N - 2; j++)
      for (int i = 1; i < M - 2; i++) {
        fli[k][j][i] = lap[k][j][i + 1] - lap[k][j][i];
        if (fli[k][j][i] * (in[k][j][i + 1] - in[k][j][i]) > 0)
          fli[k][j][i] = 0;
      }
  for (int k = 0; k < K; k++)
    for (int j = 1; j < N - 2; j++)
      for (int i = 2; i < M - 2; i++) {
        flj[k][j][i] = lap[k][j + 1][i] - lap[k][j][i];
        if (flj[k][j][i] * (in[k][j + 1][i] - in[k][j][i]) > 0)
          flj[k][j][i] = 0;
      }
  for (int k = 0; k < K; k++)
    for (int j = 2; j < N - 2; j++)
      for (int i = 2; i < M - 2; i++)
        out[k][j][i] = in[k][j][i] - coeff[k][j][i] * (fli[k][j][i] - fli[k][j][i - 1] + flj[k][j][i] - flj[k][j - 1][i]);
#pragma endscop
}
