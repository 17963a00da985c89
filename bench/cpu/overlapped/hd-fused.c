// Horizontal diffusion fused by hand: threads share out blocks of rows of a level, and keep of the fields between what a block needs.
#include "hd.h"

#define ROWS 32
#define LAST(x, y) ((x) < (y) ? (x) : (y))

void hd(void)
{
#pragma omp parallel for collapse(2) schedule(static)
  for (int k = 0; k < K; k++)
    for (int from = 2; from < N - 2; from += ROWS) {
      double lap[ROWS + 2][M], fli[ROWS][M], flj[ROWS + 1][M];
      int to = LAST(from + ROWS, N - 2);
      for (int j = from - 1; j < to + 1; j++)
#pragma omp simd
        for (int i = 1; i < M - 1; i++)
          lap[j - from + 1][i] = 4.0 * in[k][j][i] - (in[k][j][i + 1] + in[k][j][i - 1] + in[k][j + 1][i] + in[k][j - 1][i]);
      for (int j = from; j < to; j++)
#pragma omp simd
        for (int i = 1; i < M - 2; i++) {
          double f = lap[j - from + 1][i + 1] - lap[j - from + 1][i];
          fli[j - from][i] = f * (in[k][j][i + 1] - in[k][j][i]) > 0 ? 0 : f;
        }
      for (int j = from - 1; j < to; j++)
#pragma omp simd
        for (int i = 2; i < M - 2; i++) {
          double f = lap[j - from + 2][i] - lap[j - from + 1][i];
          flj[j - from + 1][i] = f * (in[k][j + 1][i] - in[k][j][i]) > 0 ? 0 : f;
        }
      for (int j = from; j < to; j++)
#pragma omp simd
        for (int i = 2; i < M - 2; i++)
          out[k][j][i] = in[k][j][i] - coeff[k][j][i] * (fli[j - from][i] - fli[j - from][i - 1] + flj[j - from + 1][i] - flj[j - from][i]);
    }
}
