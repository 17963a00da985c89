// Arrays inside of a struct, global and through a pointer.
// RUN 0 5 | 1 7 | 4 40 | 5 19 | 3 3 | 6 33
#include <stdio.h>
#include <stdlib.h>

static double next(void)
{
  static unsigned long s = 12345;
  s = s * 6364136223846793005ul + 1442695040888963407ul;
  return (double)(s >> 33) / (1ul << 31);
}

#define N 40
struct fields {
  int n;
  float c[3];
  struct { float e[N][N], h[N][N]; } now;
  float old[2][N][N];
};
static struct fields field;

static void step(struct fields *restrict f, int T)
{
#pragma scop
  for (int t = 0; t < T; t++) {
    for (int i = 1; i < f->n; i++)
      for (int j = 1; j < f->n; j++)
        f->now.e[i][j] += f->c[0] * (field.now.h[i][j] - f->now.h[i - 1][j]) - f->c[1] * f->now.h[i][j - 1];
    for (int i = 0; i < f->n - 1; i++)
      for (int j = 0; j < f->n - 1; j++) {
        f->now.h[i][j] -= f->c[2] * (f->now.e[i + 1][j] - f->now.e[i][j + 1]);
        f->old[t % 2][i][j] = f->now.h[i][j] + f->old[(t + 1) % 2][i][j];
      }
  }
#pragma endscop
}

int main(int argc, char **argv)
{
  int T = argc > 1 ? atoi(argv[1]) : 3;
  struct fields *f = malloc(sizeof *f);
  f->n = argc > 2 ? atoi(argv[2]) : 4;
  f->c[0] = 0.3f, f->c[1] = 0.2f, f->c[2] = 0.1f;
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      f->now.e[i][j] = (float)next(), f->now.h[i][j] = (float)next(), field.now.h[i][j] = (float)next();
      f->old[0][i][j] = (float)next(), f->old[1][i][j] = (float)next();
    }
  step(f, T);
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      printf("%a %a %a %a\n", f->now.e[i][j], f->now.h[i][j], f->old[0][i][j], f->old[1][i][j]);
  return 0;
}
