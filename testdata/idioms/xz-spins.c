// Points of one colour of a torus, which is a variable of a loop, of which those change that numbers of their own choose.
// RUN 0 1 | 1 4 | 3 9 | 20 16
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { L = 24 };

static int spin[L][L];
static uint32_t state[L][L];

static void sweep(int T, const double *w)
{
#pragma scop
  for (int t = 0; t < T; t++)
    for (int colour = 0; colour < 2; colour++)
      for (int i = 0; i < L; i++)
        for (int j = 0; j < L; j++) {
          if ((i + j) % 2 != colour)
            continue;
          const int sum = spin[(i + 1) % L][j] + spin[(i + L - 1) % L][j] + spin[i][(j + 1) % L] + spin[i][(j + L - 1) % L];
          state[i][j] = state[i][j] * 1664525u + 1013904223u;
          const double r = state[i][j] / 4294967296.0;
          if (r < 0.5 + w[0] * (spin[i][j] * sum) + w[1])
            spin[i][j] = -spin[i][j];
        }
#pragma endscop
}

int main(int argc, char **argv)
{
  const int T = argc > 1 ? atoi(argv[1]) : 5, seed = argc > 2 ? atoi(argv[2]) : 1;
  const double w[2] = {-0.11, -0.02};
  for (int i = 0; i < L; i++)
    for (int j = 0; j < L; j++) {
      spin[i][j] = (i * 7 + j * 3 + seed) % 5 < 2 ? -1 : 1;
      state[i][j] = 12345u + 97u * i + 31u * j + seed;
    }
  sweep(T, w);
  for (int i = 0; i < L; i++)
    for (int j = 0; j < L; j++)
      printf("%d %u\n", spin[i][j], (unsigned)state[i][j]);
  return 0;
}
