// A checkerboard that is taken apart into its two colours and put together again in each step, with unsigned indices.
// RUN 0 5 4 | 1 7 3 | 4 30 11 | 5 19 16 | 3 3 2 | 6 17 33 | 2 2 2 | 3 1 1
#include <stdio.h>
#include <stdlib.h>

static unsigned draw(void)
{
  static unsigned long s = 12345;
  s = s * 6364136223846793005ul + 1442695040888963407ul;
  return s >> 40;
}

static void colours(int T, size_t n, size_t h, float *restrict u, float *restrict red, float *restrict black)
{
  size_t m = 2 * h;
#pragma scop
  for (int t = 0; t < T; t++) {
    for (size_t i = 0; i < n; i++)
      for (size_t k = 0; k < h; k++)
        red[i * h + k] = u[i * m + 2 * k + i % 2];
    for (size_t i = 1; i < n; i++)
      for (size_t k = 0; k < h; k++)
        black[i * h + k] = 0.5f * (red[i * h + k] + red[(i - 1) * h + k]) + 0.25f * u[i * m + 2 * k + 1 - (i & 1)];
    for (size_t i = 1; i < n; i++)
      for (size_t k = 0; k < h; k++)
        u[i * m + 2 * k + (i + 1) % 2] = black[i * h + k];
  }
#pragma endscop
}

int main(int argc, char **argv)
{
  int T = argc > 1 ? atoi(argv[1]) : 3, n = argc > 2 ? atoi(argv[2]) : 4, h = argc > 3 ? atoi(argv[3]) : 5;
  float *u = malloc(2 * n * h * sizeof *u), *red = malloc(n * h * sizeof *red), *black = malloc(n * h * sizeof *black);
  for (int i = 0; i < n * h; i++) {
    u[2 * i] = draw() % 1000;
    u[2 * i + 1] = draw() % 1000;
    red[i] = black[i] = 0;
  }
  colours(T, n, h, u, red, black);
  for (int i = 0; i < n * h; i++)
    printf("%a %a %a %a\n", u[2 * i], u[2 * i + 1], red[i], black[i]);
  free(u);
  free(red);
  free(black);
  return 0;
}
