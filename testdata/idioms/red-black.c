// Successive over-relaxation in two colours, in place: loops that begin at one of two values, and a condition on a remainder.
// RUN 0 5 | 1 7 | 4 40 | 5 19 | 3 3 | 6 33 | 2 2 | 3 1
#include <stdio.h>
#include <stdlib.h>

static double next(void)
{
  static unsigned long s = 12345;
  s = s * 6364136223846793005ul + 1442695040888963407ul;
  return (double)(s >> 33) / (1ul << 31);
}

enum { RED, BLACK };

static void relax(int T, int n, double omega, double u[restrict n][n], double f[restrict n][n], int spin[restrict n][n])
{
#pragma scop
  for (int t = 0; t < T; t++) {
    for (int c = RED; c <= BLACK; c++)
      for (int i = 1; i < n - 1; i++)
        for (int j = 1 + (i + c) % 2; j < n - 1; j += 2) {
          double r = u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1] - 4 * u[i][j] - f[i][j];
          u[i][j] += 0.25 * omega * r;
        }
    for (int c = 0; c < 2; c++)
      for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++) {
          if ((i + j + c) & 1)
            continue;
          int s = spin[i - 1][j] + spin[i + 1][j] + spin[i][j - 1] + spin[i][j + 1];
          if (s != 0)
            spin[i][j] = s > 0 ? 1 : -1;
          else
            spin[i][j] = -spin[i][j];
        }
  }
#pragma endscop
}

int main(int argc, char **argv)
{
  int T = argc > 1 ? atoi(argv[1]) : 3, n = argc > 2 ? atoi(argv[2]) : 4;
  double (*u)[n] = malloc(n * sizeof *u), (*f)[n] = malloc(n * sizeof *f);
  int (*spin)[n] = malloc(n * sizeof *spin);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      u[i][j] = next();
      f[i][j] = next();
      spin[i][j] = next() < 0.5 ? -1 : 1;
    }
  relax(T, n, 1.5, u, f, spin);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      printf("%a %d\n", u[i][j], spin[i][j]);
  free(u);
  free(f);
  free(spin);
  return 0;
}
