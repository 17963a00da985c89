// Heat in two or three dimensions on ranks: tiles by hexcc (tiles), or a row, or plane, exchanged after each step by hand (steps).
// scale WAY N M L STEPS [NS-PER-POINT NS-PER-BYTE]; L is 1 in two dimensions. Prints seconds, of the slowest rank, and by PMPI the most messages and bytes that one sends,
// a sum of all elements, and the seconds of a processor that rank 0 took.
//
// With SIMULATED, under SimGrid's SMPI, nothing is computed, and each tile, row and copy takes what the numbers say; run.py has renamed the calls of
// tiles and of copies in the C of hexcc, FILE, to those below. Without, it runs as it is.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include HEADER
#ifdef SIMULATED
#include <smpi/smpi.h>
// What points and bytes take, on hosts of 1 Gflop/s: a flop is a nanosecond.
static double ns_per_point, ns_per_byte;
static void takes(double ns)
{
  if (ns > 0)
    smpi_execute_flops(ns);
}
#include TABLES
static void simulated_tile(int phase, long T, long S0, long n, long width, long steps)
{
  double points = 0;
  for (int a = 0; a < HEIGHT; a++) {
    const long t = T * HEIGHT + a - shift[phase];
    const long start = S0 * STRIDE + offset[phase], first = start + lo[phase][a], last = start + hi[phase][a];
    const long from = first < 1 ? 1 : first, to = last > n - 2 ? n - 2 : last;
    if (t >= 0 && t < steps && from <= to)
      points += (double)(to - from + 1) * (double)width;
  }
  takes(points * ns_per_point);
}
#define simulated_copy(mode, ...) takes((double)heat_mpi_message(HEXCC_COUNT, __VA_ARGS__) * ns_per_byte)
#ifdef HEAT3D
#define hexcc_width ((long)(m - 2) * (l - 2))
#else
#define hexcc_width ((long)(m - 2))
#endif
#include FILE_C
#endif

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

// A row or a plane of heat, of m rows of l.
static void row(int m, int l, const float *restrict a, float *restrict b)
{
#ifdef SIMULATED
  (void)a, (void)b;
  takes(ns_per_point * (l > 1 ? (double)(m - 2) * (l - 2) : m - 2));
#elif defined HEAT3D
  const size_t plane = (size_t)m * l;
  for (int j = 1; j < m - 1; j++)
    for (size_t k = (size_t)j * l + 1; k < (size_t)j * l + l - 1; k++)
      b[k] = 0.1f * (a[k] + a[k - plane] + a[k + plane] + a[k - l] + a[k + l] + a[k - 1] + a[k + 1]);
#else
  (void)l;
  for (int j = 1; j < m - 1; j++)
    b[j] = 0.2f * (a[j] + a[j - m] + a[j + m] + a[j - 1] + a[j + 1]);
#endif
}

static unsigned long long bits(float x, long long i, long long j)
{
  unsigned word;
  memcpy(&word, &x, 4);
  return word * (2ull * (unsigned long long)(i * 8191 + j) + 1);
}

static float start(long long i, long long j) { return (float)((i * 31 + j * 17) % 101) / 101; }

