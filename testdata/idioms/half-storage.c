// A wave in 3-D whose fields are stored as _Float16 and converted by the program itself: any compiler calculates the same.
// RUN 0 5 | 1 7 | 4 9 | 3 12 | 3 3 | 6 8
#include <stdio.h>
#include <stdlib.h>

#define AT(p, i, j, k) (float)p[((i) * n + (j)) * n + (k)]

static void wave(int T, int n, _Float16 *restrict now, _Float16 *restrict old, const _Float16 *restrict speed)
{
#pragma scop
  for (int t = 0; t < T; t++) {
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        for (int k = 1; k < n - 1; k++) {
          float laplacian = AT(now, i - 1, j, k) + AT(now, i + 1, j, k) + AT(now, i, j - 1, k) + AT(now, i, j + 1, k)
                            + AT(now, i, j, k - 1) + AT(now, i, j, k + 1) - 6 * AT(now, i, j, k);
          old[(i * n + j) * n + k] = (_Float16)(2 * AT(now, i, j, k) - AT(old, i, j, k) + AT(speed, i, j, k) * laplacian);
        }
    _Float16 *swap = now;
    now = old;
    old = swap;
  }
#pragma endscop
}

int main(int argc, char **argv)
{
  int T = argc > 1 ? atoi(argv[1]) : 3, n = argc > 2 ? atoi(argv[2]) : 8;
  size_t cells = (size_t)n * n * n;
  _Float16 *a = malloc(3 * cells * sizeof *a), *b = a + cells, *c = b + cells;
  unsigned s = 1;
  for (size_t k = 0; k < cells; k++) {
    s = s * 1103515245 + 12345;
    a[k] = (_Float16)((s >> 16 & 0x7fff) * (1.f / 512) - 32);
    b[k] = a[k];
    c[k] = (_Float16)(0.05f + (s >> 8 & 15) * 0.01f);
  }
  wave(T, n, a, b, c);
  for (size_t k = 0; k < 2 * cells; k++)
    printf("%.9g\n", (float)a[k]);
  free(a);
  return 0;
}
