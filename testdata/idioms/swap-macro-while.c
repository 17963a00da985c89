// The exchange is a macro, whose statements all have one place, in a loop that becomes the one form of time loops: a while loop.
// RUN 0 5 | 1 7 | 6 3 | 7 90 | 12 133 | 5 1
#include <stdio.h>
#include <stdlib.h>

static double next(void)
{
  static unsigned long s = 12345;
  s = s * 6364136223846793005ul + 1442695040888963407ul;
  return (double)(s >> 33) / (1ul << 31);
}

#define SWAP(x, y) do { float *swap_ = x; x = y; y = swap_; } while (0)

static float *restrict first, *restrict second;

static void step(int T, int n)
{
  int left = T;
#pragma scop
  while (left-- > 0) {
    for (int i = 1; i < n - 1; i++)
      second[i] = 0.5f * first[i] + 0.25f * (first[i - 1] + first[i + 1]);
    SWAP(first, second);
  }
#pragma endscop
}

int main(int argc, char **argv)
{
  int T = argc > 1 ? atoi(argv[1]) : 3, n = argc > 2 ? atoi(argv[2]) : 4;
  float *x = malloc(sizeof(float) * (n + 2)), *y = malloc(sizeof(float) * (n + 2));
  first = x, second = y;
  for (int i = 0; i < n; i++)
    x[i] = (float)next(), y[i] = (float)next();
  step(T, n);
  printf("%d %d\n", first == x, second == y);
  for (int i = 0; i < n; i++)
    printf("%a %a\n", first[i], second[i]);
  return 0;
}
