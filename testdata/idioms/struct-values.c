// Structs as values: assigned as a whole, local, arguments and results of functions, in structs, under conditions.
// RUN 4 9 | 7 31 | 1 3 | 0 5 | 20 64
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct { double x, y; } vec2;
struct cell { vec2 at, v; double m; };

static inline vec2 add(vec2 a, vec2 b) { vec2 r; r.x = a.x + b.x; r.y = a.y + b.y; return r; }
static inline vec2 scale(double s, const vec2 a) { return (vec2){ s * a.x, .y = s * a.y }; }
static double norm(vec2 a) { return sqrt(a.x * a.x + a.y * a.y); }
static vec2 limited(vec2 a, double most)
{
  double n = norm(a);
  if (n <= most)
    return a;
  a = scale(most / n, a);
  a.x -= 0.125;
  return a;
}
static vec2 turned(vec2 a) { a = (vec2){ -a.y, a.x }; return a; }
static struct cell moved(struct cell c, double dt)
{
  struct cell d = { .at = add(c.at, scale(dt, c.v)), .m = c.m };
  d.v = limited(scale(0.5, turned(c.v)), c.m > 1 ? 0.5 : 0.25);
  return d;
}

static void run(int T, int n, struct cell *restrict q, vec2 *restrict w)
{
#pragma scop
  for (int t = 0; t < T; t++) {
    for (int i = 1; i < n - 1; i++) {
      vec2 l = w[i - 1], r = w[i + 1], s = add(add(l, r), add(scale(2, w[i]), scale(norm(add(l, r)), r)));
      struct cell c = moved(q[i], 0.1);
      if (s.x > s.y)
        s = turned(s);
      c.at = s.x < 0 ? add(c.at, s) : scale(0.25, c.at);
      c.m = norm(c.v) + norm(scale(0.5, w[i]));
      q[i] = c;
      q[i].v = (vec2){ q[i].v.y, q[i].v.x };
    }
    for (int i = 1; i < n - 1; i++)
      w[i] = limited(q[i].at, 2);
  }
#pragma endscop
}

int main(int argc, char **argv)
{
  if (argc < 3)
    return 1;
  int T = atoi(argv[1]), n = atoi(argv[2]);
  struct cell *q = malloc(n * sizeof *q);
  vec2 *w = malloc(n * sizeof *w);
  for (int i = 0; i < n; i++) {
    w[i] = (vec2){ i % 5 * 0.25, 1 - i % 3 };
    q[i] = (struct cell){ w[i], { 0.5, -i }, 0.5 * i };
  }
  run(T, n, q, w);
  double sum = 0;
  for (int i = 0; i < n; i++)
    sum += (i + 1) * (q[i].at.x + 2 * q[i].at.y + 3 * q[i].v.x + 5 * q[i].v.y + 7 * q[i].m + 11 * w[i].x + 13 * w[i].y);
  printf("%.17g\n", sum);
}
