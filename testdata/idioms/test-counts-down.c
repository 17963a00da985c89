// Loops that count down in their condition, as those over unsigned variables do.
// RUN 0 5 7|1 7 7|6 5 3|3 30 41|2 3 9|5 33 4|4 13 17|3 4 3
#include <stdio.h>
#include <stdlib.h>

static void relax(int T, size_t n, size_t m, double *restrict u, double *restrict v)
{
  unsigned char c;
#pragma scop
  for (unsigned t = T; t-- > 0;) {
    for (size_t i = n - 1; i-- > 1;)
      for (unsigned long j = m - 1; --j > 0;)
        v[i * m + j] = u[i * m + j] + 0.1 * (u[(i - 1) * m + j] + u[(i + 1) * m + j] + u[i * m + j - 1] + u[i * m + j + 1] - 4 * u[i * m + j]);
    for (size_t i = n; i--;)
      for (size_t j = m; j-- != 0;)
        u[i * m + j] = v[i * m + j] * (1 + 1e-3 * (j % 3 == 0));
    for (c = 3; c-- > 0;)
      u[m + c] += 1e-3 * u[c];
  }
#pragma endscop
}

int main(int argc, char **argv)
{
  int T = argc > 1 ? atoi(argv[1]) : 3;
  size_t n = argc > 2 ? atoi(argv[2]) : 4, m = argc > 3 ? atoi(argv[3]) : 4;
  double *u = calloc((n + 3) * (m + 3), sizeof(double)), *v = calloc((n + 3) * (m + 3), sizeof(double));
  for (size_t k = 0; k < n * m; k++)
    u[k] = v[k] = k * 31 % 17;
  relax(T, n, m, u, v);
  for (size_t k = 0; k < n * m; k++)
    printf("%.17g\n", u[k]);
  return 0;
}
