// A closed box: what the ring of points around it are made of keeps all reads inside of the arrays. With a hole in it, a point reads the end of the row before.
// RUN 0 5 4 | 1 7 3 | 6 3 9 | 20 30 5 | 3 2 2 | 13 33 17 | 2 2 3 | 7 64 65 | 9 23 20 1
#include <stdio.h>
#include <stdlib.h>

enum { FLUID, SOLID, HOT };

static double next(void)
{
  static unsigned long s = 12345;
  s = s * 6364136223846793005ul + 1442695040888963407ul;
  return (double)(s >> 33) / (1ul << 31);
}

int main(int argc, char **argv)
{
  int T = argc > 1 ? atoi(argv[1]) : 3, n = argc > 2 ? atoi(argv[2]) : 4, m = argc > 3 ? atoi(argv[3]) : 5;
  double *a = malloc(sizeof(double) * n * m), *b = malloc(sizeof(double) * n * m);
  char *kind = malloc(n * m);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      a[i * m + j] = b[i * m + j] = next();
      int hole = argc > 4 && i == n / 2, ring = i == 0 || (j == 0 && !hole) || i == n - 1 || j == m - 1;
      kind[i * m + j] = ring || next() < 0.1 ? SOLID : next() < 0.1 ? HOT : FLUID;
    }
#pragma scop
  for (int t = 0; t < T; t++) {
    for (int i = 0; i < n; i++)
      for (int j = 0; j < m; j++) {
        int k = i * m + j;
        if (kind[k] != SOLID) {
          double q = a[k - 1] + a[k + 1] + a[k - m] + a[k + m];
          b[k] = a[k] + 0.1 * (q - 4 * a[k]) + (kind[k] == HOT);
        } else
          b[k] = 0.5 * a[k];
      }
    double *old = a;
    a = b;
    b = old;
  }
#pragma endscop
  for (int i = 0; i < n * m; i++)
    printf("%a %a\n", a[i], b[i]);
  return 0;
}
