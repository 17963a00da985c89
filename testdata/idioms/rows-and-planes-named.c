// Pointers with a name to rows and to planes, which lie in arrays of pointers.
// RUN 0 5 5|1 7 7|6 5 3|3 30 41|2 4 9|5 33 4|4 13 17|3 3 3
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static double **rows(int n, int m)
{
  double **a = malloc(n * sizeof *a), *block = malloc(n * m * sizeof *block);
  for (int i = 0; i < n; i++) {
    a[i] = block + i * m;
    for (int j = 0; j < m; j++)
      a[i][j] = (i * 31 + j * 17) % 23;
  }
  return a;
}

static void relax(int T, int n, int m, double **u, double **v)
{
  double *w[2], *largest = calloc(n * m, sizeof *largest);
  for (int p = 0; p < 2; p++) {
    w[p] = malloc(n * m * sizeof(double));
    for (int k = 0; k < n * m; k++)
      w[p][k] = k * 13 % 7;
  }
#pragma scop
  for (int t = 0; t < T; t++) {
    const double *old = w[t & 1];
    double *fresh = w[(t + 1) & 1];
    for (int i = 1; i < n - 1; i++) {
      const double *up = u[i - 1], *row = u[i], *down = u[i + 1];
      double *out = v[i];
      for (int j = 1; j < m - 1; j++) {
        out[j] = 0.25 * (up[j] + down[j] + row[j - 1] + row[j + 1]);
        fresh[i * m + j] = 0.5 * old[i * m + j] + 0.25 * (old[(i - 1) * m + j] + old[i * m + j + 1]);
        largest[i * m + j] = fmax(largest[i * m + j], fabs(fresh[i * m + j] - old[i * m + j]));
      }
    }
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < m - 1; j++)
        u[i][j] = v[i][j];
  }
#pragma endscop
  for (int k = 0; k < n * m; k++)
    printf("%.17g %.17g %.17g\n", w[0][k], w[1][k], largest[k]);
}

int main(int argc, char **argv)
{
  int T = argc > 1 ? atoi(argv[1]) : 3, n = argc > 2 ? atoi(argv[2]) : 4, m = argc > 3 ? atoi(argv[3]) : 4;
  double **u = rows(n, m), **v = rows(n, m);
  relax(T, n, m, u, v);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      printf("%.17g %.17g\n", u[i][j], v[i][j]);
  return 0;
}
