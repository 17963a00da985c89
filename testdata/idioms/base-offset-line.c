// Pointers behind the first elements of blocks: two ghost cells on either side of a line, and weights around the middle of a table.
// RUN 0 5 | 1 7 | 6 6 | 3 90 | 2 5 | 5 133 | 4 8 | 3 13
#include <stdio.h>
#include <stdlib.h>

enum { R = 2 };

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

/* a line with R ghost cells on either side, whose ends wrap around, and weights around the middle of a table */
static void line(int T, int n, double *u, double *v, const double *c)
{
  if (n <= 2 * R)
    return;
#pragma scop
  for (int t = 0; t < T; t++) {
    for (int i = 0; i < n; i++)
      v[i] = c[-2] * u[i - 2] + c[-1] * u[i - 1] + c[0] * u[i] + c[1] * u[i + 1] + c[2] * u[i + 2];
    for (int i = 0; i < n; i++)
      u[i] = v[i];
    for (int i = 1; i <= R; i++) {
      u[-i] = u[i];
      u[n - 1 + i] = u[n - 1 - i];
    }
  }
#pragma endscop
}

int main(int argc, char **argv)
{
  const int T = argc > 1 ? atoi(argv[1]) : 3, n = argc > 2 ? atoi(argv[2]) : 4, size = n + 2 * R;
  const double weights[5] = {0.1, 0.2, 0.3, 0.25, 0.15};
  double *a = block(size), *b = block(size);
  line(T, n, a + R, b + R, weights + 2);
  for (int i = 0; i < size; i++)
    printf("%a %a\n", a[i], b[i]);
  return 0;
}
