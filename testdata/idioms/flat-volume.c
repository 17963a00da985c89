// One subscript for a double buffer of volumes, spelled in four ways.
// RUN 0 5 5 5 | 1 7 3 9 | 4 12 10 40 | 5 9 17 11 | 2 3 3 3
#include <stdio.h>
#include <stdlib.h>

static double next(void)
{
  static unsigned long s = 12345;
  s = s * 6364136223846793005ul + 1442695040888963407ul;
  return (double)(s >> 33) / (1ul << 31);
}

static void step(int T, int ni, int nj, size_t nk, float *restrict p, const float *restrict c)
{
#pragma scop
  for (int t = 0; t < T; t++)
    for (int i = 1; i < ni - 1; i++)
      for (int j = 1; j < nj - 1; j++)
        for (size_t k = 1; k + 1 < nk; k++)
          p[((size_t)((t + 1) % 2) * ni * nj + i * nj + j) * nk + k] =
            0.25f * p[(t % 2) * ni * nj * nk + (i * nj + j) * nk + k - 1] +
            0.5f * p[((1 - (t + 1) % 2) * ni * nj + (i + 1) * nj + j) * nk + k] +
            c[k] * *(p + (t & 1) * ni * nj * nk + nk * i * nj + j * nk + nk + k);
#pragma endscop
}

int main(int argc, char **argv)
{
  int T = argc > 1 ? atoi(argv[1]) : 3, ni = argc > 2 ? atoi(argv[2]) : 4, nj = argc > 3 ? atoi(argv[3]) : 4, nk = argc > 4 ? atoi(argv[4]) : 4;
  size_t cells = (size_t)2 * ni * nj * nk;
  float *p = malloc(sizeof(float) * cells), *c = malloc(sizeof(float) * nk);
  for (size_t i = 0; i < cells; i++)
    p[i] = (float)next();
  for (int k = 0; k < nk; k++)
    c[k] = (float)next();
  step(T, ni, nj, nk, p, c);
  for (size_t i = 0; i < cells; i++)
    printf("%a\n", p[i]);
  return 0;
}