// The same by rows exchanged in each step: those at the sides first, the others while these are under way. They are left in whole[steps % 2], if that is not 0.
static double exchanged(int n, int m, int l, int steps, int rank, int size, float **left, int *own_first, int *own_rows)
{
  const int first = (int)((long long)n * rank / size), rows = (int)((long long)n * (rank + 1) / size) - first;
  const size_t wide = (size_t)m * l;
  float *a[2] = {malloc((size_t)(rows + 2) * wide * 4), malloc((size_t)(rows + 2) * wide * 4)};
#ifndef SIMULATED
  for (long long i = -1; i <= rows; i++)
    for (size_t j = 0; j < wide; j++)
      a[0][(size_t)(i + 1) * wide + j] = a[1][(size_t)(i + 1) * wide + j] = start(first + i, (long long)j);
#endif
  const int up = rank + 1 < size ? rank + 1 : MPI_PROC_NULL, down = rank > 0 ? rank - 1 : MPI_PROC_NULL;
  const int lo = rank == 0 ? 2 : 1, hi = rank == size - 1 ? rows - 1 : rows;
  MPI_Barrier(MPI_COMM_WORLD);
  sent[0] = sent[1] = 0;
  ticks = clock();
  const double before = MPI_Wtime();
  for (int t = 0; t < steps; t++) {
    float *from = a[t % 2], *to = a[(t + 1) % 2];
    MPI_Request r[4];
    int k = 0;
    row(m, l, from + lo * wide, to + lo * wide);
    if (hi > lo)
      row(m, l, from + hi * wide, to + hi * wide);
    if (down >= 0) {
      MPI_Irecv(to, (int)wide, MPI_FLOAT, down, 0, MPI_COMM_WORLD, &r[k++]);
      MPI_Isend(to + wide, (int)wide, MPI_FLOAT, down, 1, MPI_COMM_WORLD, &r[k++]);
    }
    if (up >= 0) {
      MPI_Irecv(to + (size_t)(rows + 1) * wide, (int)wide, MPI_FLOAT, up, 1, MPI_COMM_WORLD, &r[k++]);
      MPI_Isend(to + rows * wide, (int)wide, MPI_FLOAT, up, 0, MPI_COMM_WORLD, &r[k++]);
    }
#ifdef SIMULATED
    takes(ns_per_point * (hi - lo - 1) * (l > 1 ? (double)(m - 2) * (l - 2) : m - 2));
#else
    for (int i = lo + 1; i < hi; i++)
      row(m, l, from + i * wide, to + i * wide);
#endif
    MPI_Waitall(k, r, MPI_STATUSES_IGNORE);
  }
  const double took = MPI_Wtime() - before;
  ticks = clock() - ticks;
  *own_first = first, *own_rows = rows;
  *left = a[steps % 2];
  free(a[(steps + 1) % 2]);
  return took;
}

int main(int argc, char **argv)
{
  int level, rank, size;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (argc < 6)
    return 1;
  const int exchange = strcmp(argv[1], "steps") == 0, n = atoi(argv[2]), m = atoi(argv[3]), l = atoi(argv[4]), steps = atoi(argv[5]);
#ifdef SIMULATED
  ns_per_point = atof(argv[6]), ns_per_byte = atof(argv[7]);
#endif
#ifdef HEAT3D
#define NUMBERS n, m, l, steps
#else
#define NUMBERS n, m, steps
#endif
  double took = 0, most;
  unsigned long long sum = 0, all = 0; // of the bits of all elements, so that the order does not count
  hexcc_mpi_part part;
  if (exchange) {
    float *left = 0;
    int first = 0, rows = 0;
    took = exchanged(n, m, l, steps, rank, size, &left, &first, &rows);
#ifndef SIMULATED
    for (int i = 0; i < rows; i++)
      for (long long j = 0; j < (long long)m * l; j++)
        sum += bits(left[(size_t)(i + 1) * m * l + (size_t)j], first + i, j);
#endif
    free(left);
  } else {
    if (heat_mpi_part(MPI_COMM_WORLD, NUMBERS, heat_mpi_A, &part))
      return 1;
    float *A = malloc(part.bytes);
#ifndef SIMULATED
    const size_t wide = (size_t)m * l;
    for (int plane = 0; plane < 2; plane++)
      for (long long i = 0; i < part.count[1]; i++)
        for (size_t j = 0; j < wide; j++)
          A[((size_t)plane * part.count[1] + i) * wide + j] = start(part.first[1] + i, (long long)j);
#endif
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
      for (size_t j = 0; j < wide; j++)
        sum += bits(A[((size_t)(steps % 2) * part.count[1] + (size_t)(i - part.first[1])) * wide + j], i, (long long)j);
#endif
    free(A);
  }
  long long greatest[2];
  MPI_Reduce(sent, greatest, 2, MPI_LONG_LONG, MPI_MAX, 0, MPI_COMM_WORLD);
  MPI_Reduce(&took, &most, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
  MPI_Reduce(&sum, &all, 1, MPI_UNSIGNED_LONG_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("%s %d %.9f %lld %lld %llx %.6f\n", argv[1], size, most, greatest[0], greatest[1], all, (double)ticks / CLOCKS_PER_SEC);
  MPI_Finalize();
  return 0;
}
