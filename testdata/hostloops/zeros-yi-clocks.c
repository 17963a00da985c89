// Steps that count and keep the time in a struct of the function, of which they get the address.
// RUN 40 30|7 5|3 4|33 0
#include <stdio.h>
#include <stdlib.h>

typedef struct {
  int n, steps, ticks;
  double dt, time, *u, *v;
} sim;

typedef struct {
  sim inner;
  long calls;
} outer;

static void tick(sim *s, int by) { s->ticks += by; }

static void step(sim *s) {
  for (int i = 1; i < s->n - 1; i++) s->v[i] = s->u[i] + s->dt * (s->u[i - 1] - 2 * s->u[i] + s->u[i + 1]);
  double *t = s->u;
  s->u = s->v;
  s->v = t;
  s->steps++;
  s->time += s->dt;
}

static void both(sim *s) {
  step(s);
  tick(s, 2);
}

int main(int argc, char **argv) {
  sim s = {argc > 1 ? atoi(argv[1]) : 20, 0, 0, 0.125, 0, NULL, NULL};
  outer o = {{s.n, 0, 0, 0.25, 1, NULL, NULL}, 0};
  const int steps = argc > 2 ? atoi(argv[2]) : 5;
  s.u = calloc((size_t)s.n, sizeof(double));
  s.v = calloc((size_t)s.n, sizeof(double));
  o.inner.u = calloc((size_t)s.n, sizeof(double));
  o.inner.v = calloc((size_t)s.n, sizeof(double));
  for (int i = 0; i < s.n; i++) s.u[i] = s.v[i] = i * 7 % 5, o.inner.u[i] = o.inner.v[i] = i % 3;
#pragma scop
  for (int t = 0; t < steps; t++) step(&s);
#pragma endscop
  printf("%d %g\n", s.steps, s.time);
#pragma scop
  for (int t = 0; t < steps; t++) {
    both(&s);
    tick(&s, 3);
  }
#pragma endscop
#pragma scop
  for (int t = 0; t < steps; t++) {
    step(&o.inner);
    o.calls++;
  }
#pragma endscop
  double sum = 0;
  for (int i = 0; i < s.n; i++) sum = sum * 0.97 + s.u[i] + s.v[i] - o.inner.u[i];
  printf("%d %d %g %d %g %ld %.17g\n", s.steps, s.ticks, s.time, o.inner.steps, o.inner.time, o.calls, sum);
  free(s.u);
  free(s.v);
  free(o.inner.u);
  free(o.inner.v);
}
