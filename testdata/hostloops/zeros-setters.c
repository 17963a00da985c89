// Functions that set what decides which array a step reads, and the time, and functions that add to what they are passed the address of, in time loops that call them.
// RUN 20 9 | 3 0 | 17 1 | 41 31 | 30 211
#include <stdio.h>
#include <stdlib.h>
typedef struct { int n, cur; float age; double t, dt; long steps; double *f[2], *u, *v; } Sim;
static int phase = 0;
static double now = 0.25;
static double w[2][64];

static void diffuse(Sim *s)
{
  const int n = s->n;
  double *a = s->f[s->cur], *b = s->f[1 - s->cur];
  for (int i = 1; i < n - 1; i++)
    for (int j = 1; j < n - 1; j++)
      b[i * n + j] = a[i * n + j] + 0.1 * (a[i * n + j - 1] + a[i * n + j + 1] + a[(i - 1) * n + j] + a[(i + 1) * n + j] - 4 * a[i * n + j]);
}
static void flip(Sim *q) { q->cur = 1 - q->cur; }
static void advance(Sim *s) { flip(s); s->steps++; }
static void run(Sim *s, int T)
{
#pragma scop
  for (int k = 0; k < T; k++) { diffuse(s); advance(s); }
#pragma endscop
}

static void step(Sim *s, double dt)
{
  for (int i = 1; i < s->n - 1; i++) s->v[i] = s->u[i] + 0.1 * (s->u[i - 1] - 2 * s->u[i] + s->u[i + 1]) + s->t;
  double *x = s->u; s->u = s->v; s->v = x;
  s->t += dt;
  s->age += 0.1;
  if (s->age > 3) s->age -= 3;
}
static void timed(Sim *s, int T)
{
#pragma scop
  for (int k = 0; k < T; k++)
    step(s, s->dt);
#pragma endscop
}

static void turn(void) { phase ^= 1; now += 0.01; }
static void sweep(int n, int to)
{
  for (int i = 1; i < n - 1; i++) w[to][i] = 0.5 * (w[1 - to][i - 1] + w[1 - to][i + 1]);
}
static void globals(int n, int T)
{
  int it = 0;
#pragma scop
  while (it < T) {
    sweep(n, 1 - phase);
    turn();
    it++;
  }
#pragma endscop
}

static void count(int *c, int x) { *c += x; }
static void longer(double *t, const double dt) { *t += dt; }
static long alive(int n, int T, int *restrict g, int *restrict q, double *left)
{
  long sum = 0;
  double time = 0.5;
#pragma scop
  for (int t = 0; t < T; t++) {
    int here = 0;
    for (int x = 1; x < n - 1; x++) {
      int c = 0;
      count(&c, g[x - 1]); count(&c, g[x + 1]);
      q[x] = c == 1;
      here += q[x];
    }
    sum += here * (long)(t + 1);
    int *z = g; g = q; q = z;
  }
#pragma endscop
#pragma scop
  for (int t = 0; t < T; t++) {
    for (int x = 1; x < n - 1; x++) w[1 - t % 2][x] = 0.5 * (w[t % 2][x - 1] + w[t % 2][x + 1]) + time;
    longer(&time, 0.1 * t);
  }
#pragma endscop
  *left = time;
  return sum;
}

int main(int argc, char **argv)
{
  int n = argc > 1 ? atoi(argv[1]) : 9, T = argc > 2 ? atoi(argv[2]) : 5;
  Sim s = {n, 1, 0.5, 0, 0.125, 3, {0}, 0, 0};
  for (int k = 0; k < 2; k++) s.f[k] = malloc(n * n * sizeof(double));
  s.u = malloc(n * sizeof(double)), s.v = malloc(n * sizeof(double));
  for (int i = 0; i < n * n; i++) s.f[0][i] = s.f[1][i] = i * 7 % 11;
  for (int i = 0; i < n; i++) s.u[i] = s.v[i] = w[0][i] = w[1][i] = i % 5;
  run(&s, T);
  timed(&s, T);
  globals(n, T);
  int *g = malloc(n * sizeof(int)), *q = malloc(n * sizeof(int));
  for (int i = 0; i < n; i++) g[i] = q[i] = i % 3 == 0;
  double sum = 0, left = 0;
  long cells = alive(n, T, g, q, &left);
  for (int i = 0; i < n * n; i++) sum = sum * 0.99 + s.f[s.cur][i];
  for (int i = 0; i < n; i++) printf("%a %a\n", s.u[i], w[phase][i]);
  printf("%ld %a\n", cells, left);
  printf("%a %d %ld %a %a %d %a\n", sum, s.cur, s.steps, s.t, s.age, phase, now);
}
