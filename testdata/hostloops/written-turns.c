// Levels that take turns, named by variables that each step declares and used through a macro, with lines printed now and then.
// RUN 20 10 | 3 4 | 9 1 | 14 0 | 33 13
#include <stdio.h>
#include <stdlib.h>

#define U(l, i, j) u[((l) * n + (i)) * n + (j)]

static void leapfrog(int n, int T, int every, double *u)
{
#pragma scop
  for (int t = 1; t <= T; t++) {
    int now = t % 3, next = (t + 1) % 3, old = (t + 2) % 3;
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        U(next, i, j) = 2 * U(now, i, j) - U(old, i, j)
                        + 0.2 * (U(now, i + 1, j) + U(now, i - 1, j) + U(now, i, j + 1) + U(now, i, j - 1) - 4 * U(now, i, j));
    if (t % every == 0)
      printf("step %d: %a\n", t, U(next, n / 2, n / 2));
  }
#pragma endscop
}

/* The nest itself names a level, beside the macro. */
static void relax(int n, int T, double *u)
{
  double change = 1;
#pragma scop
  for (int t = 0; t < T && change > 1e-3; t++) {
    const int from = t % 2;
    const int to = 1 - from;
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        u[(to * n + i) * n + j] = 0.25 * (U(from, i + 1, j) + U(from, i - 1, j) + U(from, i, j + 1) + U(from, i, j - 1));
    change = 0;
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        change += (U(to, i, j) - U(from, i, j)) * (U(to, i, j) - U(from, i, j));
  }
#pragma endscop
  printf("change %a\n", change);
}

int main(int argc, char **argv)
{
  int n = argc > 1 ? atoi(argv[1]) : 20, T = argc > 2 ? atoi(argv[2]) : 10;
  double *u = calloc(3 * n * n, sizeof *u);
  for (int i = 1; i < n - 1; i++)
    for (int j = 1; j < n - 1; j++)
      U(0, i, j) = U(1, i, j) = 0.1 * ((i * 3 + j * 5) % 7);
  leapfrog(n, T, 4, u);
  relax(n, T, u);
  for (int k = 0; k < 3 * n * n; k++)
    printf("%a\n", u[k]);
  free(u);
  return 0;
}
