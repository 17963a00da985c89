// Cells of a few numbers each, one behind the other in rows of cells; neighbours in a loop, clamped.
// RUN 0 5 7 | 1 7 7 | 6 5 3 | 3 30 41 | 2 2 9 | 5 33 4 | 4 13 17 | 3 2 2 | 3 1 1
#include <stdio.h>
#include <stdlib.h>

#define Q 5
#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#define CLAMP(v, lo, hi) MIN(MAX(v, lo), hi)

static const int ex[Q] = {0, 1, 0, -1, 0}, ey[Q] = {0, 0, 1, 0, -1};

static void stream(int nx, int ny, const double (*f)[Q], double (*fnew)[Q])
{
  for (int y = 0; y < ny; y++)
    for (int x = 0; x < nx; x++) {
      int k = y * nx + x;
      double sum = 0;
      for (int q = 0; q < Q; q++) {
        int xs = CLAMP(x - ex[q], 0, nx - 1), ys = CLAMP(y - ey[q], 0, ny - 1);
        sum += f[ys * nx + xs][q];
      }
      for (int q = 0; q < Q; q++)
        fnew[k][q] = 0.75 * f[k][q] + 0.05 * sum;
    }
}

static void run(int T, int nx, int ny, double (*f)[Q], double (*fnew)[Q])
{
#pragma scop
  for (int t = 0; t < T; t++) {
    stream(nx, ny, f, fnew);
    double (*tmp)[Q] = f;
    f = fnew;
    fnew = tmp;
  }
#pragma endscop
}

int main(int argc, char **argv)
{
  int T = argc > 1 ? atoi(argv[1]) : 3, n = argc > 2 ? atoi(argv[2]) : 4, m = argc > 3 ? atoi(argv[3]) : 4;
  if (n < 1 || m < 1)
    return 1;
  double (*f)[Q] = malloc(sizeof *f * n * m), (*fnew)[Q] = malloc(sizeof *f * n * m);
  for (int i = 0; i < n * m; i++)
    for (int q = 0; q < Q; q++)
      f[i][q] = (i * 3 + q) % 17, fnew[i][q] = 0;
  run(T, m, n, f, fnew);
  for (int i = 0; i < n * m; i++)
    for (int q = 0; q < Q; q++)
      printf("%a %a\n", f[i][q], fnew[i][q]);
  return 0;
}
