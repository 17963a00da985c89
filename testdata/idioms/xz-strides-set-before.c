// A volume with one subscript, whose plane and number of elements main computes in front of the region, after it has read the sizes; a source and
// a receiver in its midst, whose subscripts it computes there, too. What they are made of changes behind the region.
// RUN 4 9 8 7 | 0 5 4 3 | 1 3 3 3 | 3 3 4 5 | 5 11 3 17 | 7 20 13 9 | 2 33 5 6 | 2 3 3 30
#include <stdio.h>
#include <stdlib.h>

#define AT(d) (p[at + (d)] + p[at - (d)])

static void fill(size_t count, float *prev, float *next, float *damp)
{
  for (size_t k = 0; k < count; k++) {
    prev[k] = (k * 7919 + 13) % 251 / 251.0f;
    next[k] = (k * 104729 + 5) % 241 / 241.0f;
    damp[k] = 1 - (k % 7) / 70.0f;
  }
}

int main(int argc, char **argv)
{
  int n1 = 7, n2 = 8, n3 = 9, steps = 4;
  if (argc > 4) {
    steps = atoi(argv[1]);
    n3 = atoi(argv[2]);
    n2 = atoi(argv[3]);
    n1 = atoi(argv[4]);
  }
  if (n1 < 3 || n2 < 3 || n3 < 3)
    return 1;
  int n1n2;
  const size_t size = (size_t)n1 * n2 * n3;
  n1n2 = n1 * n2;
  float *prev = malloc(size * sizeof(float)), *next = malloc(size * sizeof(float)), *damp = malloc(size * sizeof(float));
  float *trace = malloc((size_t)steps * sizeof(float) + 1);
  fill(size, prev, next, damp);
  const size_t source = (size_t)(n3 / 3) * n1n2 + (size_t)(n2 / 2) * n1 + n1 / 2;
  const int receiver = (2 * n3 / 3) * n1n2 + (n2 / 3) * n1 + n1 / 4;

#pragma scop
  for (int it = 0; it < steps; it++) {
    float *p = prev;
    for (int iz = 1; iz < n3 - 1; iz++)
      for (int iy = 1; iy < n2 - 1; iy++)
        for (int ix = 1; ix < n1 - 1; ix++) {
          int at = iz * n1n2 + iy * n1 + ix;
          next[at] = 2.0f * p[at] - next[at] + 0.1f * (AT(1) + AT(n1) + AT(n1n2) - 6.0f * p[at]);
        }
    for (size_t k = 0; k < size; k++) {
      next[k] *= damp[k];
      prev[k] *= damp[k];
    }
    next[source] += 0.5f / (it + 1);
    trace[it] = next[receiver];
    float *swap = prev;
    prev = next;
    next = swap;
  }
#pragma endscop

  for (size_t k = 0; k < size; k++)
    printf("%a %a\n", prev[k], next[k]);
  for (int it = 0; it < steps; it++)
    printf("%a\n", trace[it]);
  n1 = n2 = 0;
  return n1 + n2;
}
