/* Iterations that end by a return, or by a break that is not the only statement of its branch; what a step sets behind that is there after the loop. */
// RUN 5 300 | 17 300 | 40 20 | 40 900 | 17 0
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define M 64
static double A[M][M], B[M][M], last;

static int relax(int n, int most, double tol, double *out)
{
  int it, i, j;
  double d = -1;
#pragma scop
  for (it = 0; it < most; it++) {
    d = 0;
    for (i = 1; i < n - 1; i++)
      for (j = 1; j < n - 1; j++)
        B[i][j] = 0.25 * (A[i - 1][j] + A[i + 1][j] + A[i][j - 1] + A[i][j + 1]);
    for (i = 1; i < n - 1; i++)
      for (j = 1; j < n - 1; j++) {
        if (fabs(B[i][j] - A[i][j]) > d)
          d = fabs(B[i][j] - A[i][j]);
        A[i][j] = B[i][j];
      }
    if (d < tol) {
      *out = d;
      return it;
    }
  }
#pragma endscop
  *out = d;
  return -1;
}

/* What the branch sets is behind what the steps before it did. */
static double damped(int n, int most, double tol, double *restrict u, double *restrict v)
{
#pragma scop
  for (int it = 0; it < most; it++) {
    double d = 0;
    for (int i = 1; i < n - 1; i++)
      v[i] = 0.25 * (u[i - 1] + 2 * u[i] + u[i + 1]);
    for (int i = 1; i < n - 1; i++) {
      d = fmax(d, fabs(v[i] - u[i]));
      u[i] = v[i];
    }
    if (it == most - 2)
      return it + 0.5;
    if (d < tol) {
      double sum = d + it;
      u[1] = u[2] + sum;
      printf("ends at %d\n", it);
      return sum * u[1];
    }
  }
#pragma endscop
  return -1;
}

/* The error of the step before the last one. */
static void before(int n, int most, double tol, double *restrict u, double *restrict v)
{
  double d = 0, was = -1;
  int it;
#pragma scop
  for (it = 0; it < most; it++) {
    d = 0;
    for (int i = 1; i < n - 1; i++)
      v[i] = 0.25 * (u[i - 1] + 2 * u[i] + u[i + 1]);
    for (int i = 1; i < n - 1; i++) {
      d = fmax(d, fabs(v[i] - u[i]));
      u[i] = v[i];
    }
    if (d < tol)
      break;
    was = d;
    last = 2 * d;
  }
#pragma endscop
  printf("before %d %.17g %.17g %.17g\n", it, d, was, last);
}

static void print(const char *name, const double *u, int size)
{
  double sum = 0;
  for (int i = 0; i < size; i++)
    sum += u[i] * (i * 7 % 13 + 1);
  printf("%s %.17g\n", name, sum);
}

int main(int argc, char **argv)
{
  int n = argc > 1 ? atoi(argv[1]) : 40, most = argc > 2 ? atoi(argv[2]) : 500;
  double out = 0, tols[] = {0.5, 0.1, 0.003}, *u = malloc(n * sizeof *u), *v = malloc(n * sizeof *v);
  for (int i = 0; i < n; i++)
    A[0][i] = 10;
  for (int k = 0; k < 3; k++) {
    int it = relax(n, most, tols[k], &out);
    printf("%d %.17g\n", it, out);
    print("A", A[0], M * M);
    for (int i = 0; i < n; i++)
      u[i] = v[i] = i * 37 % 11;
    double x = damped(n, most, tols[k], u, v);
    printf("%.17g\n", x);
    print("damped", u, n);
    for (int i = 0; i < n; i++)
      u[i] = v[i] = i * 37 % 11;
    before(n, most, tols[k], u, v);
    print("u", u, n);
  }
  free(u);
  free(v);
  return 0;
}
