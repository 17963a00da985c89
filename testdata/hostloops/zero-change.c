/* Nests that gather by how much each element has changed, or by what other iterations set: those values are known only while the nest runs. */
// RUN 30 25 | 3 3 | 4 9 | 57 31 | 16 128
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* the greatest change, in a second array */
static int jacobi(int n, int m, double a[n][m], double b[n][m], double *last)
{
  int it;
  double err = 0;
#pragma scop
  for (it = 1; it < 200; it++) {
    err = 0;
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < m - 1; j++) {
        double old = b[i][j];
        b[i][j] = 0.25 * (a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1]);
        err = fmax(err, fabs(b[i][j] - old));
      }
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < m - 1; j++)
        a[i][j] = b[i][j];
    if (err < 1e-3)
      break;
  }
#pragma endscop
  *last = err;
  return it;
}

/* Gauss-Seidel in place, until no element changes by much */
static int seidel(int n, int m, double u[n][m], double tol, double *last)
{
  int k = 0;
  double err = tol + 1;
#pragma scop
  while (err > tol && k < 300) {
    err = 0;
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < m - 1; j++) {
        double old = u[i][j], d;
        u[i][j] = 0.25 * (u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1]);
        d = fabs(u[i][j] - old);
        if (d > err)
          err = d;
      }
    k++;
  }
#pragma endscop
  *last = err;
  return k;
}

/* with over-relaxation and a sum, of points that are not fixed */
static int relax(int n, int m, double u[n][m], int fixed[n][m], double omega, double *norm, int *points)
{
  int k;
  double sum = 0;
  int moved = 0;
#pragma scop
  for (k = 0; k < 100; k++) {
    sum = 0;
    moved = 0;
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < m - 1; j++)
        if (!fixed[i][j]) {
          double r = 0.25 * (u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1]) - u[i][j];
          u[i][j] += omega * r;
          sum += r * r;
          if (fabs(r) > 0.01)
            moved++;
        }
    if (sum < 1e-4)
      break;
  }
#pragma endscop
  *norm = sum;
  *points = moved;
  return k;
}

/* a function that sweeps, and returns what it has changed: floats, rows upwards and columns downwards */
static float sweep(int n, int m, float *u)
{
  float change = 0;
  for (int i = 2; i <= n - 2; i++)
    for (int j = m - 2; j >= 1; j--) {
      float old = u[i * m + j];
      u[i * m + j] = (u[(i - 1) * m + j] + u[(i + 1) * m + j] + u[i * m + j + 1]) / 3.0f;
      change += fabsf(u[i * m + j] - old);
    }
  return change;
}

static int sweeps(int n, int m, float *u, float *last)
{
  int k = 0;
  float change = 1;
#pragma scop
  do {
    change = sweep(n, m, u);
    k++;
  } while (change > 1e-2f && k < 50);
#pragma endscop
  *last = change;
  return k;
}

/* the least and the greatest of what was there, as integers that wrap around, too */
static void shift(int n, unsigned *a, int *b, int steps, unsigned *sum, long *all, int *least)
{
  unsigned s = 0;
  long whole = 0;
  int low = 0;
#pragma scop
  for (int t = 0; t < steps; t++) {
    for (int i = 1; i < n - 1; i++) {
      unsigned was = a[i];
      int wasb = b[i];
      a[i] = 3u * a[i - 1] + a[i + 1] + was;
      b[i] = (b[i - 1] - b[i + 1]) / 3 + wasb % 7;
      s += was ^ a[i];
      whole += (long)wasb * b[i];
      low = wasb - b[i] < low ? wasb - b[i] : low;
    }
    if (s == 7)
      break;
  }
#pragma endscop
  *sum = s;
  *all = whole;
  *least = low;
}

/* terms of elements that other iterations have set, or set later; rows that several iterations set */
static double line[4000], field[4000];
static double before(int i) { return line[i - 1]; }
static double after(const double *x, int i) { return x[i + 1]; }

static int others(int n, int m, double *last)
{
  double sum = 0, high = 0;
  int t;
#pragma scop
  for (t = 0; t < 30; t++) {
    sum = 0;
    high = 0;
    for (int i = 1; i < n - 1; i++) {
      line[i] = 0.5 * line[i] + 0.01 * t;
      sum += before(i);
      high = fmax(high, after(line, i));
    }
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < m - 1; j++) {
        line[i] = 0.25 * (line[i] + field[j - 1] + field[j + 1]);
        sum += line[i] * field[j];
        if (j % 3 == 1)
          high = line[i] > high ? line[i] : high;
      }
    if (sum > 1e5 || high > 50)
      break;
  }
#pragma endscop
  *last = sum + high;
  return t;
}

int main(int argc, char **argv)
{
  int n = argc > 1 ? atoi(argv[1]) : 30, m = argc > 2 ? atoi(argv[2]) : 25;
  if (n < 3 || m < 3)
    n = m = 3;
  double *a = malloc(sizeof(double) * n * m), *b = malloc(sizeof(double) * n * m), *c = malloc(sizeof(double) * n * m);
  float *f = malloc(sizeof(float) * n * m);
  int *fixed = malloc(sizeof(int) * n * m), *w = malloc(sizeof(int) * n * m);
  unsigned *u = malloc(sizeof(unsigned) * n * m);
  for (int i = 0; i < n * m; i++) {
    a[i] = b[i] = i % 11 * 0.3;
    c[i] = i % 7 - i % 5 * 0.25;
    f[i] = i % 13 * 0.5f;
    fixed[i] = i % 17 == 3;
    w[i] = i % 29 - 11;
    u[i] = 2654435761u * i;
  }
  double last, norm, sums[3] = {0, 0, 0};
  float change;
  int points, low;
  unsigned s;
  long all;
  int it = jacobi(n, m, (double (*)[m])a, (double (*)[m])b, &last);
  printf("%d %.17g\n", it, last);
  it = seidel(n, m, (double (*)[m])b, 1e-3, &last);
  printf("%d %.17g\n", it, last);
  b[m + 1] = NAN;
  it = seidel(n, m, (double (*)[m])b, 1e-3, &last);
  printf("%d %d\n", it, last != last);
  it = relax(n, m, (double (*)[m])c, (int (*)[m])fixed, 1.3, &norm, &points);
  printf("%d %.17g %d\n", it, norm, points);
  it = sweeps(n, m, f, &change);
  printf("%d %.9g\n", it, change);
  shift(n * m, u, w, 9, &s, &all, &low);
  printf("%u %ld %d\n", s, all, low);
  for (int i = 0; i < n * m && i < 4000; i++)
    line[i] = i % 5, field[i] = i % 3 - 0.5;
  it = others(n, m, &last);
  printf("%d %.17g\n", it, last);
  for (int i = 0; i < n * m; i++) {
    sums[0] += a[i];
    sums[1] += c[i] + w[i] % 5;
    sums[2] += f[i] + u[i] % 9;
  }
  printf("%.17g %.17g %.17g\n", sums[0], sums[1], sums[2]);
  free(a), free(b), free(c), free(f), free(fixed), free(w), free(u);
  return 0;
}
