// What the programs on two squares of n times n points have alike: solve() runs at most T steps, and returns how many it ran.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static int solve(int T, int n, double (*a)[n], double (*b)[n], double tol, double *last);

static double next(void)
{
  static unsigned long s = 12345;
  s = s * 6364136223846793005ul + 1442695040888963407ul;
  return (double)(s >> 33) / (1ul << 31);
}

int main(int argc, char **argv)
{
  int T = argc > 1 ? atoi(argv[1]) : 3, n = argc > 2 ? atoi(argv[2]) : 4;
  double tol = argc > 3 ? atof(argv[3]) : 0.001, last = -1;
  double (*a)[n] = malloc(sizeof(double) * n * n), (*b)[n] = malloc(sizeof(double) * n * n);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      a[i][j] = next(), b[i][j] = a[i][j];
  int steps = solve(T, n, a, b, tol, &last);
  printf("%d steps, %a\n", steps, last);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      printf("%a %a\n", a[i][j], b[i][j]);
  return 0;
}
