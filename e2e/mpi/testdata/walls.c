// Runs room_mpi, with what room leaves, and then without one piece of its walls after the other: all ranks have to return 1. Arguments: n, m, T, rows and columns of ranks.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "room.hex.h"

void room(int T, int n, int m, double a[n][m], double b[n][m], const int *solid, int kind);

static int rank, wrong;

#define WALL 7
#define SAY(...) (wrong = 1, rank || printf(__VA_ARGS__))

// Says so where not all ranks return what they have to.
static void returns(int got, int want, const char *what, int i, int j)
{
  int differ = got != want, any;
  MPI_Allreduce(&differ, &any, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  if (any)
    SAY("%s %d %d: not all ranks return %d\n", what, i, j, want);
}

static void *part(int T, int n, int m, int array, size_t *bytes)
{
  hexcc_mpi_part p;
  if (room_mpi_part(MPI_COMM_WORLD, T, n, m, array, &p))
    exit(1);
  *bytes = p.bytes;
  return memset(malloc(p.bytes + 1), 0xff, p.bytes + 1); // what is not sent is no number, and no wall
}

int main(int argc, char **argv)
{
  int level, n = atoi(argv[1]), m = atoi(argv[2]), T = atoi(argv[3]);
  size_t bytes;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  room_mpi_grid[0] = atoi(argv[4]), room_mpi_grid[1] = atoi(argv[5]);
  double *a = calloc(n * m, sizeof *a), *b = calloc(n * m, sizeof *b), *c = calloc(n * m, sizeof *c);
  int *solid = calloc(n * m, sizeof *solid);
  for (int k = 0; k < n * m; k++) {
    const int i = k / m, j = k % m;
    a[k] = k * k % 997 / 10.0, b[k] = k % 31;
    solid[k] = i < 1 || i >= n - 1 || j < 1 || j >= m - 2 || k % 11 == 3 ? WALL : k % 5;
  }
  double *mine = part(T, n, m, room_mpi_a, &bytes), *other = part(T, n, m, room_mpi_a, &bytes);
  int *walls = part(T, n, m, room_mpi_solid, &bytes);
  room_mpi_scatter(MPI_COMM_WORLD, T, n, m, room_mpi_a, a, mine);
  room_mpi_scatter(MPI_COMM_WORLD, T, n, m, room_mpi_a, b, other);
  room_mpi_scatter(MPI_COMM_WORLD, T, n, m, room_mpi_solid, solid, walls);
  returns(room_mpi(MPI_COMM_WORLD, T, n, m, mine, other, walls, WALL), 0, "walls", n, m);
  room(T, n, m, (double (*)[m])a, (double (*)[m])b, solid, WALL);
  room_mpi_gather(MPI_COMM_WORLD, T, n, m, room_mpi_a, mine, c);
  if (rank == 0 && memcmp(a, c, n * m * sizeof *a))
    SAY("elements of a differ\n");
  room_mpi_gather(MPI_COMM_WORLD, T, n, m, room_mpi_a, other, c);
  if (rank == 0 && memcmp(b, c, n * m * sizeof *a))
    SAY("elements of b differ\n");
  hexcc_mpi_part p;
  room_mpi_part(MPI_COMM_WORLD, T, n, m, room_mpi_solid, &p);
  int holes = 0;
  for (int k = 0; k < n * m; k++) {
    const int i = k / m, j = k % m;
    if ((i >= 1 && i < n - 1 && j >= 1 && j < m - 2) || (i > 0 && i < n - 1 ? j > 0 && i % 3 > 0 : j % 3 > 0))
      continue;
    int *const at = i >= p.own_first[0] && i < p.own_first[0] + p.own_count[0] && j >= p.own_first[1] && j < p.own_first[1] + p.own_count[1]
      ? &walls[(i - p.first[0]) * p.count[1] + j - p.first[1]] : 0;
    if (at)
      *at = k % WALL;
    returns(room_mpi(MPI_COMM_WORLD, T, n, m, mine, other, walls, WALL), T > 0, "a hole at", i, j);
    if (at)
      *at = WALL;
    holes++;
  }
  if (rank == 0)
    printf("%d holes\n", holes);
  MPI_Finalize();
  return wrong;
}
