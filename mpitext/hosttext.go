package mpitext

// This file is C that all functions have in which the user's text stands.

// hostText is what the text calls, and what the function does first and last.
const hostText = `// The first row that ranks from a tile on own.
static long long FN_row(long long BORDER) { return FIRST; }

static void FN_tiles(NUMBERSint hexcc_unused)
{
  (void)hexcc_unused;
  FN_range(NAMES&FN_all.lo, &FN_all.hi);
  if (FN_all.lo > FN_all.hi)
    FN_all.lo = 0, FN_all.hi = INT_MAX; // no iteration: any part will do
}

// What is had of an array by one nest, and by another.
static void hexcc_join(hexcc_mpi_part *p, const hexcc_mpi_part *q)
{
  if (p->dims == 0) {
    *p = *q;
    return;
  }
  const long long end = hexcc_most(p->first[0] + p->count[0], q->first[0] + q->count[0]), own = hexcc_most(p->own_first[0] + p->own_count[0], q->own_first[0] + q->own_count[0]);
  p->extent[0] = hexcc_most(p->extent[0], q->extent[0]);
  p->first[0] = hexcc_least(p->first[0], q->first[0]), p->own_first[0] = hexcc_least(p->own_first[0], q->own_first[0]);
  p->count[0] = end - p->first[0], p->own_count[0] = own - p->own_first[0];
  p->bytes = p->element;
  for (int d = 0; d < p->dims; d++)
    p->bytes *= (unsigned long long)p->count[d];
}

// How many bytes lie between where an array would begin and what the rank has of it.
static long long hexcc_shift(const hexcc_mpi_part *p)
{
  long long row = (long long)p->element;
  for (int d = 1; d < p->dims; d++)
    row *= p->extent[d];
  return p->dims ? p->first[0] * row : 0;
}

GATHEREDstatic void FN_stop(void) { longjmp(FN_all.out, 1); }

static void FN_leave(void)
{
CLOSES  for (int number = 0; number < TERMS; number++) {
    free(FN_all.terms[number]);
    FN_all.terms[number] = 0, FN_all.room[number] = 0, FN_all.rows[number] = 0;
  }
  MPI_Comm_free(&FN_all.comm);
}

static int FN_differ(MPI_Comm hexcc_comm, NUMBERSint hexcc_unused);
static int FN_too_many(MPI_Comm hexcc_comm, NUMBERSint hexcc_unused);

// What the function does first.
static int FN_enter(MPI_Comm hexcc_comm, NUMBERSint hexcc_unused)
{
  (void)hexcc_unused;
  int hexcc_level = MPI_THREAD_FUNNELED, hexcc_threads = 1;
#ifdef _OPENMP
  MPI_Query_thread(&hexcc_level);
  hexcc_threads = omp_get_max_threads();
#endif
  if (hexcc_any(hexcc_comm, hexcc_threads > 1 && hexcc_level < MPI_THREAD_FUNNELED))
    return hexcc_wrong(hexcc_comm, "FN", "several threads need MPI_Init_thread with MPI_THREAD_FUNNELED, or OMP_NUM_THREADS=1");
  if (FN_differ(hexcc_comm, NAMES0) || FN_too_many(hexcc_comm, NAMES0))
    return 1;
FORGET  FN_tiles(NAMES0);
  MPI_Comm_dup(hexcc_comm, &FN_all.comm);
  MPI_Comm_rank(hexcc_comm, &FN_all.rank);
  MPI_Comm_size(hexcc_comm, &FN_all.size);
  FN_all.begin = FN_begin(FN_all.rank, FN_all.size, FN_all.lo, FN_all.hi);
  FN_all.end = FN_begin(FN_all.rank + 1, FN_all.size, FN_all.lo, FN_all.hi);
  FN_all.first = FN_row(FN_all.begin), FN_all.last = FN_row(FN_all.end) - 1;
  if (FN_all.rank == 0) // whatever a nest has before the first tile of others, or behind the last one
    FN_all.begin = LLONG_MIN / 4, FN_all.first = LLONG_MIN / 4;
  if (FN_all.rank == FN_all.size - 1)
    FN_all.end = LLONG_MAX / 4, FN_all.last = LLONG_MAX / 4;
  return 0;
}

`

// gatherTexts are functions that the text calls where it gathers scalars, by what it has then.
var gatherTexts = []struct{ calls, text string }{
	{"hexcc_mine(", `// Whether the rank owns a row.
static int hexcc_mine(long row) { return row >= FN_all.first && row <= FN_all.last; }
`},
	{"hexcc_greatest(", `
// The greatest of what ranks have, and the sum.
static double hexcc_greatest(double x)
{
  double y = x;
  MPI_Allreduce(&x, &y, 1, MPI_DOUBLE, MPI_MAX, FN_all.comm);
  return y;
}
`},
	{"hexcc_sum(", `static double hexcc_sum(double x)
{
  double y = x;
  MPI_Allreduce(&x, &y, 1, MPI_DOUBLE, MPI_SUM, FN_all.comm);
  return y;
}
`},
	{"hexcc_take(", `
// One rank after the other goes on with a value, from what the one below has, and all then have what the last one has.
static void hexcc_take(void *x, long bytes)
{
  if (FN_all.rank > 0)
    MPI_Recv(x, (int)bytes, MPI_BYTE, FN_all.rank - 1, 99, FN_all.comm, MPI_STATUS_IGNORE);
}
static void hexcc_pass(void *x, long bytes)
{
  if (FN_all.rank < FN_all.size - 1)
    MPI_Send(x, (int)bytes, MPI_BYTE, FN_all.rank + 1, 99, FN_all.comm);
}
static void hexcc_share(void *x, long bytes)
{
  MPI_Bcast(x, (int)bytes, MPI_BYTE, FN_all.size - 1, FN_all.comm);
}

`},
	{"hexcc_terms(", `// Room for what is gathered of an array's rows: those of the rank, and some around.
static void *hexcc_terms(int number, long rows, unsigned long row)
{
  const long long first = hexcc_within(hexcc_most(FN_all.first, 0) - BESIDE_LOW, hexcc_most(rows, 1)), last = hexcc_least(hexcc_least(FN_all.last, rows) + BESIDE_HIGH, rows - 1);
  const unsigned long long bytes = (unsigned long long)hexcc_most(last - first + 1, 1) * row;
  if (bytes > FN_all.room[number]) {
    free(FN_all.terms[number]);
    FN_all.terms[number] = malloc((size_t)bytes);
    FN_all.room[number] = FN_all.terms[number] ? bytes : 0;
  }
  const int again = FN_all.rows[number] == rows && FN_all.row[number] == row; // on all ranks
  FN_all.rows[number] = rows, FN_all.row[number] = row;
  if (!again && hexcc_any(FN_all.comm, !FN_all.terms[number])) {
    hexcc_wrong(FN_all.comm, "FN", "no memory for what is gathered");
    longjmp(FN_all.out, 1);
  }
  return (void *)((uintptr_t)FN_all.terms[number] - (uintptr_t)(first * (long long)row));
}

`},
}
