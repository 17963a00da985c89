// Arrays with one subscript whose rows follow from what parameters are multiplied with: walls below and above a
// plane, and a recorder of one step.
// RUN 0 9 5 | 1 7 3 | 3 3 4 | 2 21 40 | 4 1 1 | 2 2 30
#include <stdio.h>
#include <stdlib.h>

static double next(void)
{
  static unsigned long s = 12345;
  s = s * 6364136223846793005ul + 1442695040888963407ul;
  return (double)(s >> 33) / (1ul << 31) - 0.5;
}

static void step(int T, int nx, int ny, int at, double *restrict a, double *restrict rec)
{
#pragma scop
  for (int t = 0; t < T; t++) {
    for (int i = 0; i <= nx + 1; i++) {
      a[i] = 0.5 * (a[i] + a[nx + 2 + i]);
      a[(ny + 1) * (nx + 2) + i] = a[ny * (nx + 2) + i] - 0.25 * a[i];
    }
    for (int i = 0; i < nx; i++) {
      rec[(at * nx + i) * 2] += a[i];
      rec[(at * nx + i) * 2 + 1] -= a[i + 1];
    }
  }
#pragma endscop
}

int main(int argc, char **argv)
{
  int T = argc > 1 ? atoi(argv[1]) : 4, nx = argc > 2 ? atoi(argv[2]) : 20, ny = argc > 3 ? atoi(argv[3]) : 10, n = (nx + 2) * (ny + 3);
  double *a = malloc(n * sizeof *a), *rec = calloc(8 * nx + 8, sizeof *rec);
  for (int i = 0; i < n; i++)
    a[i] = next();
  step(T, nx, ny, 3, a, rec);
  for (int i = 0; i < n; i++)
    printf("%a\n", a[i]);
  for (int i = 0; i < 8 * nx; i++)
    printf("%a\n", rec[i]);
  free(a);
  free(rec);
  return 0;
}
