// Heat in two or three dimensions on ranks: tiles by hexcc (tiles), or a row, or plane, exchanged after each step by hand (steps).
// scale WAY N M L STEPS ROWS COLUMNS [NS-PER-POINT NS-PER-BYTE NS-PER-BYTE-IN-CHAINS]; L is 1 in two dimensions; ranks are set out in ROWS and COLUMNS, 0 0: as hexcc chooses. Prints seconds, of the slowest rank, and by PMPI the most messages and bytes that one sends,
// a sum of all elements, the seconds of a processor that rank 0 took, and rows and columns of ranks.
//
// WAY copies prints the nanoseconds that a byte takes to be copied to a message, or from there.
// With SIMULATED, under SimGrid's SMPI, nothing is computed, and each tile, row and copy takes what the numbers say; run.py has renamed the calls of
// tiles and of copies in the C of hexcc, FILE_C, to those below. Without, FILE_C runs as it is.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include HEADER
#ifdef SIMULATED
#include <smpi/smpi.h>
// What points and bytes take, on hosts of 1 Gflop/s: a flop is a nanosecond.
static double ns_per_point, ns_per_byte, ns_per_byte_in_chains;
static void takes(double ns)
{
  if (ns > 0)
    smpi_execute_flops(ns);
}
#include TABLES
// The tile at S0, of the tiles along S1 those from one to another.
static void simulated_tile(int phase, long T, long S0, long S1_from, long S1_to, long n, long m, long inner, long steps)
{
  double points = 0;
  for (int a = 0; a < HEIGHT; a++) {
    const long t = T * HEIGHT + a - shift[phase];
    const long start = S0 * STRIDE + offset[phase], first = start + lo[phase][a], last = start + hi[phase][a];
    const long from = first < 1 ? 1 : first, to = last > n - 2 ? n - 2 : last;
    const double left = (double)S1_from * STRIDE1 + offset1[phase] + lean[phase][a], right = ((double)S1_to + 1) * STRIDE1 + offset1[phase] + lean[phase][a] - 1;
    const double j0 = left < 1 ? 1 : left, j1 = right > m - 2 ? m - 2 : right;
    if (t >= 0 && t < steps && from <= to && j0 <= j1)
      points += (double)(to - from + 1) * (j1 - j0 + 1) * (double)inner;
  }
  takes(points * ns_per_point);
}
// Copies to and from messages: to other rows, along a chain, and along a row before the first phase.
#define simulated_copy(mode, ...) takes((double)heat_mpi_message(HEXCC_COUNT, __VA_ARGS__) * ns_per_byte)
#define simulated_beside(mode, ...) takes((double)heat_mpi_beside(HEXCC_COUNT, __VA_ARGS__) * ns_per_byte)
#define simulated_chain(mode, ...) simulated_slab(mode, heat_mpi_chain(HEXCC_COUNT, __VA_ARGS__))
static long long simulated_slab(int mode, long long bytes)
{
  if (mode != 0)
    takes((double)bytes * ns_per_byte_in_chains);
  return bytes;
}
#ifdef HEAT3D
#define hexcc_inner (l - 2)
#else
#define hexcc_inner 1
#endif
#endif
#include FILE_C

static clock_t ticks;

// What one rank sends.
static long long sent[2];
static void count(int n, MPI_Datatype t)
{
  int size;
  PMPI_Type_size(t, &size);
  sent[0]++, sent[1] += (long long)n * size;
}
#ifndef SIMULATED
static struct { MPI_Request request; int n; MPI_Datatype type; } known[64];
int MPI_Send_init(const void *p, int n, MPI_Datatype t, int to, int tag, MPI_Comm c, MPI_Request *r)
{
  const int e = PMPI_Send_init(p, n, t, to, tag, c, r);
  for (int i = 0; i < 64; i++)
    if (!known[i].n) {
      known[i].request = *r, known[i].n = n, known[i].type = t;
      break;
    }
  return e;
}
int MPI_Start(MPI_Request *r)
{
  for (int i = 0; i < 64; i++)
    if (known[i].n && known[i].request == *r)
      count(known[i].n, known[i].type);
  return PMPI_Start(r);
}
int MPI_Isend(const void *p, int n, MPI_Datatype t, int to, int tag, MPI_Comm c, MPI_Request *r)
{
  count(n, t);
  return PMPI_Isend(p, n, t, to, tag, c, r);
}
#endif

