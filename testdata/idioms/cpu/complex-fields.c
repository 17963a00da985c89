// Complex fields: a Ginzburg-Landau equation in double complex, and a wave function in float complex with a potential that is real.
// RUN 0 5 9 | 1 7 4 | 4 23 17 | 5 9 40 | 3 3 3 | 6 13 12
#include <complex.h>
#include <stdio.h>
#include <stdlib.h>

typedef double complex amplitude;

static void evolve(int T, int n, int m, amplitude (*restrict a)[n][m], float complex (*restrict psi)[n][m], const float (*restrict v)[m], double dt, amplitude beta)
{
#pragma scop
  for (int t = 0; t < T; t++) {
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < m - 1; j++) {
        amplitude z = a[t % 2][i][j];
        amplitude laplacian = a[t % 2][i - 1][j] + a[t % 2][i + 1][j] + a[t % 2][i][j - 1] + a[t % 2][i][j + 1] - 4 * z;
        double r2 = creal(z) * creal(z) + cimag(z) * cimag(z);
        if (z == 0)
          z = 1e-3 * I;
        a[(t + 1) % 2][i][j] = z + dt * (z + (1 + 0.5 * I) * laplacian - beta * r2 * z) + (cabs(z) > 2 ? conj(z) * 1e-3 : 0);
      }
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < m - 1; j++) {
        float complex h = -0.5f * (psi[t % 2][i - 1][j] + psi[t % 2][i + 1][j] + psi[t % 2][i][j - 1] + psi[t % 2][i][j + 1] - 4 * psi[t % 2][i][j])
                          + v[i][j] * psi[t % 2][i][j];
        psi[(t + 1) % 2][i][j] = psi[t % 2][i][j] - I * 0.01f * h + 0.001f * cexpf(I * crealf(h)) / (2 + I);
        psi[(t + 1) % 2][i][j] *= 1 - 1e-3;
      }
  }
#pragma endscop
}

int main(int argc, char **argv)
{
  int T = argc > 1 ? atoi(argv[1]) : 3, n = argc > 2 ? atoi(argv[2]) : 8, m = argc > 3 ? atoi(argv[3]) : 8;
  amplitude (*a)[n][m] = malloc(2 * sizeof *a);
  float complex (*psi)[n][m] = malloc(2 * sizeof *psi);
  float (*v)[m] = malloc(n * sizeof *v);
  unsigned s = 1;
  for (int k = 0; k < 2 * n * m; k++) {
    s = s * 1103515245 + 12345;
    a[0][0][k] = (s >> 8) / 16777216. + I * ((s >> 4 & 1023) / 511. - 1);
    psi[0][0][k] = (s >> 12) / 1048576.f - (s >> 3 & 511) * I / 511.f;
    if (k % 7 == 0)
      a[0][0][k] = 0;
    if (k < n * m)
      v[0][k] = (s >> 16 & 15) / 16.f;
  }
  evolve(T, n, m, a, psi, v, 0.01, 1 + 0.3 * I);
  for (int k = 0; k < 2 * n * m; k++)
    printf("%.17g %.17g %.9g %.9g\n", creal(a[0][0][k]), cimag(a[0][0][k]), crealf(psi[0][0][k]), cimagf(psi[0][0][k]));
  free(a);
  free(psi);
  free(v);
  return 0;
}
