// Successive over-relaxation with Chebyshev acceleration: the factor changes between the two colours, and a sum over both ends the loop.
// RUN 20 9 | 3 40 | 2 1 | 33 70 | 41 0
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
  int n = argc > 1 ? atoi(argv[1]) : 20, most = argc > 2 ? atoi(argv[2]) : 9, it, pass, i, j, ended = 0;
  double rjac = cos(3.14159265358979 / n), omega = 1, sum = 0, first = 0, eps = 1e-3;
  double (*u)[n] = malloc(sizeof(double) * n * n), (*f)[n] = malloc(sizeof(double) * n * n);
  for (i = 0; i < n; i++)
    for (j = 0; j < n; j++) {
      u[i][j] = 0;
      f[i][j] = (i * 7 + j * 3) % 11 - 5;
      first += fabs(f[i][j]);
    }
#pragma scop
  for (it = 1; it <= most; it++) {
    sum = 0;
    for (pass = 0; pass < 2; pass++) {
      for (i = 1; i < n - 1; i++)
        for (j = 1 + (i + pass) % 2; j < n - 1; j += 2) {
          double r = u[i + 1][j] + u[i - 1][j] + u[i][j + 1] + u[i][j - 1] - 4 * u[i][j] - f[i][j];
          sum += fabs(r);
          u[i][j] += omega * r / 4;
        }
      omega = it == 1 && pass == 0 ? 1 / (1 - 0.5 * rjac * rjac) : 1 / (1 - 0.25 * rjac * rjac * omega);
    }
    if (sum < eps * first) {
      ended = 1;
      break;
    }
  }
#pragma endscop
  printf("%d %d %.17g %.17g\n", it, ended, sum, omega);
  for (i = 0; i < n; i++)
    for (j = 0; j < n; j++)
      printf("%.17g\n", u[i][j]);
  free(u);
  free(f);
  return 0;
}