// Computes the points of rows i0 to i1 and columns j0 to j1, of an array of m columns of l elements.
static void points(long i0, long i1, long j0, long j1, long m, long l, const float *restrict a, float *restrict b)
{
#ifdef SIMULATED
  (void)a, (void)b, (void)m;
  if (i1 >= i0 && j1 >= j0)
    takes(ns_per_point * (double)(i1 - i0 + 1) * (double)(j1 - j0 + 1) * (double)(l > 1 ? l - 2 : 1));
#elif defined HEAT3D
  const long plane = m * l;
  for (long i = i0; i <= i1; i++)
    for (long j = j0; j <= j1; j++)
      for (long k = (i * m + j) * l + 1; k < (i * m + j) * l + l - 1; k++)
#ifdef LAPLACIAN3D
        b[k] = 0.4f * a[k] + 0.1f * (a[k - plane] + a[k + plane] + a[k - l] + a[k + l] + a[k - 1] + a[k + 1]);
#else
        b[k] = 0.1f * (a[k] + a[k - plane] + a[k + plane] + a[k - l] + a[k + l] + a[k - 1] + a[k + 1]);
#endif
#else
  (void)l;
  for (long i = i0; i <= i1; i++)
    for (long k = i * m + j0; k <= i * m + j1; k++)
      b[k] = 0.2f * (a[k] + a[k - m] + a[k + m] + a[k - 1] + a[k + 1]);
#endif
}

// Copies a column, of so many rows, to a message, or from there.
static void column(float *packed, float *a, long rows, long m, long l, int packs)
{
#ifdef SIMULATED
  (void)packed, (void)a, (void)m, (void)packs;
  takes((l > 1 ? ns_per_byte : ns_per_byte_in_chains) * 4 * (double)rows * (double)l);
#else
  for (long i = 0; i < rows; i++)
    memcpy(packs ? packed + i * l : a + i * m * l, packs ? a + i * m * l : packed + i * l, (size_t)l * 4);
#endif
}

static unsigned long long bits(float x, long long i, long long j)
{
  unsigned word;
  memcpy(&word, &x, 4);
  return word * (2ull * (unsigned long long)(i * 8191 + j) + 1);
}

static float start(long long i, long long j) { return (float)((i * 31 + j * 17) % 101) / 101; }

// What a rank has by hand: rows and columns from a first one on, and one more at each side.
struct block {
  long first, rows, first1, columns;
  float *left; // what the last step has computed
};

