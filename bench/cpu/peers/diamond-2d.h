/* Diamond tiles of a stencil on a plane that reaches R points a step, as Pluto makes them: hyperplanes R*t + i and R*t - i, which make
   the diamonds, and R*t + j, along which the tiles of a diamond lean. Diamonds of equal D1 + D2 depend on none of each other and run
   in parallel. In a tile loops are in the order t, i, j, so that rows run in vectors. The includer defines R and

     row(n, t, p, i, lo, hi): the points lo <= j <= hi of row i at step t

   Diamonds have size[0] points along each edge and tiles size[1] along a row. */
#include "diamond.h"

void diamond(long n, long T, double *p, const long *size)
{
  const long B = size[0], W = size[1], first = R, last = n - 1 - R;
  for (long wave = -1; wave <= down(2 * R * (T - 1), B); wave++) {
    const long t0 = most(0, up(wave * B, 2 * R)), t1 = least(T - 1, down((wave + 2) * B - 2, 2 * R));
#pragma omp parallel for schedule(static)
    for (long d1 = up(wave + up(2 * first + 1, B) - 1, 2); d1 <= down(wave + down(2 * last + B - 1, B), 2); d1++) {
      const long d2 = wave - d1;
      for (long s1 = down(R * t0 + first, W); s1 <= down(R * t1 + last, W); s1++)
        for (long t = t0; t <= t1; t++) {
          const long i0 = most(first, most(d1 * B - R * t, R * t - (d2 + 1) * B + 1));
          const long i1 = least(last, least((d1 + 1) * B - 1 - R * t, R * t - d2 * B));
          const long lo = most(first, s1 * W - R * t), hi = least(last, (s1 + 1) * W - 1 - R * t);
          for (long i = i0; i <= i1; i++)
            row(n, t, p, i, lo, hi);
        }
    }
  }
}
