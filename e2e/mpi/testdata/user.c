// Calls all functions of a region as a user does, and says what is not as it should be. user FOLDER ROWS COLUMNS STEPS
// REGION is plate or ring; FN(x) is its function x.
#include <mpi.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include HEADER
#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/lsan_interface.h>
#endif
#define JOIN2(a, b) a##b
#define JOIN(a, b) JOIN2(a, b)
#define FN(name) JOIN(REGION, name)
#ifdef PLATE
#define COEFFICIENTS , c, 0.2f
void plate(int n, int m, int steps, float *A, const double *c, float k);
#else
#define COEFFICIENTS
void ring(int n, int m, int steps, float *A);
#endif
enum { BEFORE = 40 }; // bytes of the file before the array

static int rank, size, wrong;
static void must(int holds, const char *what)
{
  if (!holds)
    wrong = 1, printf("rank %d of %d: %s\n", rank, size, what);
}

// Whether the rank owns a row.
static int owns(const hexcc_mpi_part *p, long long i)
{
  return (i >= p->own_first[1] && i < p->own_first[1] + p->own_count[1]) || (i >= p->also_first[1] && i < p->also_first[1] + p->also_count[1]);
}

// Whether what is owned of a part is as in the whole array, and nothing else, where it is to be as poisoned.
static int same(const hexcc_mpi_part *p, const float *part, const float *whole, int poisoned)
{
  int all = 1;
  for (long long plane = 0; plane < 2; plane++)
    for (long long i = p->first[1]; i < p->first[1] + p->count[1]; i++)
      for (long long j = 0; j < p->count[2]; j++) {
        const float *x = part + (plane * p->count[1] + i - p->first[1]) * p->count[2] + j;
        static const unsigned char none[4] = {0xff, 0xff, 0xff, 0xff};
        if (owns(p, i))
          all = all && memcmp(x, whole + (plane * p->extent[1] + i) * p->extent[2] + j, 4) == 0;
        else
          all = all && (!poisoned || memcmp(x, none, 4) == 0);
      }
  return all;
}

