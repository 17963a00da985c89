/* Diamond tiles of a stencil in space that reaches R points a step: as in diamond-2d.h, with hyperplanes R*t + j and R*t + k along which
   the tiles of a diamond lean. The includer defines R and

     row(n, t, p, i, j, lo, hi): the points lo <= k <= hi of row i, j at step t

   Diamonds have size[0] points along each edge, tiles size[1] rows and size[2] along a row. */
#include "diamond.h"

void diamond(long n, long T, double *p, const long *size)
{
  const long B = size[0], W1 = size[1], W2 = size[2], first = R, last = n - 1 - R;
  for (long wave = -1; wave <= down(2 * R * (T - 1), B); wave++) {
    const long t0 = most(0, up(wave * B, 2 * R)), t1 = least(T - 1, down((wave + 2) * B - 2, 2 * R));
#pragma omp parallel for schedule(static)
    for (long d1 = up(wave + up(2 * first + 1, B) - 1, 2); d1 <= down(wave + down(2 * last + B - 1, B), 2); d1++) {
      const long d2 = wave - d1;
      for (long s1 = down(R * t0 + first, W1); s1 <= down(R * t1 + last, W1); s1++)
        for (long s2 = down(R * t0 + first, W2); s2 <= down(R * t1 + last, W2); s2++)
          for (long t = t0; t <= t1; t++) {
            const long i0 = most(first, most(d1 * B - R * t, R * t - (d2 + 1) * B + 1));
            const long i1 = least(last, least((d1 + 1) * B - 1 - R * t, R * t - d2 * B));
            const long j0 = most(first, s1 * W1 - R * t), j1 = least(last, (s1 + 1) * W1 - 1 - R * t);
            const long lo = most(first, s2 * W2 - R * t), hi = least(last, (s2 + 1) * W2 - 1 - R * t);
            for (long i = i0; i <= i1; i++)
              for (long j = j0; j <= j1; j++)
                row(n, t, p, i, j, lo, hi);
          }
    }
  }
}
