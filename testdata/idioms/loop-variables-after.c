// Loop variables that are read behind their loops: in subscripts and values, of loops alone, in others, between numbers, in a function, and where
// another loop uses the variable again.
// RUN 0 5 7 | 1 7 7 | 6 5 3 | 3 30 41 | 2 3 9 | 5 33 4 | 4 13 17 | 3 3 3
#include <stdio.h>
#include <stdlib.h>

enum { K = 6 };

static double next(void)
{
  static unsigned long s = 12345;
  s = s * 6364136223846793005ul + 1442695040888963407ul;
  return (double)(s >> 33) / (1ul << 31);
}

/* the last element of a line is set from the one before it */
static void ends(int n, double *p)
{
  int i;
  for (i = 1; i <= n - 2; ++i)
    p[i] = 0.5 * p[i] + 0.25;
  p[i] = p[i - 1];
}

static void step(int T, int n, int m, double u[restrict n][m], double v[restrict n][m], double w[restrict K], double line[restrict m])
{
  if (n < 3 || m < 3)
    return;
#pragma scop
  for (int t = 0; t < T; t++) {
    int r, c, k;
    for (r = 1; r < n - 1; r++)
      for (c = 1; c < m - 1; c++)
        v[r][c] = 0.25 * (u[r - 1][c] + u[r + 1][c] + u[r][c - 1] + u[r][c + 1]);
    v[0][m - 1] = 0.5 * (u[0][c - 1] + u[r - 1][0]);
    v[r][0] = u[r][c] * 0.5;
    for (c = 0; c < m; c++)
      v[0][c] = u[1][c] * 0.25;
    v[0][0] = v[0][c - 1];
    for (k = 2; k < K; k++)
      w[k] = w[k] * 0.5 + 0.125 * k;
    w[0] = w[k - 1] + 0.01 * k;
    ends(m, line);
    for (r = 1; r < n - 1; r++)
      for (c = 1; c < m - 1; c++) {
        int q = 5, p = 7;
        double s = 0;
        for (q = 0; q < 3; q++)
          s += 0.0625 * u[r][c - 1 + q];
        if (s > 0.0625)
          for (p = 1; p <= 2; p++)
            s = s - 0.03125 * u[r - 2 + p][c];
        v[r][c] = v[r][c] * 0.5 + s * (q + p) * 0.125;
      }
    for (r = 0; r < n; r++)
      for (c = 0; c < m; c++)
        u[r][c] = v[r][c];
  }
#pragma endscop
}

int main(int argc, char **argv)
{
  int T = argc > 1 ? atoi(argv[1]) : 3, n = argc > 2 ? atoi(argv[2]) : 4, m = argc > 3 ? atoi(argv[3]) : 5;
  double *a = malloc(sizeof(double) * n * m), *b = malloc(sizeof(double) * n * m), *line = malloc(sizeof(double) * m), w[K];
  for (int i = 0; i < n * m; i++) {
    a[i] = next();
    b[i] = next();
  }
  for (int i = 0; i < m; i++)
    line[i] = next();
  for (int i = 0; i < K; i++)
    w[i] = next();
  step(T, n, m, (double (*)[m])a, (double (*)[m])b, w, line);
  for (int i = 0; i < n * m; i++)
    printf("%a %a\n", a[i], b[i]);
  for (int i = 0; i < m; i++)
    printf("%a\n", line[i]);
  for (int i = 0; i < K; i++)
    printf("%a\n", w[i]);
  return 0;
}
