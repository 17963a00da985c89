// Pointers to the first cell inside of a border of ghost cells: subscripts below 0 in rows, and in front of the first row.
// RUN 0 5 4 | 1 7 9 | 6 1 1 | 3 30 41 | 2 2 9 | 5 33 4 | 4 13 17 | 3 2 2
#include <stdio.h>
#include <stdlib.h>

static double next(void)
{
  static unsigned long s = 12345;
  s = s * 6364136223846793005ul + 1442695040888963407ul;
  return (double)(s >> 33) / (1ul << 31);
}

static double *block(long size)
{
  double *p = malloc(sizeof(double) * size);
  for (long i = 0; i < size; i++)
    p[i] = next();
  return p;
}

static void plane(int T, int n, int m, double *u, double *v)
{
  const int p = m + 2;
#pragma scop
  for (int t = 0; t < T; t++) {
    for (int i = 0; i < n; i++)
      for (int j = 0; j < m; j++)
        v[i * p + j] = u[i * p + j] + 0.1 * (u[(i - 1) * p + j] + u[(i + 1) * p + j] + u[i * p + j - 1] + u[i * p + j + 1]);
    double *w = u;
    u = v;
    v = w;
  }
#pragma endscop
}

int main(int argc, char **argv)
{
  const int T = argc > 1 ? atoi(argv[1]) : 3, n = argc > 2 ? atoi(argv[2]) : 4, m = argc > 3 ? atoi(argv[3]) : 5;
  const int size = 3 * (n + 2) * (m + 2) + 10;
  double *a = block(size), *b = block(size);
  const int p = m + 2;
  plane(T, n, m, a + p + 1, b + p + 1);
  for (int i = 0; i < size; i++)
    printf("%a %a\n", a[i], b[i]);
  return 0;
}
