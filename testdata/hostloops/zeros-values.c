// Numbers that only the last step needs, whose computation does more: functions that relax a grid, count their calls and print, and assignments in expressions.
// RUN 5 4 | 20 3 | 9 1 | 33 9 | 6 0
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

double p[64][64], q[64][64], f[64][64];
int calls, steps;

static double relax(int n)
{
  double change = 0;
  for (int i = 1; i < n - 1; i++)
    for (int j = 1; j < n - 1; j++) {
      double r = 0.25 * (p[i - 1][j] + p[i + 1][j] + p[i][j - 1] + p[i][j + 1]) - p[i][j] + f[i][j];
      change += r * r;
      p[i][j] += r;
    }
  return sqrt(change);
}

static double count(void)
{
  calls++;
  return 0.5 * calls;
}

static double report(void) { return printf("step %d\n", calls); }

static void average(int n)
{
  for (int i = 1; i < n - 1; i++)
    for (int j = 1; j < n - 1; j++)
      q[i][j] = 0.25 * (p[i - 1][j] + p[i + 1][j] + p[i][j - 1] + p[i][j + 1]);
  for (int i = 1; i < n - 1; i++)
    for (int j = 1; j < n - 1; j++)
      p[i][j] = q[i][j];
}

int main(int argc, char **argv)
{
  int n = argc > 1 ? atoi(argv[1]) : 20, T = argc > 2 ? atoi(argv[2]) : 9;
  double d = 0, e = 1, factor = 1;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      p[i][j] = (i * 13 + j * 7) % 17 / 17.0;
#pragma scop
  for (int t = 0; t < T; t++) {
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        f[i][j] = 0.1 * p[i][j];
    d = relax(n);
  }
  for (int t = 0; t < T; t++) {
    average(n);
    e = 1 + count();
  }
  for (int t = 0; t < T; t++) {
    average(n);
    double printed = report();
    e = e > 1e9 ? printed : d;
  }
  for (int t = 0; t < T; t++) {
    average(n);
    double both[2] = {relax(n), 2};
    e = both[0] * both[1];
  }
  for (int t = 0; t < T; t++) {
    average(n);
    e = steps++;
  }
  for (int t = 0; t < T; t++) {
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        q[i][j] = factor * (p[i - 1][j] + p[i][j]);
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        p[i][j] = q[i][j];
    d = factor = 1.0 / (t + 2);
  }
#pragma endscop
  printf("%.17g %.17g %.17g %d %d\n", d, e, factor, calls, steps);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      printf("%.17g\n", p[i][j]);
  return 0;
}
