// Heat on a plate, on as many ranks as mpirun starts: each makes its part of the plate, all of them write one file, and rank 0 an image of it.
//
//   hexcc --target=mpi heat.c
//   mpicc -O3 -march=native -fopenmp -ffp-contract=off -o heat main.c heat.hex.c
//   mpirun -n 4 ./heat 1000 800 2000        rows, columns, steps: plate.raw, and plate.pgm
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include "heat.hex.h"

// A hot disc, and a hot wall at the left.
static float start(long long i, long long j, int n, int m)
{
  const long long y = i - n / 3, x = j - m / 2;
  return j == 0 || y * y + x * x < (long long)n * n / 25 ? 1 : 0;
}

// Writes an image in grey of the plane of a file.
static int image(const char *raw, const char *to, int n, int m, int plane)
{
  FILE *in = fopen(raw, "rb"), *out = fopen(to, "wb");
  float x;
  if (!in || !out || fseek(in, (long)plane * n * m * (long)sizeof x, SEEK_SET))
    return 1;
  fprintf(out, "P5\n%d %d\n255\n", m, n);
  for (long k = 0; k < (long)n * m; k++) {
    if (fread(&x, sizeof x, 1, in) != 1)
      return 1;
    fputc((int)(255 * x), out);
  }
  return fclose(in) | fclose(out);
}

int main(int argc, char **argv)
{
  int level, rank, size;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const int n = argc > 1 ? atoi(argv[1]) : 400, m = argc > 2 ? atoi(argv[2]) : 400, steps = argc > 3 ? atoi(argv[3]) : 500;
  hexcc_mpi_part part;
  if (heat_mpi_part(MPI_COMM_WORLD, n, m, steps, heat_mpi_A, &part)) { // rank 0 has said how many ranks there may be
    MPI_Finalize();
    return 1;
  }
  float *A = malloc(part.bytes);
  if (!A)
    MPI_Abort(MPI_COMM_WORLD, 1);
  for (int plane = 0; plane < 2; plane++) // what is its own; neighbours send the rest
    for (long long i = part.own_first[1]; i < part.own_first[1] + part.own_count[1]; i++)
      for (long long j = part.own_first[2]; j < part.own_first[2] + part.own_count[2]; j++)
        A[(plane * part.count[1] + i - part.first[1]) * part.count[2] + j - part.first[2]] = start(i, j, n, m);

  const double before = MPI_Wtime();
  int failed = heat_mpi(MPI_COMM_WORLD, n, m, steps, A);
  const double took = MPI_Wtime() - before;

  failed = failed || heat_mpi_write(MPI_COMM_WORLD, n, m, steps, heat_mpi_A, "plate.raw", 0, A);
  if (rank == 0 && !failed) {
    failed = image("plate.raw", "plate.pgm", n, m, steps % 2);
    fprintf(stderr, "%d ranks: %.3f s\n", size, took);
  }
  free(A);
  MPI_Finalize();
  return failed;
}