// The same with rows, or planes, exchanged in each step, and columns where ranks form a grid: those at the sides first, the others while these are under way.
static double exchanged(int n, int m, int l, int steps, int rank, const int of[2], struct block *own)
{
  const int row = rank / of[1], col = rank % of[1];
  const long first = (long)((long long)n * row / of[0]), rows = (long)((long long)n * (row + 1) / of[0]) - first;
  const long first1 = (long)((long long)m * col / of[1]), columns = (long)((long long)m * (col + 1) / of[1]) - first1, wide = columns + 2;
  const size_t all = (size_t)(rows + 2) * (size_t)wide * (size_t)l;
  float *a[2] = {malloc(all * 4), malloc(all * 4)}, *packed[4];
  for (int k = 0; k < 4; k++)
    packed[k] = malloc((size_t)rows * (size_t)l * 4);
#ifndef SIMULATED
  for (long i = -1; i <= rows; i++)
    for (long j = -1; j <= columns; j++)
      for (long k = 0; k < l; k++) {
        const long at = ((i + 1) * wide + j + 1) * l + k;
        a[0][at] = a[1][at] = start(first + i, (long long)(first1 + j) * l + k);
      }
#endif
  const int up = row + 1 < of[0] ? rank + of[1] : MPI_PROC_NULL, down = row > 0 ? rank - of[1] : MPI_PROC_NULL;
  const int right = col + 1 < of[1] ? rank + 1 : MPI_PROC_NULL, before = col > 0 ? rank - 1 : MPI_PROC_NULL;
  const long lo = row == 0 ? 2 : 1, hi = row == of[0] - 1 ? rows - 1 : rows, lo1 = col == 0 ? 2 : 1, hi1 = col == of[1] - 1 ? columns - 1 : columns;
  const long in = lo1 + (before >= 0), in_end = hi1 - (right >= 0);
  const int bytes_row = (int)(columns * l), bytes_column = (int)(rows * l);
  MPI_Barrier(MPI_COMM_WORLD);
  sent[0] = sent[1] = 0;
  ticks = clock();
  const double since = MPI_Wtime();
  for (int t = 0; t < steps; t++) {
    float *from = a[t % 2], *to = a[(t + 1) % 2];
    MPI_Request r[8];
    int k = 0;
    points(lo, lo, lo1, hi1, wide, l, from, to);
    if (hi > lo)
      points(hi, hi, lo1, hi1, wide, l, from, to);
    if (before >= 0)
      points(lo + 1, hi - 1, lo1, lo1, wide, l, from, to);
    if (right >= 0)
      points(lo + 1, hi - 1, hi1, hi1, wide, l, from, to);
    if (down >= 0) {
      MPI_Irecv(to + l, bytes_row, MPI_FLOAT, down, 0, MPI_COMM_WORLD, &r[k++]);
      MPI_Isend(to + (wide + 1) * l, bytes_row, MPI_FLOAT, down, 1, MPI_COMM_WORLD, &r[k++]);
    }
    if (up >= 0) {
      MPI_Irecv(to + ((rows + 1) * wide + 1) * l, bytes_row, MPI_FLOAT, up, 1, MPI_COMM_WORLD, &r[k++]);
      MPI_Isend(to + (rows * wide + 1) * l, bytes_row, MPI_FLOAT, up, 0, MPI_COMM_WORLD, &r[k++]);
    }
    if (before >= 0) {
      column(packed[0], to + (wide + 1) * l, rows, wide, l, 1);
      MPI_Irecv(packed[1], bytes_column, MPI_FLOAT, before, 2, MPI_COMM_WORLD, &r[k++]);
      MPI_Isend(packed[0], bytes_column, MPI_FLOAT, before, 3, MPI_COMM_WORLD, &r[k++]);
    }
    if (right >= 0) {
      column(packed[2], to + (wide + columns) * l, rows, wide, l, 1);
      MPI_Irecv(packed[3], bytes_column, MPI_FLOAT, right, 3, MPI_COMM_WORLD, &r[k++]);
      MPI_Isend(packed[2], bytes_column, MPI_FLOAT, right, 2, MPI_COMM_WORLD, &r[k++]);
    }
    points(lo + 1, hi - 1, in, in_end, wide, l, from, to);
    MPI_Waitall(k, r, MPI_STATUSES_IGNORE);
    if (before >= 0)
      column(packed[1], to + wide * l, rows, wide, l, 0);
    if (right >= 0)
      column(packed[3], to + (wide + columns + 1) * l, rows, wide, l, 0);
  }
  const double took = MPI_Wtime() - since;
  ticks = clock() - ticks;
  *own = (struct block){first, rows, first1, columns, a[steps % 2]};
  free(a[(steps + 1) % 2]);
  for (int k = 0; k < 4; k++)
    free(packed[k]);
  return took;
}

