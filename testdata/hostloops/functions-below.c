// Functions with nests that stand below the loop, one of which only calls others; the mean speed of each step is stored.
// RUN 0 5 4 | 1 7 3 | 6 3 9 | 20 30 5 | 3 2 2 | 13 33 17 | 2 1 6 | 7 64 65
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct { int nx, ny, steps; double push; } flow;
typedef struct { double f[3]; } cell;

static void step(const flow p, cell *cells, cell *moved, const char *wall);
static int push(const flow p, cell *cells, const char *wall);
int stream(const flow p, cell *cells, cell *moved);
int collide(const flow p, cell *cells, cell *moved, const char *wall);
double mean_speed(const flow p, const cell *cells, const char *wall);

static double next(void)
{
  static unsigned long s = 12345;
  s = s * 6364136223846793005ul + 1442695040888963407ul;
  return (double)(s >> 33) / (1ul << 31);
}

int main(int argc, char **argv)
{
  flow p = {argc > 2 ? atoi(argv[2]) : 4, argc > 3 ? atoi(argv[3]) : 5, argc > 1 ? atoi(argv[1]) : 3, 0.01};
  size_t n = (size_t)p.nx * p.ny;
  cell *cells = malloc(sizeof(cell) * n), *moved = malloc(sizeof(cell) * n);
  char *wall = malloc(n);
  double *means = malloc(sizeof(double) * (p.steps + 1));
  for (size_t i = 0; i < n; i++) {
    for (int k = 0; k < 3; k++)
      cells[i].f[k] = moved[i].f[k] = next();
    wall[i] = next() < 0.2;
  }
#pragma scop
  for (int t = 0; t < p.steps; t++) {
    step(p, cells, moved, wall);
    means[t] = mean_speed(p, cells, wall);
  }
#pragma endscop
  for (int t = 0; t < p.steps; t++)
    printf("%d %a\n", t, means[t]);
  for (size_t i = 0; i < n; i++)
    printf("%a %a %a\n", cells[i].f[0], cells[i].f[1], cells[i].f[2]);
  return 0;
}

static void step(const flow p, cell *cells, cell *moved, const char *wall)
{
  push(p, cells, wall);
  stream(p, cells, moved);
  collide(p, cells, moved, wall);
}

static int push(const flow p, cell *cells, const char *wall)
{
  double w = p.push / 3;
  int j = p.ny - 2;
  for (int i = 0; i < p.nx; i++) {
    if (!wall[i + j * p.nx] && cells[i + j * p.nx].f[2] - w > 0) {
      cells[i + j * p.nx].f[1] += w;
      cells[i + j * p.nx].f[2] -= w;
    }
  }
  return EXIT_SUCCESS;
}

int stream(const flow p, cell *cells, cell *moved)
{
  for (int j = 0; j < p.ny; j++) {
    for (int i = 0; i < p.nx; i++) {
      int north = (j + 1) % p.ny;
      int west = i == 0 ? i + p.nx - 1 : i - 1;
      moved[i + j * p.nx].f[0] = cells[i + j * p.nx].f[0];
      moved[i + j * p.nx].f[1] = cells[west + j * p.nx].f[1];
      moved[i + j * p.nx].f[2] = cells[i + north * p.nx].f[2];
    }
  }
  return EXIT_SUCCESS;
}

int collide(const flow p, cell *cells, cell *moved, const char *wall)
{
  for (int j = 0; j < p.ny; j++)
    for (int i = 0; i < p.nx; i++) {
      double mass = 0;
      for (int k = 0; k < 3; k++)
        mass += moved[i + j * p.nx].f[k];
      if (wall[i + j * p.nx]) {
        cells[i + j * p.nx].f[1] = moved[i + j * p.nx].f[2];
        cells[i + j * p.nx].f[2] = moved[i + j * p.nx].f[1];
      } else {
        for (int k = 0; k < 3; k++)
          cells[i + j * p.nx].f[k] = moved[i + j * p.nx].f[k] + 0.6 * (mass / 3 - moved[i + j * p.nx].f[k]);
      }
    }
  return EXIT_SUCCESS;
}

double mean_speed(const flow p, const cell *cells, const char *wall)
{
  int count = 0;
  double sum = 0;
  for (int j = 0; j < p.ny; j++)
    for (int i = 0; i < p.nx; i++)
      if (!wall[i + j * p.nx]) {
        double mass = 0;
        for (int k = 0; k < 3; k++)
          mass += cells[i + j * p.nx].f[k];
        sum += fabs(cells[i + j * p.nx].f[1] - cells[i + j * p.nx].f[2]) / mass;
        ++count;
      }
  return count > 0 ? sum / count : 0;
}
