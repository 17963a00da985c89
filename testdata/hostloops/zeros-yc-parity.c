/* Planes that take turns by way of a local variable, by bits of the one before: the loop ends by the greatest change. */
// RUN 17 40 | 40 90 | 5 200 | 3 0
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
  int n = argc > 1 ? atoi(argv[1]) : 40, steps = argc > 2 ? atoi(argv[2]) : 90, cur = 0, at = 1, it = 0;
  double u[2][302], v[2][302], res = 1;
  memset(u, 0, sizeof u);
  memset(v, 0, sizeof v);
  u[0][0] = u[1][0] = v[0][0] = v[1][0] = 1;
#pragma scop
  while (res > 1e-3 && it < steps) {
    int next = cur ^ 1;
    res = 0;
    for (int i = 1; i <= n; i++) {
      u[next][i] = 0.5 * (u[cur][i - 1] + u[cur][i + 1]);
      double d = fabs(u[next][i] - u[cur][i]);
      if (d > res)
        res = d;
    }
    cur = next;
    it++;
  }
  for (int t = 0; t < steps; t++) {
    int to = !at;
    res = 0;
    for (int i = 1; i <= n; i++) {
      v[to][i] = 0.5 * (v[at][i - 1] + v[at][i + 1]) + u[cur][i];
      res = fmax(res, fabs(v[to][i] - v[at][i]));
    }
    at = to;
    if (res < 1e-2)
      break;
  }
#pragma endscop
  printf("%d %d %d %.17g\n", it, cur, at, res);
  for (int i = 0; i < n + 2; i++)
    printf("%.17g %.17g %.17g %.17g\n", u[0][i], u[1][i], v[0][i], v[1][i]);
  return 0;
}
