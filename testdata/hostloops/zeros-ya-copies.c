/* Copies of arrays whose extents are sums, with their size as a product of sums and by the size of an array of variable length. */
// RUN 5 3 | 17 6 | 40 9
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void product(int n, int steps, double u[restrict n + 2][n + 2], double v[restrict n + 2][n + 2])
{
#pragma scop
  for (int t = 0; t < steps; t++) {
    for (int i = 1; i <= n; i++)
      for (int j = 1; j <= n; j++)
        v[i][j] = 0.25 * (u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1]);
    memcpy(u, v, sizeof(double) * (n + 2) * (n + 2));
  }
#pragma endscop
}

static void rows(int n, int m, int steps, double (*restrict u)[2 * m - 1], double (*restrict v)[2 * m - 1])
{
#pragma scop
  for (int t = 0; t < steps; t++) {
    for (int i = 1; i <= n; i++)
      for (int j = 1; j < 2 * m - 2; j++)
        v[i][j] = 0.25 * (u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1]);
    memcpy(u + 1, v + 1, sizeof *u * n);
    memset(u, 0, (n - 3) * sizeof(double[2 * m - 1]));
  }
#pragma endscop
}

static double whole(int n, int steps)
{
  const int w = n + 2;
  double u[w][n + 1], v[w][n + 1];
  for (int i = 0; i < w; i++)
    for (int j = 0; j < n + 1; j++)
      u[i][j] = v[i][j] = i * 3 % 7 - j * 5 % 3;
#pragma scop
  for (int t = 0; t < steps; t++) {
    for (int i = 1; i <= n; i++)
      for (int j = 1; j < n; j++)
        v[i][j] = 0.25 * (u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1]);
    memcpy(u, v, sizeof u);
  }
#pragma endscop
  double sum = 0;
  for (int i = 0; i < w; i++)
    for (int j = 0; j < n + 1; j++)
      sum += (i + 2 * j) * u[i][j];
  return sum;
}

static void flat(int n, int m, int steps, double *restrict u, double *restrict v)
{
#pragma scop
  for (int t = 0; t < steps; t++) {
    for (int i = 1; i <= n; i++)
      for (int j = 1; j <= m; j++)
        v[i * (m + 2) + j] = 0.25 * (u[(i - 1) * (m + 2) + j] + u[(i + 1) * (m + 2) + j] + u[i * (m + 2) + j - 1] + u[i * (m + 2) + j + 1]);
    memcpy(u, v, (n + 2) * (m + 2) * sizeof *u);
  }
#pragma endscop
}

/* What sizeof gives of a parameter is the size of a pointer: one element. */
static void one(int steps, double u[restrict 60], double v[restrict 60])
{
#pragma scop
  for (int t = 0; t < steps; t++) {
    for (int i = 1; i < 59; i++)
      v[i] = 0.5 * (u[i - 1] + u[i + 1]) + v[0];
    for (int i = 1; i < 59; i++)
      u[i] = v[i];
    v[0] = 0.01 * v[30];
    memcpy(u, v, sizeof u);
  }
#pragma endscop
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
  int n = argc > 1 ? atoi(argv[1]) : 17, steps = argc > 2 ? atoi(argv[2]) : 4, size = (n + 2) * (2 * n + 9) + 60;
  double *u = malloc(size * sizeof *u), *v = malloc(size * sizeof *v);
  for (int i = 0; i < size; i++)
    u[i] = v[i] = i * 37 % 101 * 0.125;
  product(n, steps, (void *)u, (void *)v);
  print("product", u, size);
  rows(n, n + 4, steps, (void *)u, (void *)v);
  print("rows", u, size);
  printf("whole %.17g\n", whole(n, steps));
  flat(n, n + 5, steps, u, v);
  print("flat", u, size);
  one(steps, u, v);
  print("one", u, size);
  free(u);
  free(v);
  return 0;
}
