// Cells of a lattice that are structs with arrays in them: copied whole to a local and back, passed to functions and returned.
// RUN 0 5 | 1 3 | 2 4 | 3 2 | 7 23 | 12 64
#include <stdio.h>
#include <stdlib.h>

typedef struct { double f[3]; } cell;
typedef struct { double a, g[2][2]; cell in; double k; } mixed;

static double density(cell c) { return c.f[0] + c.f[1] + c.f[2]; }

static void relax(cell *c, double w)
{
  const double rho = density(*c);
  for (int q = 0; q < 3; q++)
    c->f[q] += w * (rho / 3 - c->f[q]);
}

static cell turned(cell c)
{
  double kept = c.f[1];
  c.f[1] = c.f[2];
  c.f[2] = kept;
  return c;
}

static void run(int steps, int n, cell *x, cell *y, mixed *m, mixed *k)
{
#pragma scop
  for (int t = 0; t < steps; t++) {
    for (int i = 1; i < n - 1; i++) {
      cell c = {{x[i].f[0], x[i - 1].f[1]}};
      c.f[2] = x[i + 1].f[2];
      relax(&c, 0.5);
      cell d = turned(c), e = d;
      d = (cell){{e.f[2], d.f[0], d.f[1]}}; /* all of it is read before it is set */
      e.f[0] += 0.25 * d.f[1];              /* of a copy, not of d */
      y[i] = t % 3 ? d : e;
      mixed z = m[i];
      z.in = d;
      z.g[1][0] = z.g[0][1] + d.f[0];
      z.g[0][1] = 0.25 * z.g[1][0];
      z.a = z.g[1][1] + z.k;
      k[i] = z;
      k[i].g[1][1] = 0.5 * m[i + 1].a;
    }
    cell *cells = x;
    x = y;
    y = cells;
    mixed *others = m;
    m = k;
    k = others;
  }
#pragma endscop
}

int main(int argc, char **argv)
{
  const int steps = argc > 1 ? atoi(argv[1]) : 13, n = argc > 2 ? atoi(argv[2]) : 101;
  cell *x = calloc(n, sizeof *x), *y = calloc(n, sizeof *y);
  mixed *m = calloc(n, sizeof *m), *k = calloc(n, sizeof *k);
  for (int i = 0; i < n; i++) {
    for (int q = 0; q < 3; q++)
      x[i].f[q] = y[i].f[q] = (i * 3 + q) % 7;
    m[i].k = k[i].k = i % 5;
    m[i].g[0][1] = k[i].g[0][1] = i % 3;
    m[i].in = x[i];
  }
  run(steps, n, x, y, m, k);
  for (int i = 0; i < n; i++) {
    for (int q = 0; q < 3; q++)
      printf("%.17g %.17g %.17g %.17g\n", x[i].f[q], y[i].f[q], m[i].in.f[q], k[i].in.f[q]);
    for (int q = 0; q < 4; q++)
      printf("%.17g %.17g\n", m[i].g[q / 2][q % 2], k[i].g[q / 2][q % 2]);
    printf("%.17g %.17g\n", m[i].a, k[i].a);
  }
  free(x), free(y), free(m), free(k);
  return 0;
}