#ifndef SIMULATED
#ifdef HEAT3D
#define SIZES n, m, l, steps
#else
#define SIZES n, m, steps
#endif
static double now(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// Nanoseconds that a byte takes to be copied to a message, or from there, where neither lies in a cache: the least of five times, of the message that takes most: of those after phases, or of those
// along chains.
static double copies(int chains, long n, long m, long l, long steps)
{
  const size_t all = 2 * (size_t)n * (size_t)m * (size_t)l * 4;
  char *A = malloc(all);
  char *const arrays[] = {A};
  const long long rows[] = {n, m, 0, m - 1, 0, n};
  long long lo, hi, lo1, hi1;
  double most = 0;
  heat_mpi_range(SIZES, &lo, &hi);
  heat_mpi_range1(SIZES, &lo1, &hi1);
  for (int which = chains ? 0 : 4; which < (chains ? 4 : 8); which++) {
    const long tile = (long)(lo + hi) / 2, border = (long)(lo1 + hi1) / 2;
#define MESSAGE(mode, packed) which < 4 ? heat_mpi_chain(mode, which, 1, tile, border, SIZES, arrays, rows, packed) : heat_mpi_message(mode, which - 2, 1, tile, SIZES, arrays, rows, packed)
    const long long bytes = MESSAGE(HEXCC_COUNT, 0);
    char *packed = malloc((size_t)bytes + 1);
    double best = 1e9;
    for (int k = 0; bytes > 0 && k < 5; k++) {
      double took = 0;
      for (int mode = HEXCC_PACK; mode <= HEXCC_UNPACK; mode++) {
        memset(packed, k, (size_t)bytes);
        memset(A, k, all); // a cache has less
        const double since = now();
        MESSAGE(mode, packed);
        took += now() - since;
      }
      best = took / 2 / (double)bytes * 1e9 < best ? took / 2 / (double)bytes * 1e9 : best;
    }
    most = bytes > 0 && best > most ? best : most;
    free(packed);
  }
  free(A);
  return most;
}
#endif

int main(int argc, char **argv)
{
  int level, rank, size;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (argc < 8)
    return 1;
  const int of[2] = {atoi(argv[6]), atoi(argv[7])};
  const int exchange = strcmp(argv[1], "steps") == 0, n = atoi(argv[2]), m = atoi(argv[3]), l = atoi(argv[4]), steps = atoi(argv[5]);
#ifndef SIMULATED
  if (strcmp(argv[1], "copies") == 0) {
    printf("copies %.6f %.6f\n", copies(0, n, m, l, steps), copies(1, n, m, l, steps));
    MPI_Finalize();
    return 0;
  }
#else
  ns_per_point = atof(argv[8]), ns_per_byte = atof(argv[9]), ns_per_byte_in_chains = atof(argv[10]);
#endif
#ifdef HEAT3D
#define NUMBERS n, m, l, steps
#else
#define NUMBERS n, m, steps
#endif
  double took = 0, most;
  int first_column = 0, rows = of[0]; // is the rank in the first column of its row? So many rows there are
  unsigned long long sum = 0, all = 0; // of the bits of all elements, so that the order does not count
  hexcc_mpi_part part;
  if (exchange) {
    struct block own;
    took = exchanged(n, m, l, steps, rank, of, &own);
#ifndef SIMULATED
    for (long i = 0; i < own.rows; i++)
      for (long j = 0; j < own.columns; j++)
        for (long k = 0; k < l; k++)
          sum += bits(own.left[((i + 1) * (own.columns + 2) + j + 1) * l + k], own.first + i, (long long)(own.first1 + j) * l + k);
#endif
    free(own.left);
  } else {
    heat_mpi_grid[0] = of[0], heat_mpi_grid[1] = of[1];
    if (heat_mpi_part(MPI_COMM_WORLD, NUMBERS, heat_mpi_A, &part))
      return 1;
    float *A = malloc(part.bytes);
#ifndef SIMULATED
    for (int plane = 0; plane < 2; plane++)
      for (long long i = 0; i < part.count[1]; i++)
        for (long long j = 0; j < part.count[2]; j++)
          for (long long k = 0; k < l; k++)
            A[((plane * part.count[1] + i) * part.count[2] + j) * l + k] = start(part.first[1] + i, (part.first[2] + j) * l + k);
#endif
    first_column = part.own_first[2] == 0;
    MPI_Allreduce(&first_column, &rows, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD);
    sent[0] = sent[1] = 0;
    ticks = clock();
    const double before = MPI_Wtime();
    if (heat_mpi(MPI_COMM_WORLD, NUMBERS, A))
      return 1;
    took = MPI_Wtime() - before;
    ticks = clock() - ticks;
#ifndef SIMULATED
    for (long long i = part.own_first[1]; i < part.own_first[1] + part.own_count[1]; i++)
      for (long long j = part.own_first[2]; j < part.own_first[2] + part.own_count[2]; j++)
        for (long long k = 0; k < l; k++)
          sum += bits(A[((steps % 2 * part.count[1] + i - part.first[1]) * part.count[2] + j - part.first[2]) * l + k], i, j * l + k);
#endif
    free(A);
  }
  long long greatest[2];
  MPI_Reduce(sent, greatest, 2, MPI_LONG_LONG, MPI_MAX, 0, MPI_COMM_WORLD);
  MPI_Reduce(&took, &most, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
  MPI_Reduce(&sum, &all, 1, MPI_UNSIGNED_LONG_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("%s %d %.9f %lld %lld %llx %.6f %d %d\n", argv[1], size, most, greatest[0], greatest[1], all, (double)ticks / CLOCKS_PER_SEC, rows, size / rows);
  MPI_Finalize();
  return 0;
}
