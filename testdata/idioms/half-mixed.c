// Half precision among other numbers: members, locals, constants, casts and functions of _Float16, with float, double and int, at
// magnitudes at which _Float16 overflows, loses digits and has none left; a wave of which one field is float.
// GCC
// RUN 0 5 9 | 1 7 4 | 4 23 17 | 5 9 40 | 3 3 3 | 6 13 12
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

typedef _Float16 half;

struct cell {
  half u, v;
};

static const half weight[3] = {0.1f, 0.7, 0.2f16};
static const half sixth = 1.0 / 6;

static half limited(half x, half most) { return x > most ? most : x < -most ? -most : x * 0.999f16; }

static inline float product(const half x, const half y) { return x * y; }

static void step(int T, int n, int m, struct cell (*restrict c)[n][m], float (*restrict p)[n][m], half damp, int gain)
{
#pragma scop
  for (int t = 0; t < T; t++) {
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < m - 1; j++) {
        half sum = 0;
        for (int k = -1; k <= 1; k++)
          sum += weight[k + 1] * c[t % 2][i + k][j].u;
        half large = c[t % 2][i][j - 1].v * 300;                  // may be infinite
        float kept = c[t % 2][i][j - 1].v * 300 * sixth;          // is not: nothing is rounded on the way
        half cut = (half)(c[t % 2][i][j].v * 300) / 300.0;        // is again
        sum -= p[t % 2][i][j] * damp;
        c[(t + 1) % 2][i][j].u = limited(sum + c[t % 2][i][j + 1].u / 3, 60000);
        c[(t + 1) % 2][i][j].v = (large > 65504 ? kept / 64 : large * 1e-3) + (c[t % 2][i][j].v != cut) + gain;
      }
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < m - 1; j++) {
        half tiny = p[t % 2][i][j] * 1e-7;
        p[(t + 1) % 2][i][j] = product(c[(t + 1) % 2][i][j].u, c[t % 2][i][j].v) * 1e-3f + sqrtf(fabsf(c[t % 2][i][j].u))
                               + 1e6f * tiny + (c[t % 2][i][j].u + gain + 4097) * 1e-4f + (int)(c[t % 2][i][j].v * 3) % 7;
      }
  }
#pragma endscop
}

int main(int argc, char **argv)
{
  int T = argc > 1 ? atoi(argv[1]) : 3, n = argc > 2 ? atoi(argv[2]) : 8, m = argc > 3 ? atoi(argv[3]) : 8;
  struct cell (*c)[n][m] = malloc(2 * sizeof *c);
  float (*p)[n][m] = malloc(2 * sizeof *p);
  unsigned s = 1;
  for (int k = 0; k < 2 * n * m; k++) {
    s = s * 1103515245 + 12345;
    c[0][0][k].u = (s >> 12) / 1048576.f * 100 - 50;
    c[0][0][k].v = (s >> 8) % 1009 / 3.0;
    p[0][0][k] = (s >> 16 & 0x7fff) * (1.f / 512);
  }
  step(T, n, m, c, p, 0.3, 3);
  for (int k = 0; k < 2 * n * m; k++)
    printf("%.9g %.9g %.9g\n", (float)c[0][0][k].u, (double)c[0][0][k].v, p[0][0][k]);
  free(c);
  free(p);
  return 0;
}
