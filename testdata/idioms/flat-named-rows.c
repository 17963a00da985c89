// Rows, columns and planes of a flat array that the program names, and lines of a ring around both dimensions in a region without a time loop.
// RUN 1 7 5 | 6 3 2 | 3 40 31 | 2 2 9 | 1 13 17
#include <stdio.h>
#include <stdlib.h>

static double next(void)
{
  static unsigned long s = 12345;
  s = s * 6364136223846793005ul + 1442695040888963407ul;
  return (double)(s >> 33) / (1ul << 31);
}

static void step(int n, int m, const double *restrict a, double *restrict b, double *restrict line)
{
  const int row = n - 2;
  double w = 0.125;
#pragma scop
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      int south = (i + 1) % n, east = (j + 1) % m;
      b[i * m + j] = 0.5 * a[i * m + j] + 0.25 * (a[south * m + j] + a[i * m + east]);
    }
  for (int j = 0; j < m; j++)
    line[row * m + j] += w;
#pragma endscop
}

int main(int argc, char **argv)
{
  int T = argc > 1 ? atoi(argv[1]) : 3, n = argc > 2 ? atoi(argv[2]) : 4, m = argc > 3 ? atoi(argv[3]) : 5;
  double *a = malloc(sizeof(double) * n * m), *b = malloc(sizeof(double) * n * m), *line = malloc(sizeof(double) * n * m);
  for (int i = 0; i < n * m; i++) {
    a[i] = next();
    b[i] = next();
    line[i] = next();
  }
  for (int t = 0; t < T; t++) {
    step(n, m, a, b, line);
    double *was = a;
    a = b;
    b = was;
  }
  for (int i = 0; i < n * m; i++)
    printf("%a %a %a\n", a[i], b[i], line[i]);
  return 0;
}
