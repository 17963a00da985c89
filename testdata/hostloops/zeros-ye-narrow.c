/* Counters of few bits that begin again, beside a time that is added up: what they are at each step is computed before. */
// RUN 40 600 | 17 10 | 40 0
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
  int n = argc > 1 ? atoi(argv[1]) : 40, steps = argc > 2 ? atoi(argv[2]) : 10;
  double *u = calloc(n + 2, sizeof *u), *v = calloc(n + 2, sizeof *v), t = 0;
  unsigned char tick = 250;
  signed char down = -120;
#pragma scop
  for (int k = 0; k < steps; k++) {
    u[0] = (int)t % 8;
    u[n + 1] = tick < 5 ? 1 : down;
    for (int i = 1; i <= n; i++)
      v[i] = u[i] + 0.3 * (u[i + 1] - 2 * u[i] + u[i - 1]);
    for (int i = 1; i <= n; i++)
      u[i] = v[i];
    t += 0.37;
    tick++;
    down -= 3;
    v[0] = tick;
  }
#pragma endscop
  printf("%d %d %.17g\n", tick, down, t);
  for (int i = 0; i < n + 2; i++)
    printf("%.17g %.17g\n", u[i], v[i]);
  return 0;
}
