// A region inside of a time loop that holds nothing but calls of functions with nests, which call a function with indices that are set under
// conditions: around a torus, twice in one expression.
// RUN 0 5 | 1 7 | 6 3 | 3 20 | 2 2 | 4 13
#include <stdio.h>
#include <stdlib.h>

static double next(void)
{
  static unsigned long s = 12345;
  s = s * 6364136223846793005ul + 1442695040888963407ul;
  return (double)(s >> 33) / (1ul << 31);
}

enum { NX = 24, NY = 19 };

static double laplacian(const double c[][NX], int x, int y)
{
  int xp, xn, yp, yn;
  int nx = (int)NX - 1, ny = NY - 1;

  xp = x + 1;
  xn = x - 1;
  yp = y + 1;
  yn = y - 1;

  if (xp > nx) xp = 0;
  if (yp > ny) yp = 0;
  if (xn < 0)  xn = nx;
  if (yn < 0)  yn = ny;

  double cxx = c[y][xp] + c[y][xn] - 2.0 * c[y][x];
  double cyy = c[yp][x] + c[yn][x] - 2.0 * c[y][x];
  return cxx + cyy;
}

static void potential(const double c[][NX], double mu[][NX], double gamma)
{
  for (int y = 0; y < NY; y++)
    for (int x = 0; x < NX; x++)
      mu[y][x] = 0.125 * c[y][x] * c[y][x] - gamma * laplacian(c, x, y) * laplacian(c, x, y);
}

static void diffuse(double c[][NX], const double mu[][NX], double dt)
{
  for (int y = 0; y < NY; y++)
    for (int x = 0; x < NX; x++)
      c[y][x] = 0.5 * c[y][x] + dt * laplacian(mu, x, y);
}

static void step(double c[restrict NY][NX], double mu[restrict NY][NX], int n)
{
#pragma scop
  potential(c, mu, 0.01 * n);
  diffuse(c, mu, 0.0625);
#pragma endscop
}

int main(int argc, char **argv)
{
  int T = argc > 1 ? atoi(argv[1]) : 3, n = argc > 2 ? atoi(argv[2]) : 4;
  static double a[NY][NX], b[NY][NX];
  for (int i = 0; i < NY; i++)
    for (int j = 0; j < NX; j++)
      a[i][j] = next();
  for (int t = 0; t <= T; t++)
    step(a, b, n);
  for (int i = 0; i < NY; i++)
    for (int j = 0; j < NX; j++)
      printf("%a %a\n", a[i][j], b[i][j]);
  return 0;
}
