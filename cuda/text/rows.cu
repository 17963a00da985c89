
// Rows that stream through the registers of warps: how they pass through shared memory and from lane to lane, and how elements come from global
// memory without waiting for them.
//
// hexcc_pass ends an interval: the copies that the interval before it began by hexcc_fetch have arrived then, and all threads of the block see
// them, and what was written to shared memory. hexcc_pass_but(n) leaves n groups of copies on their way in place of one.

// A chain as the pipeline of its block runs it: beats lo to hi, none if lo > hi.
struct hexcc_stream {
  long time, column, line, lo, hi;
};

// What a block has to know of its chain while it runs. It lies in shared memory: registers are for rows.
struct hexcc_post {
  unsigned long long taken; // by hexcc_take
  struct hexcc_stream chain;
  long long lag, level, lo[3], hi[3]; // the chains to wait for
  struct hexcc_chain *own;
  const struct hexcc_chain *before; // the one before it along x, if it waits for that, too
  long long behind; // by so many beats
};

// Elements that shared memory is asked for at once.
template <class T, int N> struct __align__(sizeof(T) * N) hexcc_chunk {
  T at[N];
};

#ifndef HEXCC_FLAGS // the header of hexcc shim has its own
static __device__ __forceinline__ void hexcc_meet() { asm volatile("bar.sync 0;" : : : "memory"); }

template <int newest> static __device__ __forceinline__ void hexcc_wait()
{
#if __CUDA_ARCH__ >= 800
  asm volatile("cp.async.commit_group;\n\tcp.async.wait_group %0;" : : "n"(newest) : "memory");
#endif
}

#define hexcc_pass_but(newest) (hexcc_wait<newest>(), hexcc_meet())
#define hexcc_pass() hexcc_pass_but(1)

// A number that a compiler does not know: what is computed of it stays where it is.
template <class T> static __device__ __forceinline__ T hexcc_anew(T x)
{
  if (sizeof(T) == 4) {
    int low = (int)x;
    asm volatile("" : "+r"(low));
    return low;
  }
  long all = x;
  asm volatile("" : "+l"(all));
  return (T)all;
}

template <class T> static __device__ __forceinline__ T *hexcc_anew(T *x)
{
  asm volatile("" : "+l"(x));
  return x;
}
#endif

// A row in shared memory has chunks of N elements, K of a lane: chunk c of all lanes, and of one more at either side, then chunk c + 1. So lanes
// that ask for chunks at once find them side by side. This is where the element of column x of the 32 lanes is, x >= -K.
template <int K, int N> static __device__ __forceinline__ int hexcc_place(int x)
{
  const unsigned at = x + K, chunk = at / N;
  return (int)((chunk % (K / N) * 34 + chunk / (K / N)) * N + at % N);
}

// Puts chunk c of a lane, which from points to, into a row.
template <int N, class T> static __device__ __forceinline__ void hexcc_put(T *to, const T *from)
{
  hexcc_chunk<T, N> chunk;
#pragma unroll
  for (int i = 0; i < N; i++)
    chunk.at[i] = from[i];
  *(hexcc_chunk<T, N> *)to = chunk;
}

template <int N, class T> static __device__ __forceinline__ void hexcc_get(T *to, const T *from)
{
  const hexcc_chunk<T, N> chunk = *(const hexcc_chunk<T, N> *)from;
#pragma unroll
  for (int i = 0; i < N; i++)
    to[i] = chunk.at[i];
}

// The number of the warp, of which a compiler knows that all lanes have the same: so it need not expect them to part.
static __device__ __forceinline__ int hexcc_warp() { return __shfl_sync(~0u, (int)threadIdx.x / 32, 0); }

template <class T, int N> static __device__ __forceinline__ void hexcc_zero(T (&row)[N])
{
#pragma unroll
  for (int i = 0; i < N; i++)
    row[i] = 0;
}

// A row takes the place of another one.
template <class T, int N> static __device__ __forceinline__ void hexcc_move(T (&to)[N], const T (&from)[N])
{
#pragma unroll
  for (int i = 0; i < N; i++)
    to[i] = from[i];
}

