// A sandpile that topples until it is at rest: memcpy copies planes and stacks of planes, which chunks of steps set back where they go too far.
// RUN 0 | 1 | 3 | 9 | 40
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { W = 22, H = 19, D = 5 };

static int z[W][H], y[W][H];
static int a[D][W][H], b[D][W][H];

static int topple(void)
{
  bool unstable = true;
  int rounds = 0;
#pragma scop
  while (unstable) {
    unstable = false;
    for (int i = 1; i < W - 1; i++)
      for (int j = 1; j < H - 1; j++) {
        y[i][j] = z[i][j] % 4 + z[i - 1][j] / 4 + z[i + 1][j] / 4 + z[i][j - 1] / 4 + z[i][j + 1] / 4;
        if (y[i][j] != z[i][j])
          unstable = true;
      }
    memcpy(z, y, sizeof z);
    rounds++;
  }
#pragma endscop
  return rounds;
}

static int toppleAll(int most)
{
  int changed = 1, rounds = 0;
#pragma scop
  while (changed && rounds < most) {
    changed = 0;
    for (int k = 1; k < D - 1; k++)
      for (int i = 1; i < W - 1; i++)
        for (int j = 1; j < H - 1; j++) {
          b[k][i][j] = a[k][i][j] % 6 + a[k - 1][i][j] / 6 + a[k + 1][i][j] / 6 + a[k][i - 1][j] / 6 + a[k][i + 1][j] / 6 + a[k][i][j - 1] / 6 + a[k][i][j + 1] / 6;
          if (b[k][i][j] != a[k][i][j])
            changed = 1;
        }
    memcpy(a, b, sizeof a);
    rounds++;
  }
#pragma endscop
  return rounds;
}

int main(int argc, char **argv)
{
  const int grains = argc > 1 ? 10 * atoi(argv[1]) : 100;
  z[W / 2][H / 2] = 4 * grains;
  z[W / 3][H / 3] = grains;
  a[D / 2][W / 2][H / 2] = 6 * grains;
  printf("%d %d\n", topple(), toppleAll(1000));
  for (int i = 0; i < W; i++)
    for (int j = 0; j < H; j++)
      printf("%d %d%c", z[i][j], a[D / 2][i][j], j < H - 1 ? ' ' : '\n');
  return 0;
}