int main(int argc, char **argv)
{
  int level;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const int n = atoi(argv[2]), m = atoi(argv[3]), steps = atoi(argv[4]);
  char in[512], out[512];
  snprintf(in, sizeof in, "%s/in", argv[1]);
  snprintf(out, sizeof out, "%s/out", argv[1]);
  const MPI_Comm comm = MPI_COMM_WORLD;
  const size_t elements = 2 * (size_t)n * m;
  float *whole = malloc(4 * elements), *after = malloc(4 * elements), *got = malloc(4 * elements);
  double *c = malloc(8 * (size_t)m);
  unsigned state = 7;
  for (size_t k = 0; k < elements; k++)
    state = state * 1664525u + 1013904223u, whole[k] = after[k] = (float)(state >> 8) / (1 << 24);
  for (int j = 0; j < m; j++)
    c[j] = 1 + 1e-3 * j;

  // What cannot be done is an error of all ranks, and rank 0 has said how many there may be.
  const long long most = FN(_mpi_most_ranks)(n, m, steps, 0);
  hexcc_mpi_part p;
  if (FN(_mpi_part)(comm, n, m, steps, FN(_mpi_A), &p)) {
    must(size > most, "_part fails on few ranks");
    must(FN(_mpi)(comm, n, m, steps, got COEFFICIENTS), "the region runs on too many ranks");
    must(FN(_mpi_scatter)(comm, n, m, steps, FN(_mpi_A), whole, got), "_scatter runs on too many ranks");
    MPI_Finalize();
    return wrong;
  }
  must(size <= most, "_part is content with too many ranks");

  static double weights[64];
  for (int weighted = 0; weighted < 2; weighted++) {
    for (int r = 0; r < size; r++)
      weights[r] = r % 2 ? 3 : 1;
    FN(_mpi_weights) = weighted ? weights : 0;
    must(FN(_mpi_part)(comm, n, m, steps, FN(_mpi_A), &p) == 0, "_part fails");

    // Each row has one owner, and what is owned is in memory.
    int *mine = calloc((size_t)n, sizeof *mine), *sum = calloc((size_t)n, sizeof *sum), one = 1, lie = 1;
    for (long long i = 0; i < n; i++) {
      mine[i] = owns(&p, i);
      lie = lie && (!mine[i] || (i >= p.first[1] && i < p.first[1] + p.count[1]));
    }
    MPI_Allreduce(mine, sum, n, MPI_INT, MPI_SUM, comm);
    for (int i = 0; i < n; i++)
      one = one && sum[i] == 1;
    must(one, "rows with no owner or several");
    must(lie, "rows that are owned and not in memory");
    must(p.dims == 3 && p.extent[0] == 2 && p.extent[1] == n && p.extent[2] == m && p.element == 4, "extents of the array");
    must(p.bytes == 4ull * 2 * (unsigned long long)p.count[1] * m, "bytes of the part");
    // Two ranks of which one is three times as fast: it has more rows, where there are enough tiles.
    long long rows = p.own_count[1] + p.also_count[1], other = rows;
    if (size == 2 && weighted && most >= 4) {
      MPI_Sendrecv_replace(&other, 1, MPI_LONG_LONG, 1 - rank, 0, 1 - rank, 0, comm, MPI_STATUS_IGNORE);
      must(rank ? rows > other : rows < other, "weights make no difference");
    }
    free(mine);
    free(sum);

    // A file with something before the array.
    if (rank == 0) {
      FILE *f = fopen(in, "wb");
      char before[BEFORE] = {1};
      fwrite(before, 1, BEFORE, f);
      fwrite(whole, 4, elements, f);
      fclose(f);
      f = fopen(out, "wb");
      memset(before, 'x', BEFORE);
      fwrite(before, 1, BEFORE, f);
      fclose(f);
    }
    MPI_Barrier(comm);
    float *part = malloc(p.bytes), *scattered = malloc(p.bytes);
    memset(part, 0xff, p.bytes);
    memset(scattered, 0xff, p.bytes);
    must(FN(_mpi_read)(comm, n, m, steps, FN(_mpi_A), in, BEFORE, part) == 0, "_read fails");
    must(same(&p, part, whole, 1), "_read reads something else, or more than is owned");
    must(FN(_mpi_scatter)(comm, n, m, steps, FN(_mpi_A), rank ? 0 : whole, scattered) == 0, "_scatter fails");
    must(same(&p, scattered, whole, 1), "_scatter copies something else, or more than is owned");

    // The region, beside the original.
    memcpy(after, whole, 4 * elements);
    REGION(n, m, steps, after COEFFICIENTS);
    must(FN(_mpi)(comm, n, m, steps, part COEFFICIENTS) == 0, "the region fails");
    must(same(&p, part, after, 0), "the region leaves something else");

    must(FN(_mpi_write)(comm, n, m, steps, FN(_mpi_A), out, BEFORE, part) == 0, "_write fails");
    memset(got, 0xee, 4 * elements);
    must(FN(_mpi_gather)(comm, n, m, steps, FN(_mpi_A), part, rank ? 0 : got) == 0, "_gather fails");
    MPI_Barrier(comm);
    if (rank == 0) {
      must(memcmp(got, after, 4 * elements) == 0, "_gather leaves something else");
      char before[BEFORE];
      FILE *f = fopen(out, "rb");
      memset(got, 0xee, 4 * elements);
      must(fread(before, 1, BEFORE, f) == BEFORE && before[0] == 'x' && before[BEFORE - 1] == 'x', "_write changes what is before the array");
      must(fread(got, 4, elements, f) == elements && memcmp(got, after, 4 * elements) == 0, "_write writes something else");
      must(fgetc(f) == EOF, "_write writes more");
      fclose(f);
    }
    free(part);
    free(scattered);
    MPI_Barrier(comm);
  }

  // A file that is not there: an error of all ranks.
  float *part = malloc(p.bytes);
  snprintf(in, sizeof in, "%s/missing/in", argv[1]);
  must(FN(_mpi_read)(comm, n, m, steps, FN(_mpi_A), in, 0, part) == 1, "_read of a file that is not there does not fail");
  must(FN(_mpi_write)(comm, n, m, steps, FN(_mpi_A), in, 0, part) == 1, "_write to a folder that is not there does not fail");
  // A file that ends before the array does.
  snprintf(in, sizeof in, "%s/in", argv[1]);
  must(FN(_mpi_read)(comm, n, m, steps, FN(_mpi_A), in, BEFORE + 4, part) == 1, "_read of a file that is too short does not fail");
  free(part);
  free(whole);
  free(after);
  free(got);
  free(c);
  in[0] = out[0] = 0;
#ifdef __SANITIZE_ADDRESS__
  must(!__lsan_do_recoverable_leak_check(), "memory that nobody frees"); // before the library forgets its own
#endif
  MPI_Finalize();
  return wrong;
}
