// Loops that end by a time that is no integer: while, for and do; the state is a struct, and something is printed now and then.
// RUN 0 5 7 | 1 7 7 | 6 5 3 | 3 30 41 | 2 3 9 | 25 33 4 | 140 13 17
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define N 40

typedef struct {
  double u[2][N][N];
  double time, dt, end;
  int step, cur;
} state;

static void waves(state *s)
{
#pragma scop
  while (s->time < s->end) {
    for (int i = 1; i < N - 1; i++)
      for (int j = 1; j < N - 1; j++)
        s->u[1 - s->cur][i][j] = 0.2 * (s->u[s->cur][i][j] + s->u[s->cur][i - 1][j] + s->u[s->cur][i + 1][j] + s->u[s->cur][i][j - 1] + s->u[s->cur][i][j + 1]);
    s->u[1 - s->cur][N / 2][N / 3] += s->dt * cos(30 * s->time);
    s->cur = 1 - s->cur;
    s->step++;
    s->time += s->dt;
  }
#pragma endscop
}

static double settle(int most, double end, double u[restrict N], double v[restrict N])
{
  double t = 0, h = 0.125;
  int it;
#pragma scop
  for (it = 0; it < most && t < end; it++, t += h) {
    for (int i = 1; i < N - 1; i++)
      v[i] = u[i] + 0.25 * h * (u[i - 1] - 2 * u[i] + u[i + 1]);
    for (int i = 1; i < N - 1; i++)
      u[i] = v[i] + 1e-3 * t;
    if (it % 20 == 0)
      printf("%d %a\n", it, t);
  }
#pragma endscop
  return t + it;
}

static double fall(double from, double u[restrict N], double v[restrict N])
{
  float x = from;
#pragma scop
  do {
    for (int i = 1; i < N - 1; i++)
      v[i] = 0.5 * (u[i - 1] + u[i + 1]) + x;
    for (int i = 1; i < N - 1; i++)
      u[i] = v[i];
    if (x < 0.01f)
      break;
    x *= 0.7f;
  } while (x > 1e-3f * u[0] * 0 + 1e-4f);
#pragma endscop
  return x;
}

static double drop(double from, double u[restrict N], double v[restrict N])
{
  float x = from;
  int k = 0;
#pragma scop
  for (;;) {
    if (x < 0.01f)
      break;
    const int left = k % 2;
    for (int i = 1; i < N - 1; i++)
      v[i] = 0.5 * (u[i - 1] + u[i + 1]) + x * left;
    for (int i = 1; i < N - 1; i++)
      u[i] = v[i];
    x *= 0.7f;
    k++;
  }
#pragma endscop
  return x + k;
}

int main(int argc, char **argv)
{
  int T = argc > 1 ? atoi(argv[1]) : 3, n = argc > 2 ? atoi(argv[2]) : 4, m = argc > 3 ? atoi(argv[3]) : 4;
  static state s;
  static double a[N], b[N];
  s.dt = 0.01 / (1 + m % 3), s.end = 0.013 * T, s.step = 100;
  for (int i = 0; i < N * N; i++)
    (&s.u[0][0][0])[i] = (&s.u[1][0][0])[i] = i * n % 11;
  for (int i = 0; i < N; i++)
    a[i] = b[i] = i * m % 13;
  waves(&s);
  printf("%a %d %d\n", s.time, s.step, s.cur);
  printf("%a\n", settle(T / 2 + 1, n, a, b));
  printf("%a\n", fall(m, a, b));
  printf("%a\n", drop(n, a, b));
  for (int i = 0; i < N * N; i++)
    printf("%a %a\n", (&s.u[0][0][0])[i], (&s.u[1][0][0])[i]);
  for (int i = 0; i < N; i++)
    printf("%a %a\n", a[i], b[i]);
  return 0;
}
