// Arrays, rows and structs that memcpy and memmove copy, and memset clears.
// RUN 0 5 7 | 1 7 7 | 6 5 3 | 3 30 41 | 2 3 9 | 5 33 4 | 4 13 17
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 48 };

typedef struct {
  float p, q;
} pair;

static float now[MOST][MOST], next[MOST][MOST], sum[MOST][MOST];
static pair cells[MOST][MOST], other[MOST][MOST];

static void run(int T, int n, int m, double *restrict u, double *restrict v, float (*restrict w)[m], float (*restrict x)[m])
{
  const size_t bytes = n * m * sizeof *u;
#pragma scop
  for (int t = 0; t < T; t++) {
    memset(sum, 0, sizeof sum);
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < m - 1; j++) {
        v[i * m + j] = 0.25 * (u[(i - 1) * m + j] + u[(i + 1) * m + j] + u[i * m + j - 1] + u[i * m + j + 1]);
        x[i][j] = w[i - 1][j] - 0.5f * w[i][j + 1];
        next[i][j] = 0.5f * (now[i - 1][j] + now[i][j + 1]);
        sum[i][j] += now[i][j];
        other[i][j].p = cells[i][j - 1].q;
        other[i][j].q = cells[i + 1][j].p;
      }
    memcpy(u, v, bytes);
    memmove(w, x, n * m * sizeof(float));
    memcpy(&now[0][0], &next[0][0], sizeof now);
    for (int i = 1; i < n - 1; i++)
      (void)memcpy(cells[i], other[i], sizeof cells[i]);
  }
#pragma endscop
}

int main(int argc, char **argv)
{
  int T = argc > 1 ? atoi(argv[1]) : 3, n = argc > 2 ? atoi(argv[2]) : 4, m = argc > 3 ? atoi(argv[3]) : 4;
  if (n < 0 || m < 1 || n > MOST || m > MOST)
    return 1;
  double *u = malloc(sizeof(double) * (n * m + 1)), *v = malloc(sizeof(double) * (n * m + 1));
  float(*w)[m] = malloc(sizeof(float) * (n * m + 1)), (*x)[m] = malloc(sizeof(float) * (n * m + 1));
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      u[i * m + j] = v[i * m + j] = i * 7 % 11 + j;
      w[i][j] = x[i][j] = i * 5 % 13 - j;
    }
  for (int i = 0; i < MOST; i++)
    for (int j = 0; j < MOST; j++) {
      now[i][j] = next[i][j] = sum[i][j] = i * j % 7;
      cells[i][j].p = other[i][j].q = i - j;
      cells[i][j].q = other[i][j].p = i % (j + 1);
    }
  run(T, n, m, u, v, w, x);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      printf("%a %a %a %a\n", u[i * m + j], v[i * m + j], w[i][j], x[i][j]);
  for (int i = 0; i < MOST; i++)
    for (int j = 0; j < MOST; j++)
      printf("%a %a %a %a %a\n", now[i][j], sum[i][j], cells[i][j].p, cells[i][j].q, other[i][j].p);
  return 0;
}
