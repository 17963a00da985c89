// Components in a short loop, clamps, saturation, boundary nests, staggered differences and pragmas of other tools.
// RUN 0 5 | 1 7 | 6 3 | 7 20 | 12 13 | 5 2 | 3 4
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

typedef float real;

static unsigned long seed = 12345;

static real next(void)
{
  seed = seed * 6364136223846793005ul + 1442695040888963407ul;
  return (real)(seed >> 33) / (1ul << 31);
}

static void step(int T, int n, real (*__restrict v)[n][n], real *__restrict p, const real *__restrict w)
{
  if (n < 2)
    return;
#pragma scop
  for (int t = 0; t < T; t++) {
#pragma omp parallel for
    for (int c = 0; c < 3; c++)
#pragma ivdep
      for (int i = 0; i < n; i++)
        for (int j = 1; j < n; j++)
          v[c][i][j] -= 0.5f * (p[i * n + j] - p[i * n + j - 1]) * w[j];
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++) {
        real d = v[0][i][j + 1] - v[0][i][j];
        d += v[1][i + 1 < n - 1 ? i + 1 : n - 2][j] - v[1][i][j];
        d /= sqrtf(1 + d * d);
        if (d > 0.7)
          d = 0.7f;
        else if (d < -0.7)
          d = -0.7f;
        p[i * n + j] += fmaxf(fminf(d, 0.5f), fabsf(v[2][i][j]) - 2);
        p[i * n + j] *= 0.9;
      }
    for (int j = 0; j < n; j++)
      p[j] = p[n + j];
    for (int j = 0; j < n; j++)
      p[(n - 1) * n + j] = p[(n - 2) * n + j];
  }
#pragma endscop
}

int main(int argc, char **argv)
{
  int T = argc > 2 ? atoi(argv[1]) : 3, n = argc > 2 ? atoi(argv[2]) : 9;
  real *v = malloc(sizeof(real) * 3 * n * n), *p = malloc(sizeof(real) * n * n), *w = malloc(sizeof(real) * n);
  for (int i = 0; i < 3 * n * n; i++)
    v[i] = next();
  for (int i = 0; i < n * n; i++)
    p[i] = next();
  for (int i = 0; i < n; i++)
    w[i] = next();
  step(T, n, (real (*)[n][n])v, p, w);
  for (int i = 0; i < n * n; i++)
    printf("%a %a %a %a\n", v[i], v[n * n + i], v[2 * n * n + i], p[i]);
  free(v);
  free(p);
  free(w);
  return 0;
}
