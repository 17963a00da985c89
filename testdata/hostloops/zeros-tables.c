// A function that takes turns with the grids of a table of pointers to rows.
// RUN 3 3 | 17 2 | 40 5 | 9 0
#include <stdio.h>
#include <stdlib.h>

double a[64][64], b[64][64];

static void smooth(int n, double x[64][64], double y[64][64])
{
  double (*v[2])[64] = {x, y};
  int cur = 0;
  for (int k = 0; k < 4; k++) {
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        v[1 - cur][i][j] = 0.25 * (v[cur][i - 1][j] + v[cur][i + 1][j] + v[cur][i][j - 1]);
    cur = 1 - cur;
  }
}

int main(int argc, char **argv)
{
  int n = argc > 1 ? atoi(argv[1]) : 20, T = argc > 2 ? atoi(argv[2]) : 9;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      a[i][j] = i * 13 % 17 + j;
#pragma scop
  for (int t = 0; t < T; t++)
    smooth(n, a, b);
#pragma endscop
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      printf("%.17g %.17g\n", a[i][j], b[i][j]);
  return 0;
}
