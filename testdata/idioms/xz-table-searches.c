// Tables that are searched by loops which end by a break, where data decide when: in functions and in bodies, with what the variable is left at, down, in steps, in each other,
// and with statements before and behind the break.
// RUN 4 9 8 | 0 5 4 | 1 3 3 | 3 3 17 | 5 33 6 | 2 4 40
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define SIZE 8

static const double edge[SIZE] = {-0.5, -0.25, 0, 0.125, 0.25, 0.5, 0.75, 1.25};
static const double gain[SIZE] = {0.1, 0.2, 0.15, 0.3, 0.25, 0.1, 0.05, 0.2};
static const int weight[5] = {3, -1, 0, 2, 5};

static double conductivity(double x)
{
  int i;
  if (x <= edge[0])
    return gain[0];
  if (x >= edge[SIZE - 1])
    return gain[SIZE - 1];
  for (i = 0; i < SIZE - 2; i++)
    if (x < edge[i + 1])
      break;
  return gain[i] + (gain[i + 1] - gain[i]) * (x - edge[i]) / (edge[i + 1] - edge[i]);
}

static int steps_of(double x)
{
  int count = 0;
  for (int k = 0; k < 5; k++) {
    if (weight[k] < 0)
      continue;
    count += weight[k];
    if (x < 0.125 * count)
      break;
    else if (count > 9)
      count = 100 / weight[k];
    x -= 0.0625;
  }
  return count;
}

static void relax(int n, int m, double a[n][m], double b[n][m], int steps)
{
#pragma scop
  for (int t = 0; t < steps; t++) {
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < m - 1; j++) {
        const double c = a[i][j], d = a[i - 1][j] - a[i + 1][j];
        int k, down, odd;
        for (k = 0; k < SIZE; ++k) {
          if (c + d < edge[k])
            break;
        }
        for (down = 4; down >= 0; down--) {
          if (d > 0) {
            if (weight[down] * d > c)
              break;
            if (c > 1)
              break;
          }
        }
        for (odd = 1; odd < 1; odd += 2)
          if (c > 0)
            break;
        double far = 0;
        for (int p = 0; p < 3; p++) {
          int q;
          for (q = 1; q < SIZE; q += 3)
            if (fabs(c) < edge[q] * (p + 1))
              break;
          far += q * 0.001;
          if (far > 0.012)
            break;
          far += 0.0005;
        }
        for (int once = 0; once < 9; once++) {
          far += 0.002 * once + 0.001;
          break;
        }
        b[i][j] = c + 0.25 * conductivity(c) * (a[i][j - 1] + a[i][j + 1] - 2 * c) + 0.001 * k + 0.002 * down + 0.0001 * odd - far + 0.0003 * steps_of(c);
      }
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < m - 1; j++)
        a[i][j] = b[i][j];
  }
#pragma endscop
}

int main(int argc, char **argv)
{
  int steps = argc > 1 ? atoi(argv[1]) : 4, n = argc > 2 ? atoi(argv[2]) : 9, m = argc > 3 ? atoi(argv[3]) : 8;
  if (n < 2 || m < 2)
    return 1;
  double (*a)[m] = malloc(sizeof(double) * n * m), (*b)[m] = malloc(sizeof(double) * n * m);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      a[i][j] = b[i][j] = (i * 7919 + j * 104729) % 251 / 100.0 - 0.75;
  relax(n, m, a, b, steps);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      printf("%a\n", a[i][j]);
  free(a);
  free(b);
  return 0;
}