// Gives each lane columns of the lanes beside it: the last LEFT of the one before, and the first RIGHT of the one behind. A row has room for MOST at
// its left, then K columns.
template <int MOST, int K, int LEFT, int RIGHT, class T> static __device__ __forceinline__ void hexcc_exchange(T *row)
{
#pragma unroll
  for (int i = 1; i <= LEFT; i++)
    row[MOST - i] = (T)__shfl_up_sync(~0u, row[MOST + K - i], 1);
#pragma unroll
  for (int i = 0; i < RIGHT; i++)
    row[MOST + K + i] = (T)__shfl_down_sync(~0u, row[MOST + i], 1);
}

// The bits from .. to of a word.
template <class T> static __device__ __forceinline__ unsigned hexcc_bits(T from, T to)
{
  const int first = from > 0 ? from < 32 ? (int)from : 32 : 0, last = to < 31 ? to >= 0 ? (int)to : -1 : 31;
  return first <= last ? (~0u << first) & (~0u >> (31 - last)) : 0;
}

// A sum of a table, which has so many: column by column numbers by which what is known is multiplied.
template <int COLUMNS, int ENTRIES, class T> static __device__ __forceinline__ T hexcc_sum(const int *table, const T (&known)[COLUMNS])
{
  T x = 0;
#pragma unroll
  for (int i = 0; i < COLUMNS; i++)
    x += table[i * ENTRIES] * known[i];
  return x;
}

// Sets a pair to the first and the last beat of some in which all ROWS sums of an entry of a table are not negative. Behind the other numbers of a
// row is that of the beat: 1, -1 or 0, or, with hexcc_range_by, any.
template <bool BY, int ROWS, int COLUMNS, int ENTRIES, class T>
static __device__ __forceinline__ void hexcc_range_of(T *pair, const int *table, const T (&known)[COLUMNS], T first, T last)
{
  bool holds = true;
#pragma unroll 1
  for (int i = 0; i < ROWS; i++) {
    const int by = table[COLUMNS * ENTRIES];
    T x = hexcc_sum<COLUMNS, ENTRIES>(table, known);
    if (BY && by != 0) // rounded down
      x = x / (by < 0 ? -by : by) - (x % (by < 0 ? -by : by) < 0);
    if (by > 0)
      first = first > -x ? first : -x;
    else if (by < 0)
      last = last < x ? last : x;
    else
      holds = holds && x >= 0;
    table += (COLUMNS + 1) * ENTRIES;
  }
  pair[0] = holds ? first : 0;
  pair[1] = holds ? last : -1;
}

template <int ROWS, int COLUMNS, int ENTRIES, class T>
static __device__ __forceinline__ void hexcc_range(T *pair, const int *table, const T (&known)[COLUMNS], T first, T last)
{
  hexcc_range_of<false, ROWS, COLUMNS, ENTRIES>(pair, table, known, first, last);
}

template <int ROWS, int COLUMNS, int ENTRIES, class T>
static __device__ __forceinline__ void hexcc_range_by(T *pair, const int *table, const T (&known)[COLUMNS], T first, T last)
{
  hexcc_range_of<true, ROWS, COLUMNS, ENTRIES>(pair, table, known, first, last);
}

// Bits that hold from the first beat of a pair to the second.
template <class T> static __device__ __forceinline__ unsigned hexcc_within(const T *pair, T beat, unsigned bits)
{
  return pair[0] <= beat && beat <= pair[1] ? bits : 0;
}

// Returns whether a condition holds in a beat that holds from the first of a pair to the second, in none if that is less; and takes beats in which that is not so from
// a range around that beat.
template <class T> static __device__ __forceinline__ bool hexcc_around(const T *pair, T beat, T *range)
{
  if (pair[0] > pair[1])
    return false;
  if (pair[0] > beat) {
    range[1] = range[1] < pair[0] - 1 ? range[1] : pair[0] - 1;
    return false;
  }
  if (pair[1] < beat) {
    range[0] = range[0] > pair[1] + 1 ? range[0] : pair[1] + 1;
    return false;
  }
  range[0] = range[0] > pair[0] ? range[0] : pair[0];
  range[1] = range[1] < pair[1] ? range[1] : pair[1];
  return true;
}

// Makes a range what all lanes of a warp have of theirs together.
template <class T> static __device__ __forceinline__ void hexcc_together(T *range)
{
#pragma unroll 1
  for (int i = 1; i < 32; i *= 2) {
    const T first = __shfl_xor_sync(~0u, range[0], i), last = __shfl_xor_sync(~0u, range[1], i);
    range[0] = range[0] > first ? range[0] : first;
    range[1] = range[1] < last ? range[1] : last;
  }
}

