// Nests that gather and set elements by functions, of structs whose addresses other functions read.
// RUN 40 30 12|7 5 3|1 1 4|9 0 2|33 17 0
#include <stdio.h>
#include <stdlib.h>

typedef struct {
  int w, h, turns;
  double time, dt, *now, *next;
} world;

static double at(const world *s, int x, int y) { return s->now[y * s->w + x]; }

static void put(world *s, int x, int y, double v) { s->next[y * s->w + x] = v; }

static void keep(world *s, const int at, double v) { s->next[at] += v; }

static double around(const world *s, int x, int y) { return at(s, x - 1, y) + at(s, x + 1, y) + at(s, x, y - 1) + at(s, x, y + 1); }

static void turn(world *s) {
  double *t = s->now;
  s->now = s->next;
  s->next = t;
  s->turns++;
  s->time += s->dt;
}

int main(int argc, char **argv) {
  world s = {argc > 1 ? atoi(argv[1]) : 20, argc > 2 ? atoi(argv[2]) : 10, 0, 0, 0.125, NULL, NULL};
  const int steps = argc > 3 ? atoi(argv[3]) : 5;
  s.now = calloc((size_t)s.w * s.h + 1, sizeof(double));
  s.next = calloc((size_t)s.w * s.h + 1, sizeof(double));
  for (int i = 0; i < s.w * s.h; i++) s.now[i] = i * 7 % 5;
  long grown = 0, total = 0;
  double most = 0;
#pragma scop
  for (int t = 0; t < steps; t++) {
    long born = 0;
    double sum = 0;
    for (int y = 1; y < s.h - 1; y++)
      for (int x = 1; x < s.w - 1; x++) {
        const double was = at(&s, x, y), is = 0.25 * around(&s, x, y) + 0.125 * was;
        if (is > was) born++;
        sum += is - was;
        if (is > most) most = is;
        put(&s, x, y, is);
      }
    grown += born;
    total += sum > 0;
    turn(&s);
  }
#pragma endscop
#pragma scop
  for (int t = 0; t < steps; t++) {
    for (int y = 1; y < s.h - 1; y++)
      for (int x = 1; x < s.w - 1; x++) {
        grown += at(&s, x, y) > 1;
        keep(&s, y * s.w + x, 0.5 * at(&s, x, y));
      }
    turn(&s);
  }
#pragma endscop
  double sum = 0;
  for (int i = 0; i < s.w * s.h; i++) sum = sum * 0.97 + s.now[i] + s.next[i];
  printf("%ld %ld %d %g %.17g %.17g\n", grown, total, s.turns, s.time, most, sum);
  free(s.now);
  free(s.next);
}
