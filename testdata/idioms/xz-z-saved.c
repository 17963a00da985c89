// Numbers at the ends of a line that a step saves before it changes them: waves that leave by both ends (Mur), one that lives on to later steps.
// RUN 0 5 | 1 3 | 2 4 | 7 23 | 31 64
#include <stdio.h>
#include <stdlib.h>

static float run(int steps, int n, float *ex, float *hy, float *probe)
{
  const float k = (0.5f - 1) / (0.5f + 1);
  float old, kept = 0.25f;
#pragma scop
  for (int t = 0; t < steps; t++) {
    for (int i = 0; i < n - 1; i++)
      hy[i] += 0.5f * (ex[i] - ex[i + 1]);
    old = ex[1];
    const float other = ex[n - 2], twice = 2 * old;
    if (t % 3 == 0)
      kept = 0.5f * ex[2] + twice;
    for (int i = 1; i < n - 1; i++)
      ex[i] += 0.5f * (hy[i - 1] - hy[i]);
    ex[0] = old + k * (ex[1] - ex[0]);
    ex[n - 1] = other + k * (ex[n - 2] - ex[n - 1]);
    ex[0] += 0.125f * kept;
    probe[t] = ex[1] - twice;
  }
#pragma endscop
  return steps > 0 ? old + kept : kept;
}

int main(int argc, char **argv)
{
  const int steps = argc > 1 ? atoi(argv[1]) : 20, n = argc > 2 ? atoi(argv[2]) : 40;
  float *ex = calloc(n, sizeof *ex), *hy = calloc(n, sizeof *hy), *probe = calloc(steps + 1, sizeof *probe);
  for (int i = 0; i < n; i++)
    ex[i] = (float)(i * 5 % 7) - 3;
  printf("%.9g\n", run(steps, n, ex, hy, probe));
  for (int t = 0; t < steps; t++)
    printf("%.9g\n", probe[t]);
  for (int i = 0; i < n; i++)
    printf("%.9g %.9g\n", ex[i], hy[i]);
  free(ex), free(hy), free(probe);
  return 0;
}
