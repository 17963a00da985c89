// A staggered grid with one subscript through macros, of a struct: fields of different sizes, and a source at a part of the size.
// RUN 0 5 7 | 1 7 7 | 6 5 3 | 3 30 41 | 2 2 9 | 5 33 4 | 4 13 17 | 3 2 2 | 3 4 1 | 3 1 1
// VIOLATED g_sizeY >= 2
#include <stdio.h>
#include <stdlib.h>

typedef struct {
  double *hx, *hy, *ez;
  int sizeX, sizeY;
} Grid;

#define SizeX g->sizeX
#define SizeY g->sizeY
#define Hx(M, N) g->hx[(M) * (SizeY - 1) + (N)]
#define Hy(M, N) g->hy[(M) * SizeY + (N)]
#define Ez(M, N) g->ez[(M) * SizeY + (N)]

static void update(Grid *g)
{
  int mm, nn;
  for (mm = 0; mm < SizeX; mm++)
    for (nn = 0; nn < SizeY - 1; nn++)
      Hx(mm, nn) = 0.75 * Hx(mm, nn) - 0.25 * (Ez(mm, nn + 1) - Ez(mm, nn));
  for (mm = 0; mm < SizeX - 1; mm++)
    for (nn = 0; nn < SizeY; nn++)
      Hy(mm, nn) = 0.75 * Hy(mm, nn) + 0.25 * (Ez(mm + 1, nn) - Ez(mm, nn));
  for (mm = 1; mm < SizeX - 1; mm++)
    for (nn = 1; nn < SizeY - 1; nn++)
      Ez(mm, nn) = 0.75 * Ez(mm, nn) + 0.25 * ((Hy(mm, nn) - Hy(mm - 1, nn)) - (Hx(mm, nn) - Hx(mm, nn - 1)));
}

static void run(int T, Grid *g)
{
#pragma scop
  for (int t = 0; t < T; t++) {
    update(g);
    Ez(SizeX / 3, SizeY / 3) += 0.5 * t;
  }
#pragma endscop
}

int main(int argc, char **argv)
{
  int T = argc > 1 ? atoi(argv[1]) : 3, n = argc > 2 ? atoi(argv[2]) : 4, m = argc > 3 ? atoi(argv[3]) : 4;
  if (n < 1 || m < 1)
    return 1;
  Grid grid = {malloc(sizeof(double) * n * m), malloc(sizeof(double) * n * m), malloc(sizeof(double) * n * m), n, m};
  for (int i = 0; i < n * m; i++)
    grid.hx[i] = i * 7 % 11, grid.hy[i] = i * 5 % 13, grid.ez[i] = i * 3 % 17;
  run(T, &grid);
  for (int i = 0; i < n * m; i++)
    printf("%a %a %a\n", grid.hx[i], grid.hy[i], grid.ez[i]);
  return 0;
}
