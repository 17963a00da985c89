// Cells that are copied as a whole, with the arrays in them, from one element of an array to another: streaming, and a wall.
// RUN 20 12|7 1|2 9|3 4|31 18|9 0
#include <stdio.h>
#include <stdlib.h>

typedef struct {
  float f[3];
  struct {
    float rho, u[2][2];
  } moments;
} cell;

static void run(int n, int T, cell *restrict a, cell *restrict b)
{
#pragma scop
  for (int t = 0; t < T; t++) {
    for (int i = 1; i < n - 1; i++) {
      b[i] = a[i - 1];
      b[i].f[1] += 0.5f * a[i + 1].f[2];
      b[i].moments.u[1][1] = 0.25f * (b[i].f[0] + a[i].moments.u[1][1]);
    }
    for (int i = 1; i < n - 1; i++)
      a[i] = b[i];
    a[0].moments = b[1].moments;
  }
#pragma endscop
}

int main(int argc, char **argv)
{
  int n = argc > 1 ? atoi(argv[1]) : 20, T = argc > 2 ? atoi(argv[2]) : 12;
  cell *a = calloc(n + 1, sizeof *a), *b = calloc(n + 1, sizeof *b);
  for (int i = 0; i < n; i++) {
    for (int k = 0; k < 3; k++)
      a[i].f[k] = i * 3 + k;
    a[i].moments.rho = i;
    a[i].moments.u[1][0] = i % 7;
    a[i].moments.u[0][1] = -i;
  }
  run(n, T, a, b);
  for (int i = 0; i < n; i++)
    printf("%g %g %g %g %g %g %g\n", a[i].f[0], a[i].f[1], a[i].f[2], a[i].moments.rho, a[i].moments.u[0][1], a[i].moments.u[1][0], a[i].moments.u[1][1]);
  return 0;
}
