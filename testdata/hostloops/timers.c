// Calls of which nothing is known, for the value of a scalar: a timer that starts after the first step, one read every few steps, a number drawn at
// certain steps that later steps use; and nests in the branches of a flag, one of them in blocks. And one that is called at every step.
// RUN 0 5 0 | 1 7 0 | 6 9 3 | 30 41 0 | 20 19 4 | 13 8 100
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define MIN(a, b) ((a) < (b) ? (a) : (b))

static void init(int n, double *u)
{
  for (int i = 0; i < n * n; i++)
    u[i] = (i * 7919 % 101) / 101.0;
}

int main(int argc, char **argv)
{
  int T = argc > 1 ? atoi(argv[1]) : 10, n = argc > 2 ? atoi(argv[2]) : 20, size = argc > 3 ? atoi(argv[3]) : 0, blocks = size > 0, i, j, ib, jb, t;
  double *in = malloc(sizeof(double) * n * n), *out = malloc(sizeof(double) * n * n);
  double began = 0, passed = 0, drawn = 0;
  int ticks = 0;

  init(n, in);
  init(n, out);
  srand(7);
#pragma scop
  for (t = 0; t <= T; t++) {
    if (t == 1)
      began = (double)clock();
    if (t % 5 == 4) {
      passed = (double)clock() - began;
      drawn = rand() % 10 / 10.0;
    }
    if (!blocks) {
      for (i = 1; i < n - 1; i++)
        for (j = 1; j < n - 1; j++)
          out[i * n + j] = 0.25 * (in[(i - 1) * n + j] + in[(i + 1) * n + j]) + 0.5 * in[i * n + j];
    } else {
      for (ib = 1; ib < n - 1; ib += size)
        for (jb = 1; jb < n - 1; jb += size)
          for (i = ib; i < MIN(ib + size, n - 1); i++)
            for (j = jb; j < MIN(jb + size, n - 1); j++)
              out[i * n + j] = 0.25 * (in[i * n + j - 1] + in[i * n + j + 1]) + 0.5 * in[i * n + j];
    }
    for (i = 0; i < n; i++)
      for (j = 0; j < n; j++)
        in[i * n + j] = out[i * n + j] + 0.125;
  }
#pragma endscop
  passed = (double)clock() - began;
  printf("%d %g\n", passed < 0, drawn);

#pragma scop
  for (t = 0; t < T; t++) {
    const int draw = rand() % 3;
    ticks += draw;
    for (i = 1; i < n - 1; i++)
      for (j = 1; j < n - 1; j++)
        out[i * n + j] = 0.25 * (in[(i - 1) * n + j] + in[(i + 1) * n + j]) + 0.5 * in[i * n + j] * draw;
    for (i = 0; i < n; i++)
      for (j = 0; j < n; j++)
        in[i * n + j] = out[i * n + j] + 0.125;
  }
#pragma endscop
  printf("%d\n", ticks);
  for (i = 0; i < n * n; i++)
    printf("%a %a\n", in[i], out[i]);
  return 0;
}
