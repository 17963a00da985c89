// Functions that look at a neighbour only where there is one, called in expressions: by if and +=, by returns, twice in one statement, for the
// first value of a variable, at places that are computed, and in one another.
// RUN 0 5 7 | 1 7 7 | 6 5 3 | 3 30 41 | 2 2 9 | 5 33 4 | 4 13 17 | 3 2 2 | 3 1 1
#include <stdio.h>
#include <stdlib.h>

static double next(void)
{
  static unsigned long s = 12345;
  s = s * 6364136223846793005ul + 1442695040888963407ul;
  return (double)(s >> 33) / (1ul << 31);
}

/* backward differences, with nothing beyond the border */
static inline float divergence(const double *px, const double *py, size_t x, size_t y, size_t w, size_t h)
{
  size_t k = y * w + x;
  float d = 0.0f;
  if (x < w - 1) d += px[k];
  if (x > 0)     d -= px[k - 1];
  if (y < h - 1) d += py[k];
  if (y > 0)     d -= py[k - w];
  return d;
}

/* what lies to the east, mirrored at the border */
static double east(const double *u, size_t x, size_t y, size_t w)
{
  if (x == w - 1)
    return -u[y * w + x];
  return u[y * w + x + 1];
}

static double slope(const double *u, size_t x, size_t y, size_t w)
{
  double d = east(u, x, y, w);
  if (x > 0)
    d = d - 0.5 * u[y * w + x - 1];
  return d;
}

static void step(int T, size_t w, size_t h, double *restrict px, double *restrict py, double *restrict v)
{
#pragma scop
  for (int t = 0; t < T; t++) {
    for (size_t y = 0; y < h; y++)
      for (size_t x = 0; x < w; x++)
        v[y * w + x] = 0.25 * divergence(px, py, x, y, w, h) - 0.125 * v[y * w + x];
    for (size_t y = 0; y < h; y++)
      for (size_t x = 0; x < w; x++) {
        double a = 0.5 * slope(v, x, y, w) + east(v, x, y, w);
        px[y * w + x] = 0.5 * px[y * w + x] + 0.25 * a;
      }
    for (size_t y = 1; y < h; y++)
      for (size_t x = 0; x < w; x++)
        py[y * w + x] += 0.125 * (east(v, x, y - 1, w) + east(v, x, y, w));
  }
#pragma endscop
}

int main(int argc, char **argv)
{
  int T = argc > 1 ? atoi(argv[1]) : 3, w = argc > 2 ? atoi(argv[2]) : 4, h = argc > 3 ? atoi(argv[3]) : 5;
  double *a[3];
  for (int k = 0; k < 3; k++) {
    a[k] = malloc(sizeof(double) * w * h);
    for (int i = 0; i < w * h; i++)
      a[k][i] = next();
  }
  step(T, w, h, a[0], a[1], a[2]);
  for (int i = 0; i < w * h; i++)
    printf("%a %a %a\n", a[0][i], a[1][i], a[2][i]);
  return 0;
}
