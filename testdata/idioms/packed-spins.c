// Spins of the Ising model on a cylinder, the two colours of the checkerboard in arrays of half the width: whether the fourth neighbour is on the left or on the right
// depends on the colour and on the parity of the row, and columns are periodic.
// RUN 0 6 4 | 1 8 3 | 4 30 11 | 5 18 16 | 3 4 2 | 6 16 33 | 2 2 2 | 3 2 1 | 4 7 5
#include <stdio.h>
#include <stdlib.h>

static unsigned draw(void)
{
  static unsigned long s = 12345;
  s = s * 6364136223846793005ul + 1442695040888963407ul;
  return s >> 40;
}

static void update(signed char *restrict lattice, const signed char *restrict other, const float *restrict random, float k, long n, long h, int black)
{
  for (long i = 1; i < n - 1; i++)
    for (long j = 0; j < h; j++) {
      long west = j > 0 ? j - 1 : h - 1, east = j + 1 < h ? j + 1 : 0;
      long side;
      if (black)
        side = (i % 2) ? east : west;
      else
        side = (i % 2) ? west : east;
      signed char sum = other[(i - 1) * h + j] + other[i * h + j] + other[(i + 1) * h + j] + other[i * h + side];
      signed char spin = lattice[i * h + j];
      if (random[i * h + j] < 0.5f - k * sum * spin)
        lattice[i * h + j] = -spin;
    }
}

static void sweeps(int T, long n, long h, signed char *restrict black, signed char *restrict white, const float *restrict random, float k)
{
#pragma scop
  for (int t = 0; t < T; t++) {
    update(black, white, random, k, n, h, 1);
    update(white, black, random, k, n, h, 0);
  }
#pragma endscop
}

int main(int argc, char **argv)
{
  int T = argc > 1 ? atoi(argv[1]) : 3;
  long n = argc > 2 ? atoi(argv[2]) : 4, h = argc > 3 ? atoi(argv[3]) : 5;
  signed char *black = malloc(n * h), *white = malloc(n * h);
  float *random = malloc(n * h * sizeof *random);
  for (long i = 0; i < n * h; i++) {
    black[i] = draw() % 2 ? 1 : -1;
    white[i] = draw() % 2 ? 1 : -1;
    random[i] = draw() / (float)(1 << 24);
  }
  sweeps(T, n, h, black, white, random, 0.12f);
  for (long i = 0; i < n * h; i++)
    printf("%d %d\n", black[i], white[i]);
  free(black);
  free(white);
  free(random);
  return 0;
}
