// Everything in main: blocks from malloc and calloc, pointers to their rows, a table of
// coefficients, and two blocks that rotate.
// RUN 0 5 6 | 1 7 3 | 4 12 40 | 5 19 17 | 3 3 3 | 6 9 8
#include <stdio.h>
#include <stdlib.h>

static double next(void)
{
  static unsigned long s = 12345;
  s = s * 6364136223846793005ul + 1442695040888963407ul;
  return (double)(s >> 33) / (1ul << 31);
}

static const double weight[2][2] = {{0.5, 0.25}, {0.125, 0.0625}};

int main(int argc, char **argv)
{
  int T = argc > 1 ? atoi(argv[1]) : 3;
  const int n = argc > 2 ? atoi(argv[2]) : 4;
  const size_t m = argc > 3 ? atoi(argv[3]) : 4;
  double *x = NULL, *line;
  double (*u)[m], (*v)[m] = calloc(n, sizeof *v);
  x = (double *)malloc(n * m * sizeof *x);
  line = malloc(m * sizeof(double));
  double (*w)[m] = (double (*)[m])x;
  u = malloc(sizeof(double) * n * m);
  static double local[4];
  if (x == NULL || line == NULL || u == NULL || v == NULL)
    return 1;
  for (int i = 0; i < n; i++)
    for (size_t j = 0; j < m; j++)
      u[i][j] = next(), w[i][j] = next(), line[j] = next();
  local[3] = 0.5;
#pragma scop
  for (int t = 0; t < T; t++) {
    for (int i = 1; i < n - 1; i++)
      for (size_t j = 1; j + 1 < m; j++)
        v[i][j] = weight[0][0] * u[i][j] + weight[0][1] * (u[i - 1][j] + u[i + 1][j]) + weight[1][1] * w[i][j - 1] + local[3] * line[j];
    for (int i = 1; i < n - 1; i++)
      for (size_t j = 1; j + 1 < m; j++)
        w[i][j] = v[i][j] - line[j - 1];
    double (*swap)[m] = u;
    u = v;
    v = swap;
  }
#pragma endscop
  for (int i = 0; i < n; i++)
    for (size_t j = 0; j < m; j++)
      printf("%a %a %a\n", u[i][j], v[i][j], x[i * m + j]);
  free(x), free(u), free(v), free(line);
  return 0;
}
