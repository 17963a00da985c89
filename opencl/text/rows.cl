
// Rows that stream through the registers of sub-groups of 32 work-items: how they pass through local memory and from lane to lane.
//
// What CUDA copies to shared memory without waiting is a plain load and a store here. All work-items of a group run the same barriers: hexcc_pass stands where
// none of them has parted from the others. OpenCL does not promise that groups run at the same time, so that none waits for another one: a launch runs
// the chains of a phase, or of strips of lines, those of a phase that lie on one front.

#if defined(cl_khr_subgroups)
#pragma OPENCL EXTENSION cl_khr_subgroups : enable
#endif
#if defined(cl_khr_subgroup_shuffle)
#define hexcc_shuffle(x, lane) sub_group_shuffle(x, (uint)(lane))
#elif defined(cl_intel_subgroups)
#pragma OPENCL EXTENSION cl_intel_subgroups : enable
#define hexcc_shuffle(x, lane) intel_sub_group_shuffle(x, (uint)(lane))
#else
#error "the kernels need sub-groups whose work-items exchange values: cl_khr_subgroup_shuffle or cl_intel_subgroups; hexcc --kernel=tiles makes others"
#endif
#ifdef cl_khr_subgroup_ballot
#define hexcc_ballot(condition) (sub_group_ballot((condition) ? 1 : 0).x)
#else
#define hexcc_ballot(condition) sub_group_reduce_add((condition) ? 1u << get_sub_group_local_id() : 0u)
#endif
#ifdef cl_intel_required_subgroup_size
#define HEXCC_SUB_GROUPS __attribute__((intel_reqd_sub_group_size(32)))
#else
#define HEXCC_SUB_GROUPS // the host asks which size they have
#endif

// A chain as the pipeline of its group runs it: beats lo to hi, none if lo > hi. It lies at the start of local memory.
struct hexcc_stream {
  long time, column, line, lo, hi;
};
#define hexcc_chain(shared) ((__local const struct hexcc_stream *)(shared))

#define hexcc_first_thread() (get_local_id(0) == 0)
#define hexcc_meet() barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)
#define hexcc_pass_but(newest) hexcc_pass()
#define hexcc_pass() barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)
#define hexcc_fetch(to, from) (*(to) = *(from))
#define hexcc_anew(x) (x)

// The number of a work-item as that of its sub-group and its lane say it, whichever lanes get_local_id has them in.
static inline int hexcc_warp(void) { return (int)get_sub_group_id(); }
static inline int hexcc_lane(void) { return (int)get_sub_group_local_id(); }
static inline int hexcc_thread(void) { return 32 * hexcc_warp() + hexcc_lane(); }

// A row in local memory has chunks of N elements, K of a lane: chunk c of all lanes, and of one more at either side, then chunk c + 1. So lanes
// that ask for chunks at once find them side by side. This is where the element of column x of the 32 lanes is, x >= -K.
static inline int hexcc_place(int K, int N, int x)
{
  const uint at = (uint)(x + K), chunk = at / (uint)N;
  return (int)((chunk % (uint)(K / N) * 34 + chunk / (uint)(K / N)) * (uint)N + at % (uint)N);
}

// Puts chunk c of a lane, which from points to, into a row, and gets it from there.
#define hexcc_put(T, N, to, from) hexcc_put_##N(T, to, from)
#define hexcc_put_1(T, to, from) (*(to) = *(from))
#define hexcc_put_2(T, to, from) (*(__local T##2 *)(to) = (T##2)((from)[0], (from)[1]))
#define hexcc_put_4(T, to, from) (*(__local T##4 *)(to) = (T##4)((from)[0], (from)[1], (from)[2], (from)[3]))
#define hexcc_get(T, N, to, from) hexcc_get_##N(T, to, from)
#define hexcc_get_1(T, to, from) (*(to) = *(from))
#define hexcc_get_2(T, to, from) \
  do { \
    const T##2 hexcc_chunk = *(__local const T##2 *)(from); \
    (to)[0] = hexcc_chunk.s0, (to)[1] = hexcc_chunk.s1; \
  } while (0)
#define hexcc_get_4(T, to, from) \
  do { \
    const T##4 hexcc_chunk = *(__local const T##4 *)(from); \
    (to)[0] = hexcc_chunk.s0, (to)[1] = hexcc_chunk.s1, (to)[2] = hexcc_chunk.s2, (to)[3] = hexcc_chunk.s3; \
  } while (0)

