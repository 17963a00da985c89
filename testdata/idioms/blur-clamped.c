// A window around each point, in loops, that is clamped to the image: a flat one of bytes, and rows with a window along each.
// RUN 0 5 7 | 1 7 7 | 6 5 3 | 3 30 41 | 2 2 9 | 5 33 4 | 4 13 17 | 3 2 2 | 3 1 1
// VIOLATED n >= 4
// VIOLATED m >= 4
#include <stdio.h>
#include <stdlib.h>

#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#define CLAMP(v, lo, hi) MIN(MAX(v, lo), hi)

static const int weight[5] = {1, 4, 6, 4, 1};

static int inside(int i, int n) { return i < 0 ? 0 : i >= n ? n - 1 : i; }

static void run(int T, int n, int m, unsigned char *restrict a, unsigned char *restrict b, float c[restrict 2][m])
{
#pragma scop
  for (int t = 0; t < T; t++) {
    for (int y = 0; y < n; y++)
      for (int x = 0; x < m; x++) {
        int sum = 0;
        for (int dy = -2; dy <= 2; dy++)
          for (int dx = -2; dx <= 2; dx++) {
            int yy = CLAMP(y + dy, 0, n - 1);
            int xx = CLAMP(x + dx, 0, m - 1);
            sum += weight[dy + 2] * weight[dx + 2] * a[yy * m + xx];
          }
        b[y * m + x] = (unsigned char)((sum + 128) >> 8);
      }
    unsigned char *s = a;
    a = b;
    b = s;
    for (int x = 0; x < m; x++) {
      float sum = 0;
      for (int d = -3; d <= 3; d++)
        sum += c[t % 2][inside(x + d, m)];
      c[(t + 1) % 2][x] = 0.125f * sum;
    }
  }
#pragma endscop
}

int main(int argc, char **argv)
{
  int T = argc > 1 ? atoi(argv[1]) : 3, n = argc > 2 ? atoi(argv[2]) : 4, m = argc > 3 ? atoi(argv[3]) : 4;
  if (n < 1 || m < 1)
    return 1;
  unsigned char *a = malloc(n * m), *b = malloc(n * m);
  float (*c)[m] = malloc(sizeof(float) * 2 * m);
  for (int i = 0; i < n * m; i++)
    a[i] = i * 37 % 251, b[i] = 0;
  for (int i = 0; i < m; i++)
    c[0][i] = i * 7 % 5, c[1][i] = 0;
  run(T, n, m, a, b, c);
  for (int i = 0; i < n * m; i++)
    printf("%d %d\n", a[i], b[i]);
  for (int i = 0; i < m; i++)
    printf("%a %a\n", c[0][i], c[1][i]);
  return 0;
}
