// Pointers to rows, to planes and to single elements of a block, set in the time loop and in the loops over space.
// RUN 0 5 7 | 1 7 7 | 6 5 3 | 3 30 41 | 2 3 9 | 5 33 4 | 4 13 17
#include <stdio.h>
#include <stdlib.h>

static void smooth(const double *up, const double *row, const double *down, double *out, int m)
{
  for (int j = 1; j < m - 1; j++)
    out[j] = 0.25 * (up[j] + row[j - 1] + row[j + 1] + down[j]);
}

static void step(int T, int n, int m, double *restrict a, double *restrict b, double *restrict u, double (*restrict w)[m])
{
  const double *below;
#pragma scop
  for (int t = 0; t < T; t++) {
    double *restrict cur = &u[(t % 2) * n * m];
    double *restrict new = u + ((t + 1) % 2) * n * m;
    for (int i = 1; i < n - 1; i++) {
      const double *row = a + i * m;
      smooth(row - m, row, row + m, b + i * m, m);
    }
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < m - 1; j++)
        a[i * m + j] = b[i * m + j];
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < m - 1; j++) {
        const double *p = &cur[i * m + j];
        double *q = new + i * m;
        q += j;
        *q = 0.25 * (p[-1] + p[1] + p[-m] + *(p + m));
      }
    for (int i = 0; i < n - 1; i++) {
      double *here = w[i];
      below = w[i + 1];
      for (int j = 0; j < m; j++)
        b[i * m + j] = 0.5 * (here[j] + below[j]);
    }
  }
#pragma endscop
}

int main(int argc, char **argv)
{
  int T = argc > 1 ? atoi(argv[1]) : 3, n = argc > 2 ? atoi(argv[2]) : 4, m = argc > 3 ? atoi(argv[3]) : 4;
  if (n < 1 || m < 1)
    return 1;
  long cells = (long)n * m;
  double *a = malloc(sizeof(double) * cells), *b = malloc(sizeof(double) * cells), *w = malloc(sizeof(double) * cells);
  double *u = malloc(sizeof(double) * 2 * cells);
  for (long i = 0; i < cells; i++)
    a[i] = i * 7 % 11, b[i] = i * 5 % 13, w[i] = i * 3 % 17;
  for (long i = 0; i < 2 * cells; i++)
    u[i] = i * 3 % 5;
  step(T, n, m, a, b, u, (double (*)[m])w);
  for (long i = 0; i < cells; i++)
    printf("%a %a %a\n", a[i], b[i], w[i]);
  for (long i = 0; i < 2 * cells; i++)
    printf("%a\n", u[i]);
  return 0;
}
