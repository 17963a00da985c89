// A square torus in planes of one block, by remainders along one side and choices along the other. What they are for one point, where both
// ends are that, is not known, and of no use: the function has nothing to do then.
// RUN 0 5 | 2 2 | 6 3 | 7 33 | 5 24 | 3 9 | 9 5
#include <stdio.h>
#include <stdlib.h>
#define AT(i, j) ((i) * n + (j))

static void step(int n, float *now, float *next, float *old)
{
  for (size_t i = 0; i < (size_t)n; ++i)
    for (size_t j = 0; j < (size_t)n; ++j) {
      size_t north = (i - 1 + n) % n, south = (i + 1) % n, west = j == 0 ? (size_t)n - 1 : j - 1, east = j == (size_t)n - 1 ? 0 : j + 1;
      float sum = now[AT(north, j)] + now[AT(south, j)] + now[AT(i, west)] + now[AT(i, east)] + now[AT(north, west)] + now[AT(north, east)] + now[AT(south, west)] + now[AT(south, east)];
      next[AT(i, j)] = 1.9f * now[AT(i, j)] - old[AT(i, j)] + 0.05f * (sum - 8 * now[AT(i, j)]);
    }
}

static void run(int n, float *u, int T)
{
  if (n < 2)
    return;
#pragma scop
  for (int t = 0; t < T; t++)
    step(n, &u[t % 3 * n * n], &u[(t + 1) % 3 * n * n], &u[(t + 2) % 3 * n * n]);
#pragma endscop
}

int main(int argc, char **argv)
{
  int T = argc > 1 ? atoi(argv[1]) : 3, n = argc > 2 ? atoi(argv[2]) : 6;
  float *u = malloc(sizeof(float) * (3 * n * n + 1));
  for (int k = 0; k < 3 * n * n; k++)
    u[k] = k % 17;
  run(n, u, T);
  for (int k = 0; k < 3 * n * n; k++)
    printf("%a\n", u[k]);
  printf("%d\n", n);
  return 0;
}
