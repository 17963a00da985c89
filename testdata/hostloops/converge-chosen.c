// Each step chooses, by its number, from which array to which it goes; the norm ends the loop.
// RUN 0 5 0.1 | 1 7 0.01 | 6 3 0 | 40 30 0 | 300 17 0.01 | 130 33 0.001 | 5 1 0.1 | 77 24 0
#include "square.h"

struct grid { double *now, *then; };

static int solve(int T, int n, double (*u)[n], double (*unew)[n], double tol, double *last)
{
  double change = 1;
  int it = 0;
#pragma scop
  while (change > tol && it < T) {
    double (*from)[n] = it % 2 ? unew : u, (*to)[n] = it % 2 ? u : unew;
    change = 0;
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++) {
        to[i][j] = from[i][j] + 0.2 * (from[i - 1][j] + from[i + 1][j] + from[i][j - 1] + from[i][j + 1] - 4 * from[i][j]);
        change = fmax(change, fabs(to[i][j] - from[i][j]));
      }
    it++;
  }
#pragma endscop
  *last = change + (n > 0 ? u[0][0] - unew[n - 1][n - 1] : 0);
  struct grid grid = {&u[0][0], &unew[0][0]}, *g = &grid;
  double err = 1;
  int t = 0;
#pragma scop
  while (err > tol && t < T) {
    double *src = t % 2 ? g->then : g->now, *dst = t % 2 ? g->now : g->then;
    err = 0;
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++) {
        dst[i * n + j] = 0.25 * (src[(i - 1) * n + j] + src[(i + 1) * n + j] + src[i * n + j - 1] + src[i * n + j + 1]);
        err = fmax(err, fabs(dst[i * n + j] - src[i * n + j]));
      }
    t++;
  }
#pragma endscop
  *last += err + t;
  return it;
}
