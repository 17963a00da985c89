// Sums in elements of arrays, peaks, counts, and means of rows, beside nests of a time loop. Arguments: rows, columns, elements of a row, time steps, and how arrays lie.
// RUN 30 17 20 7 | 1 1 1 3 | 2 5 5 3 | 3 3 4 1 | 7 11 11 9 | 64 31 31 5 | 127 130 140 4 | 300 257 300 2
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define M 300
#define Q 3

static double u[M][M], v[M][M], mass[3], peak[4], mean[M], layers[Q][M][M], total[Q];
static float first[M * M], second[M * M], sums[8];
static int count[2];

/* the nest stores, too: it is gathered before it stores, behind it, or not apart from it */
static void moments(int n, int m, int steps)
{
#pragma scop
  for (int t = 0; t < steps; t++) {
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < m - 1; j++)
        v[i][j] = 0.2 * (u[i][j] + u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1]);
    for (int k = 0; k < 3; k++)
      mass[k] = 0;
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < m - 1; j++) {
        double d = v[i][j] - u[i][j];
        mass[0] += d * d;
        if (d > peak[t % 4])
          peak[t % 4] = d;
        if (d < 0)
          count[0]++;
        else
          count[1] += 2;
        u[i][j] = v[i][j];
        mass[1] += u[i][j];
        mass[2] -= d * mass[1];
      }
    for (int i = 0; i < n; i++) {
      double s = 0;
      for (int j = 0; j < m; j++)
        s += u[i][j];
      mean[i] = s / m;
    }
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < m - 1; j++)
        u[i][j] += 0.01 * (mean[i] - u[i][j]) + 1e-6 * mass[0];
  }
#pragma endscop
}

static void layered(int n, int m, int steps, double (*history)[Q])
{
#pragma scop
  for (int t = 0; t < steps; t++) {
    for (int k = 0; k < Q; k++)
      for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < m - 1; j++)
          layers[k][i][j] = 0.5 * u[i][j] + 0.125 * (u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1]) + k;
    for (int k = 0; k < Q; k++) {
      total[k] = 0;
      for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
          total[k] += layers[k][i][j];
    }
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < m - 1; j++)
        u[i][j] = layers[1][i][j] - 1;
    for (int k = 0; k < Q; k++)
      history[t][k] = total[k] / (n * m);
  }
#pragma endscop
}

static double res[2];

static int until(int n, int m, int ld, int steps, float *restrict a, float *restrict b)
{
  int t;
#pragma scop
  for (t = 0; t < steps; t++) {
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < m - 1; j++)
        b[i * ld + j] = 0.25f * (a[(i - 1) * ld + j] + a[(i + 1) * ld + j] + a[i * ld + j - 1] + a[i * ld + j + 1]);
    res[0] = 0;
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < m - 1; j++) {
        res[0] += fabsf(b[i * ld + j] - a[i * ld + j]);
        res[1] += b[i * ld + j];
        a[i * ld + j] = b[i * ld + j];
      }
    if (res[0] < 1)
      break;
  }
#pragma endscop
  return t;
}

static void behind(int n, int m, int ld, int steps, float *restrict a, float *restrict b, float *restrict sum)
{
#pragma scop
  for (int t = 0; t < steps; t++) {
    sum[0] = 0;
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < m - 1; j++) {
        b[i * ld + j] = 0.25f * (a[(i - 1) * ld + j] + a[(i + 1) * ld + j] + a[i * ld + j - 1] + a[i * ld + j + 1]);
        sum[0] += b[i * ld + j] - a[i * ld + j];
        sum[1 + t % 3] += b[i * ld + j];
      }
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < m - 1; j++)
        a[i * ld + j] = b[i * ld + j];
  }
#pragma endscop
}

/* nothing is known of how the three lie to each other */
static void anywhere(int n, int m, int steps, double (*a)[M], double (*b)[M], double *sum)
{
#pragma scop
  for (int t = 0; t < steps; t++) {
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < m - 1; j++)
        b[i][j] = 0.25 * (a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1]);
    sum[0] = sum[1] = 0;
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < m - 1; j++) {
        sum[0] += fabs(b[i][j] - a[i][j]);
        sum[1] += b[i][j];
        a[i][j] = b[i][j];
      }
  }
#pragma endscop
}

static void fill(void)
{
  for (int i = 0; i < M; i++)
    for (int j = 0; j < M; j++) {
      u[i][j] = v[i][j] = ((i * 13 + j * 7) % 101) * 0.01;
      first[i * M + j] = second[i * M + j] = ((i * 5 + j * 3) % 64) * 0.125f;
    }
}

static void show(const char *what)
{
  double s = 0, f = 0;
  for (int i = 0; i < M; i++)
    for (int j = 0; j < M; j++) {
      s += u[i][j] * (i + 2 * j) - v[i][j] * (j % 17);
      f += first[i * M + j] * (i % 19) - second[i * M + j] * (j % 23);
    }
  printf("%s: %.17g %.17g\n", what, s, f);
}

int main(int argc, char **argv)
{
  int n = atoi(argv[1]), m = atoi(argv[2]), ld = atoi(argv[3]), steps = atoi(argv[4]), way = argc > 5 ? atoi(argv[5]) : 0;
  double history[16][Q] = {{0}}, sum[2] = {0, 0};
  fill();
  moments(n, m, steps);
  show("moments");
  for (int k = 0; k < 3; k++)
    printf("%.17g %.17g %.17g\n", mass[k], peak[k], mean[k]);
  printf("%d %d\n", count[0], count[1]);
  fill();
  layered(n, m, steps, history);
  show("layered");
  for (int t = 0; t < steps; t++)
    printf("%.17g %.17g %.17g\n", history[t][0], history[t][1], history[t][2]);
  fill();
  printf("%d steps, %.17g %.17g\n", until(n, m, ld, steps, first, second), res[0], res[1]);
  show("until");
  fill();
  behind(n, m, ld, steps, first, second, sums);
  show("behind");
  printf("%.9g %.9g %.9g %.9g\n", sums[0], sums[1], sums[2], sums[3]);
  fill();
  switch (way) {
  case 0: anywhere(n, m, steps, u, v, sum); break;
  case 1: anywhere(n, m, steps, u, u, sum); break;
  case 2: anywhere(n, m, steps, u, v, &u[2][3]); break;
  case 3: anywhere(n, m, steps, u, v, &v[2][3]); break;
  case 4: anywhere(n, m, steps, u + 1, u, sum); break;
  case 5: anywhere(n, m, steps, u, u + 1, mass); break;
  }
  show("anywhere");
  printf("%.17g %.17g\n", sum[0], sum[1]);
}
