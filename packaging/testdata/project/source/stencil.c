#include "weights.h"
#include "beside.h"

void stencil(int steps, int n, float A[2][n])
{
#pragma scop
  for (int t = 0; t < steps; t++)
    for (int i = 1; i < n - 1; i++)
      A[(t + 1) % 2][i] = WEIGHT * (A[t % 2][i - 1] + SCALE * A[t % 2][i] + BESIDE * A[t % 2][i + 1]);
#pragma endscop
}
