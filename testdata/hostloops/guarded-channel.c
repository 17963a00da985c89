// A channel between walls, in a function that is called twice: flags of its first and last rows keep reads inside of the arrays.
// RUN 0 5 4 | 1 7 3 | 6 4 9 | 20 30 5 | 3 4 2 | 13 33 17 | 2 4 6 | 7 64 65 | 5 3 3
#include <stdio.h>
#include <stdlib.h>

typedef struct { int nx, ny; double rate; } channel;

#define WALL 4

static double next(void)
{
  static unsigned long s = 12345;
  s = s * 6364136223846793005ul + 1442695040888963407ul;
  return (double)(s >> 33) / (1ul << 31);
}

static void collide(channel *c, const double *f, double *g, const unsigned *flags)
{
  const double omega = c->rate / 2;
  for (int j = 0; j < c->ny; j++)
    for (int i = 0; i < c->nx; i++) {
      int east = i < c->nx - 1 ? i + 1 : 0;
      int flag = flags[j * c->nx + i];
      if (flag & WALL) {
        g[j * c->nx + i] = f[j * c->nx + i];
        continue;
      }
      double mean = (f[(j - 2) * c->nx + i] + f[(j + 1) * c->nx + east] + f[j * c->nx + east]) / 3;
      g[j * c->nx + i] = f[j * c->nx + i] + omega * (mean - f[j * c->nx + i]);
    }
}

int main(int argc, char **argv)
{
  int T = argc > 1 ? atoi(argv[1]) : 3;
  channel c = {argc > 3 ? atoi(argv[3]) : 5, argc > 2 ? atoi(argv[2]) : 4, 0.3};
  int n = c.nx * c.ny;
  double *f = malloc(sizeof(double) * n), *g = malloc(sizeof(double) * n);
  unsigned *flags = malloc(sizeof(unsigned) * n);
  for (int k = 0; k < n; k++) {
    f[k] = g[k] = next();
    flags[k] = k / c.nx < 2 || k / c.nx == c.ny - 1 || next() < 0.1 ? WALL | 1 : 2;
  }
#pragma scop
  for (int t = 0; t < T; t += 2) {
    collide(&c, f, g, flags);
    collide(&c, g, f, flags);
  }
#pragma endscop
  for (int k = 0; k < n; k++)
    printf("%a %a\n", f[k], g[k]);
  return 0;
}