// Sets those of K columns whose bits are set to what memory holds: the first cache may hold an old value.
template <int K, class T> static __device__ __forceinline__ void hexcc_load(T *row, unsigned bits, const T *from)
{
  from = hexcc_anew(from);
#pragma unroll
  for (int i = 0; i < K; i++)
    if (bits >> i & 1)
      row[i] = __ldcg(from + i);
}

// Begins to copy those of K columns of a lane whose bits are set to a row in shared memory, in chunks of N: from its first chunk there on.
template <int K, int N, class T> static __device__ __forceinline__ void hexcc_bring(T *to, unsigned bits, const T *from)
{
#pragma unroll
  for (int i = 0; i < K; i++)
    if (bits >> i & 1)
      hexcc_fetch(to + i / N * 34 * N + i % N, from + i);
}

// Sets those of K columns whose bits are set to what shared memory holds: to one value, or to neighbours.
template <int K, class T> static __device__ __forceinline__ void hexcc_hold(T *row, unsigned bits, T value)
{
  bits = hexcc_anew(bits);
#pragma unroll
  for (int i = 0; i < K; i++)
    row[i] = bits >> i & 1 ? value : row[i];
}

template <int K, class T> static __device__ __forceinline__ void hexcc_beside(T *row, unsigned bits, const T *from)
{
  bits = hexcc_anew(bits);
#pragma unroll
  for (int i = 0; i < K; i++)
    if (bits >> i & 1)
      row[i] = from[i];
}

// Stores those of K columns whose bits are set.
template <int K, class T> static __device__ __forceinline__ void hexcc_store(T *to, unsigned bits, const T *row)
{
  to = hexcc_anew(to);
#pragma unroll
  for (int i = 0; i < K; i++)
    if (bits >> i & 1)
      __stcg(to + i, row[i]);
}

static __device__ __forceinline__ const struct hexcc_stream &hexcc_chain() { return ((const struct hexcc_post *)hexcc_shared)->chain; }

// Keeps where a chain is, and which ones it waits for.
static __device__ __forceinline__ void hexcc_keep(const struct hexcc_stream &chain, long long lag, long long level,
    long long x_lo, long long x_hi, long long y_lo, long long y_hi, long long z_lo, long long z_hi, struct hexcc_chain *own,
    const struct hexcc_chain *before, long long behind)
{
  if (hexcc_first_thread()) {
    struct hexcc_post &post = *(struct hexcc_post *)hexcc_shared;
    post.chain = chain;
    post.lag = lag;
    post.level = level;
    post.lo[0] = x_lo, post.lo[1] = y_lo, post.lo[2] = z_lo;
    post.hi[0] = x_hi, post.hi[1] = y_hi, post.hi[2] = z_hi;
    post.own = own;
    post.before = before;
    post.behind = behind;
  }
}

// Waits in the first thread until beats up to this one may run, or, if ended, until the chains to wait for have ended. hexcc_meet tells the others.
static __device__ __forceinline__ void hexcc_look_out(const struct hexcc_order &order, long long beat, bool ended)
{
  if (hexcc_first_thread()) {
    const struct hexcc_post &post = *(const struct hexcc_post *)hexcc_shared;
    hexcc_look(order, post.level, post.lo[0], post.hi[0], post.lo[1], post.hi[1], post.lo[2], post.hi[2], ended ? HEXCC_ENDED : HEXCC_PLACE(beat + post.lag));
    if (post.before != NULL)
      hexcc_wait(post.before, ended ? HEXCC_ENDED : HEXCC_PLACE(beat + post.behind));
  }
}

// Says that a chain is at a place. A barrier lies behind what the threads have written.
static __device__ __forceinline__ void hexcc_report(long long place)
{
  if (hexcc_first_thread())
    hexcc_release(&((const struct hexcc_post *)hexcc_shared)->own->place, place);
}

// Runs a chain that has no tiles: it says how far those are that it waits for, so many beats at a time, so that chains behind it need not wait for their end.
static __device__ void hexcc_pass_on(const struct hexcc_order &order, int every)
{
  for (long long beat = hexcc_chain().lo, hi = hexcc_chain().hi; hexcc_first_thread() && beat <= hi; beat += every) {
    hexcc_look_out(order, beat, false);
    hexcc_report(HEXCC_PLACE(beat + every - 1));
  }
}
