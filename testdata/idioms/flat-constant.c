// One subscript into arrays of known size: rows, and triples side by side.
// RUN 0 | 1 | 2 | 7 | 12
#include <stdio.h>
#include <stdlib.h>

static double next(void)
{
  static unsigned long s = 12345;
  s = s * 6364136223846793005ul + 1442695040888963407ul;
  return (double)(s >> 33) / (1ul << 31);
}

enum { N = 36, M = 40 };
static double a[N * M], b[N * M];
static float v[3 * N * M];

static void step(int T)
{
#pragma scop
  for (int t = 0; t < T; t++) {
    for (int i = 1; i < N - 1; i++)
      for (int j = 0; j < M - 1; j++)
        b[i * M + j] = 0.25 * (a[(i - 1) * M + j] + a[i * M + j + M] + a[i * M + j + 1] + v[(i * M + j) * 3 + 1]);
    for (int i = 1; i < N - 1; i++)
      for (int j = 1; j < M; j++) {
        a[M * i + j] = 0.5 * (b[i * M + j] + b[i * M + j - 1]);
        v[3 * (i * M + j)] += (float)a[i * M + j];
        v[3 * M * i + 3 * j + 2] = v[(i * M + j) * 3] - v[(i * M + j) * 3 + 1];
      }
  }
#pragma endscop
}

int main(int argc, char **argv)
{
  int T = argc > 1 ? atoi(argv[1]) : 3;
  for (int i = 0; i < N * M; i++)
    a[i] = next(), b[i] = next();
  for (int i = 0; i < 3 * N * M; i++)
    v[i] = (float)next();
  step(T);
  for (int i = 0; i < N * M; i++)
    printf("%a %a %a %a %a\n", a[i], b[i], v[3 * i], v[3 * i + 1], v[3 * i + 2]);
  return 0;
}
