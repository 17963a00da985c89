// Arrays of structs of numbers, with structs and arrays in them.
// RUN 0 5 | 1 7 | 4 40 | 5 19 | 3 3 | 6 33
#include <stdio.h>
#include <stdlib.h>

static double next(void)
{
  static unsigned long s = 12345;
  s = s * 6364136223846793005ul + 1442695040888963407ul;
  return (double)(s >> 33) / (1ul << 31);
}

struct vec { double x, y; };
typedef struct { struct vec at; double w[3]; double p; } cell;

static void step(int T, int n, cell (*restrict c)[n][n], const struct vec *restrict wind)
{
#pragma scop
  for (int t = 0; t < T; t++)
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++) {
        c[(t + 1) % 2][i][j].at.x = 0.5 * c[t % 2][i - 1][j].at.x + 0.25 * c[t % 2][i + 1][j].at.y + wind->x;
        c[(t + 1) % 2][i][j].at.y = c[t % 2][i][j].w[1] - c[t % 2][i][j - 1].w[2] + wind[0].y;
        c[(t + 1) % 2][i][j].w[0] = c[t % 2][i][j].p;
        c[(t + 1) % 2][i][j].w[1] = c[t % 2][i][j].w[0] * 0.5;
        c[(t + 1) % 2][i][j].w[2] = c[t % 2][i][j + 1].w[1] * 0.5;
        (*(c[(t + 1) % 2][i] + j)).p = (&c[t % 2][i][j])->at.x;
      }
#pragma endscop
}

int main(int argc, char **argv)
{
  int T = argc > 1 ? atoi(argv[1]) : 3, n = argc > 2 ? atoi(argv[2]) : 4;
  cell (*c)[n][n] = malloc(2 * sizeof *c);
  struct vec wind = {0.01, -0.02};
  double *all = (double *)c;
  for (int k = 0; k < 12 * n * n; k++)
    all[k] = next();
  step(T, n, c, &wind);
  for (int k = 0; k < 12 * n * n; k++)
    printf("%a\n", all[k]);
  return 0;
}
