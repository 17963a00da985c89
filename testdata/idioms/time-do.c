// A do loop runs once at least: the original loops run where it would not otherwise.
// RUN 0 5 | 1 7 | 6 30 | 13 40 | 2 1 | 5 90 | 4 33
// VIOLATED T >= 1
#include <stdio.h>
#include <stdlib.h>

static double next(void)
{
  static unsigned long s = 12345;
  s = s * 6364136223846793005ul + 1442695040888963407ul;
  return (double)(s >> 33) / (1ul << 31);
}

static float p[90][12], q[90][12];

int main(int argc, char **argv)
{
  int T = argc > 1 ? atoi(argv[1]) : 5, n = argc > 2 ? atoi(argv[2]) : 20, sweep = 0;
  for (int i = 0; i < 90; i++)
    for (int j = 0; j < 12; j++) {
      p[i][j] = next();
      q[i][j] = next();
    }
#pragma scop
  do {
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < 11; j++)
        q[i][j] = 0.25f * (p[i - 1][j] + p[i + 1][j] + p[i][j - 1] + p[i][j + 1]);
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < 11; j++)
        p[i][j] = q[i][j] + sweep;
  } while (++sweep < T);
#pragma endscop
  printf("%d\n", sweep);
  for (int i = 0; i < 90; i++)
    for (int j = 0; j < 12; j++)
      printf("%a %a\n", p[i][j], q[i][j]);
  return 0;
}
