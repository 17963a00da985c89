// Heat on ranks: tiles by hexcc (0), or a row exchanged after each step, by hand (1). scale WAY ROWS-IN-ALL COLUMNS STEPS
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include "heat.hex.h"

// The same by rows exchanged in each step: those at the sides first, the others while these are under way.
static void row(int m, const float *restrict a, float *restrict b)
{
  for (int j = 1; j < m - 1; j++)
    b[j] = 0.2f * (a[j] + a[j - m] + a[j + m] + a[j - 1] + a[j + 1]); // as the region has it
}

static double exchanged(int n, int m, int steps, int rank, int size)
{
  const int first = (int)((long long)n * rank / size), rows = (int)((long long)n * (rank + 1) / size) - first;
  float *a[2] = {malloc((size_t)(rows + 2) * m * 4), malloc((size_t)(rows + 2) * m * 4)};
  for (size_t k = 0; k < (size_t)(rows + 2) * m; k++)
    a[0][k] = a[1][k] = 0;
  const int up = rank + 1 < size ? rank + 1 : MPI_PROC_NULL, down = rank > 0 ? rank - 1 : MPI_PROC_NULL;
  const int lo = rank == 0 ? 2 : 1, hi = rank == size - 1 ? rows - 1 : rows;
  MPI_Barrier(MPI_COMM_WORLD);
  const double start = MPI_Wtime();
  for (int t = 0; t < steps; t++) {
    float *from = a[t % 2], *to = a[(t + 1) % 2];
    MPI_Request r[4];
    row(m, from + (size_t)lo * m, to + (size_t)lo * m);
    row(m, from + (size_t)hi * m, to + (size_t)hi * m);
    MPI_Irecv(to, m, MPI_FLOAT, down, 0, MPI_COMM_WORLD, &r[0]);
    MPI_Irecv(to + (size_t)(rows + 1) * m, m, MPI_FLOAT, up, 1, MPI_COMM_WORLD, &r[1]);
    MPI_Isend(to + m, m, MPI_FLOAT, down, 1, MPI_COMM_WORLD, &r[2]);
    MPI_Isend(to + (size_t)rows * m, m, MPI_FLOAT, up, 0, MPI_COMM_WORLD, &r[3]);
    for (int i = lo + 1; i < hi; i++)
      row(m, from + (size_t)i * m, to + (size_t)i * m);
    MPI_Waitall(4, r, MPI_STATUSES_IGNORE);
  }
  const double took = MPI_Wtime() - start;
  free(a[0]);
  free(a[1]);
  return took;
}

int main(int argc, char **argv)
{
  int level, rank, size;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const int way = atoi(argv[1]), n = atoi(argv[2]), m = atoi(argv[3]), steps = atoi(argv[4]);
  hexcc_mpi_part part;
  if (argc < 5 || heat_mpi_part(MPI_COMM_WORLD, n, m, steps, heat_mpi_A, &part))
    return 1;
  float *A = way ? 0 : malloc(part.bytes);
  for (unsigned long long k = 0; A && k < part.bytes / 4; k++)
    A[k] = 0;
  double took = 0, most;
  if (way) {
    took = exchanged(n, m, steps, rank, size);
  } else {
    MPI_Barrier(MPI_COMM_WORLD);
    const double start = MPI_Wtime();
    heat_mpi(MPI_COMM_WORLD, n, m, steps, A);
    took = MPI_Wtime() - start;
  }
  MPI_Reduce(&took, &most, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("%s ranks %d rows %d columns %d steps %d: %.4f s\n", way ? "exchange" : "hexcc", size, n, m, steps, most);
  free(A);
  MPI_Finalize();
  return 0;
}