// Does something for each of K columns.
#define HEXCC_EACH(K, code) \
  do { \
    _Pragma("unroll") for (int hexcc_i = 0; hexcc_i < (K); hexcc_i++) \
    { \
      code; \
    } \
  } while (0)

#define hexcc_zero(T, N, row) HEXCC_EACH(N, (row)[hexcc_i] = 0)

// Gives each lane columns of the lanes beside it: the last LEFT of the one before, and the first RIGHT of the one behind. A row has room for MOST at
// its left, then K columns.
#define hexcc_exchange(T, MOST, K, LEFT, RIGHT, row) \
  do { \
    HEXCC_EACH(LEFT, (row)[(MOST) - 1 - hexcc_i] = hexcc_shuffle((row)[(MOST) + (K) - 1 - hexcc_i], (hexcc_lane() + 31) % 32)); \
    HEXCC_EACH(RIGHT, (row)[(MOST) + (K) + hexcc_i] = hexcc_shuffle((row)[(MOST) + hexcc_i], (hexcc_lane() + 1) % 32)); \
  } while (0)

// The bits from .. to of a word.
static inline uint hexcc_bits(long from, long to)
{
  const int first = from > 0 ? from < 32 ? (int)from : 32 : 0, last = to < 31 ? to >= 0 ? (int)to : -1 : 31;
  return first <= last ? (~0u << first) & (~0u >> (31 - last)) : 0u;
}

// A sum of a table, which has so many: column by column numbers by which what is known is multiplied.
static inline long hexcc_sum(int COLUMNS, int ENTRIES, const __constant int *table, const long *known)
{
  long x = 0;
  for (int i = 0; i < COLUMNS; i++)
    x += table[i * ENTRIES] * known[i];
  return x;
}

// Sets a pair to the first and the last beat of some in which all ROWS sums of an entry of a table are not negative. Behind the other numbers of a
// row is that of the beat.
static inline void hexcc_range_by(int ROWS, int COLUMNS, int ENTRIES, __local long *pair, const __constant int *table, const long *known, long first, long last)
{
  bool holds = true;
  for (int i = 0; i < ROWS; i++, table += (COLUMNS + 1) * ENTRIES) {
    const long by = table[COLUMNS * ENTRIES], size = by < 0 ? -by : by;
    long x = hexcc_sum(COLUMNS, ENTRIES, table, known);
    if (size > 1) // rounded down
      x = x / size - (x % size < 0);
    if (by > 0)
      first = first > -x ? first : -x;
    else if (by < 0)
      last = last < x ? last : x;
    else
      holds = holds && x >= 0;
  }
  pair[0] = holds ? first : 0;
  pair[1] = holds ? last : -1;
}
#define hexcc_range hexcc_range_by

// Sets those of K columns whose bits are set to what memory holds; to one value in local memory, or to neighbours there; copies them to a row in local memory; and stores them.
#define hexcc_load(T, K, row, bits, from) \
  do { \
    const __global T *const hexcc_from = (from); \
    const uint hexcc_set = (bits); \
    HEXCC_EACH(K, if (hexcc_set >> hexcc_i & 1) (row)[hexcc_i] = hexcc_from[hexcc_i]); \
  } while (0)
#define hexcc_hold(T, K, row, bits, value) \
  do { \
    const T hexcc_value = (value); \
    const uint hexcc_set = (bits); \
    HEXCC_EACH(K, (row)[hexcc_i] = hexcc_set >> hexcc_i & 1 ? hexcc_value : (row)[hexcc_i]); \
  } while (0)
#define hexcc_beside(T, K, row, bits, from) \
  do { \
    const __local T *const hexcc_from = (from); \
    const uint hexcc_set = (bits); \
    HEXCC_EACH(K, if (hexcc_set >> hexcc_i & 1) (row)[hexcc_i] = hexcc_from[hexcc_i]); \
  } while (0)
#define hexcc_bring_line(T, K, N, to, bits, from) \
  do { \
    __local T *const hexcc_to = (to); \
    const __global T *const hexcc_from = (from); \
    const uint hexcc_set = (bits); \
    HEXCC_EACH(K, if (hexcc_set >> hexcc_i & 1) hexcc_to[hexcc_i / (N) * 34 * (N) + hexcc_i % (N)] = hexcc_from[hexcc_i]); \
  } while (0)
#define hexcc_store(T, K, to, bits, row) \
  do { \
    __global T *const hexcc_to = (to); \
    const uint hexcc_set = (bits); \
    HEXCC_EACH(K, if (hexcc_set >> hexcc_i & 1) hexcc_to[hexcc_i] = (row)[hexcc_i]); \
  } while (0)
