// Points of two colours, one nest after the other, that end a loop by the greatest change of both, and where rows begin at a variable; an element that no loop sets; a loop that asks between the nests, too; sums over a loop of colours.
// RUN 20 9 0.01 | 3 40 0.1 | 2 1 0 | 33 170 0.001 | 7 60 0.5
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static int both(int n, int T, double (*u)[n], double tol, double *last)
{
  double err = 1;
  int k = 0;
#pragma scop
  while (err > tol && k < T) {
    err = 0;
    for (int i = 1; i < n - 1; i++)
      for (int j = 1 + i % 2; j < n - 1; j += 2) {
        double r = 0.25 * (u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1]) - u[i][j];
        u[i][j] += 1.2 * r;
        err = fmax(err, fabs(r));
      }
    for (int i = 1; i < n - 1; i++)
      for (int j = 2 - i % 2; j < n - 1; j += 2) {
        double old = u[i][j];
        u[i][j] = 0.25 * (u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1]);
        if (fabs(u[i][j] - old) > err)
          err = fabs(u[i][j] - old);
      }
    u[0][1] = 0.5 * u[1][1];
    k++;
  }
#pragma endscop
  *last = err;
  return k;
}

static int between(int n, int T, double (*u)[n], double tol, double *last)
{
  double err = 1;
  int k = 0;
#pragma scop
  for (k = 0; k < T; k++) {
    err = 0;
    for (int i = 1; i < n - 1; i++) {
      int lo = 1 + i % 2;
      for (int j = lo; j < n - 1; j += 2) {
        double old = u[i][j];
        u[i][j] = 0.25 * (u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1]);
        err = fmax(err, fabs(u[i][j] - old));
      }
    }
    if (err < 0.5 * tol)
      break;
    for (int i = 1; i < n - 1; i++) {
      int lo = 2 - i % 2, hi = n - 1;
      for (int j = lo; j < hi; j += 2) {
        double old = u[i][j];
        u[i][j] = 0.25 * (u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1]);
        err = fmax(err, fabs(u[i][j] - old));
      }
    }
    if (err < tol)
      break;
  }
#pragma endscop
  *last = err;
  return k;
}

static double sums(int n, int T, double (*u)[n])
{
  double sum = 0;
#pragma scop
  for (int t = 0; t < T; t++) {
    sum = 0;
    for (int i = 1; i < n - 1; i++)
      for (int j = 1 + i % 2; j < n - 1; j += 2) {
        double r = 0.25 * (u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1]) - u[i][j];
        u[i][j] += r;
        sum += r * r;
      }
    for (int i = 1; i < n - 1; i++)
      for (int j = 2 - (i & 1); j < n - 1; j += 2) {
        double r = 0.25 * (u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1]) - u[i][j];
        u[i][j] += r;
        sum += r * r;
      }
    printf("%.17g\n", sum);
  }
#pragma endscop
  return sum;
}

static double turns(int n, int T, double (*u)[n])
{
  double sum = 0;
#pragma scop
  for (int t = 0; t < T; t++) {
    sum = 0;
    for (int c = 0; c < 2; c++)
      for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++)
          if ((i + j) % 2 == c) {
            double old = u[i][j];
            u[i][j] = 0.25 * (u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1]);
            sum += (u[i][j] - old) * (u[i][j] - old);
          }
    printf("%.17g\n", sum);
  }
#pragma endscop
  return sum;
}

int main(int argc, char **argv)
{
  int n = (argc > 1 ? atoi(argv[1]) : 20) + 1, T = argc > 2 ? atoi(argv[2]) : 9;
  double tol = argc > 3 ? atof(argv[3]) : 0.01, last;
  double (*u)[n] = malloc(sizeof(double) * n * n);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      u[i][j] = (i * 7 + j * 3) % 11;
  int k = both(n, T, u, tol, &last);
  printf("%d %.17g\n", k, last);
  for (int i = 1; i < n - 1; i++)
    for (int j = 1; j < n - 1; j++)
      u[i][j] += (i * 5 + j) % 13;
  k = between(n, T, u, tol, &last);
  printf("%d %.17g\n", k, last);
  last = sums(n, T, u);
  printf("%.17g\n", last);
  printf("%.17g\n", turns(n, T, u));
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      printf("%.17g\n", u[i][j]);
  free(u);
  return 0;
}
