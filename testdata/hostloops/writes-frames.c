// Time loops that print fields and what is computed of them, by loops of their own, and by functions of the file: the host runs these as they are, and the steps between them are tiled.
// RUN 20 25|5 1|37 7|4 30|1 9|8 0|64 41
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static int frames;

static void frame(FILE *f, int n, int m, double u[n][m])
{
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < m; j++)
      fprintf(f, "%a ", u[i][j]);
    fprintf(f, "\n");
  }
  frames++;
}

static void row(int m, const double *u)
{
  for (int j = 0; j < m; j++)
    printf(" %g", u[j]);
  puts("");
}

static void statistics(int t, int n, int m, double u[n][m])
{
  double sum = 0, most = -1e30;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      sum += u[i][j];
      most = fmax(most, u[i][j]);
    }
  if (sum < -1e9)
    return;
  printf("step %d: %a %a, %d frames\n", t, sum, most, frames);
}

static void heat(int n, int m, int steps, double u[restrict n][m], double v[restrict n][m])
{
#pragma scop
  for (int t = 0; t < steps; t++) {
    if (t % 7 == 0)
      for (int i = 0; i < n; i += 3)
        row(m, u[i]);
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < m - 1; j++)
        v[i][j] = 0.25 * (u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1]);
    if (t % 10 == 4)
      frame(stdout, n, m, v);
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < m - 1; j++)
        u[i][j] = v[i][j];
    if (t % 8 == 0) {
      for (int i = 0; i < n; i++) {
        for (int j = 0; j < m; j++)
          printf("%g ", u[i][j]);
        printf("\n");
      }
      statistics(t, n, m, u);
    }
  }
#pragma endscop
}

static void watched(int n, int m, int steps, double u[restrict n][m], double v[restrict n][m])
{
#pragma scop
  for (int t = 0; t < steps; t++) {
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < m - 1; j++)
        v[i][j] = u[i][j] + 0.1 * (u[i][j - 1] - u[i - 1][j]);
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < m - 1; j++)
        u[i][j] = v[i][j];
    for (int i = 0; i < n; i++)
      for (int j = 0; j < m; j++)
        if (u[i][j] > 9.9)
          printf("%d: %d %d\n", t, i, j);
  }
#pragma endscop
}

static void average(int n, int m, double u[n][m], double v[n][m])
{
  for (int i = 1; i < n - 1; i++)
    for (int j = 1; j < m - 1; j++)
      v[i][j] = 0.5 * u[i][j] + 0.25 * (u[i][j - 1] + u[i + 1][j]);
}

static void exchanged(int n, int m, int steps, double (*u)[m], double (*v)[m])
{
#pragma scop
  for (int t = 0; t < steps; t++) {
    average(n, m, u, v);
    double(*w)[m] = u;
    u = v;
    v = w;
    if (t % 9 == 5)
      statistics(t, n, m, u);
    else if (t % 4 == 0)
      row(m, u[0]);
  }
#pragma endscop
  statistics(steps, n, m, u);
}

int main(int argc, char **argv)
{
  int n = argc > 1 ? atoi(argv[1]) : 20, steps = argc > 2 ? atoi(argv[2]) : 25, m = n + 3;
  double(*u)[m] = malloc(n * sizeof *u), (*v)[m] = malloc(n * sizeof *v);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      u[i][j] = v[i][j] = (i * 7 + j * 5) % 11;
  heat(n, m, steps, u, v);
  watched(n, m, steps / 4, u, v);
  exchanged(n, m, steps, u, v);
  frame(stdout, n, m, u);
  frame(stdout, n, m, v);
  return 0;
}
