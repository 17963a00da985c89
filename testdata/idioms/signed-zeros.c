// Values cut off at zero, as a solver does that must not go below it, where zeros have signs: -0.0 < 0 is false.
// RUN 4 31 | 0 8 | 1 1 | 9 2 | 5 40 | 12 70
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static void step(int steps, int n, float u[restrict 2][n], double v[restrict 2][n])
{
#pragma scop
  for (int t = 0; t < steps; t++)
    for (int i = 1; i < n - 1; i++) {
      float c = (u[t % 2][i - 1] - u[t % 2][i + 1]) * 0.5f, d = c;
      double e = v[t % 2][i - 1] * 0.25;
      float z = u[t % 2][i] * 0.0f;
      if (d < 0)
        d = 0;
      else if (d > 1)
        d = 1;
      u[(t + 1) % 2][i] = 1 - d - (c < 0 ? 0 : c) + (0 > c ? c : 0) - (d > 0 ? d : -0.0f);
      v[(t + 1) % 2][i] = e + copysignf(1, z < 0 ? 0 : z) + copysignf(0.5f, 0 > z ? z : 0.0f) + copysignf(0.125f, z > 0 ? 0.0f : z);
    }
#pragma endscop
}

int main(int argc, char **argv)
{
  int steps = argc > 1 ? atoi(argv[1]) : 4, n = argc > 2 ? atoi(argv[2]) : 31;
  float *u = malloc(sizeof(float) * (2 * n + 1));
  double *v = malloc(sizeof(double) * (2 * n + 1));
  for (int i = 0; i < 2 * n; i++) {
    u[i] = i % 5 ? 0.0f : -0.0f;
    v[i] = i % 3 ? -0.0 : 0.0;
  }
  step(steps, n, (float(*)[n])u, (double(*)[n])v);
  for (int i = 0; i < 2 * n; i++)
    printf("%a %a\n", u[i], v[i]);
  puts("done");
  free(u), free(v);
}
