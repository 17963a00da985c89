// w.hex_kernel.cu: hexcc made this from /tmp/ex/w.c, lines 3 to 8 (function f).
// hybrid hexagonal/classical tiling, h=7,w0=238,w1=1, for sm_80, each tile when those that it needs have ended
// partition proved for all parameter values (9 emptiness tests): each iteration is in one tile
// legality proved for all parameter values (4 emptiness tests): what depends on an iteration runs after it
// waits proved for all parameter values (4 emptiness tests): tiles wait for what they need
// emission proved for all parameter values (1354 implications): the loops below run the iterations of each tile once, and no others
// pipeline proved for all parameter values (5 emptiness tests): warps that run later steps of a chain's tiles, 2 rows behind each other, find what they depend on done
// full turns proved for all parameter values (47232 reads): rows and copies of full turns give each read the value of the program, and chains wait long enough for what they load
// indices have 64 bits
//
// Compile with: nvcc -O3 -arch=sm_80 -c w.hex_kernel.cu
// The results are those of the original program, bit for bit: no operation is reordered, and a product
// that feeds a sum is written __fmul_rn or __dmul_rn, which is never contracted to a fused multiply-add.
// -use_fast_math gives that up.
#ifndef __CUDACC_RTC__
#include <atomic>
#include <chrono>
#include <stdio.h>
#include <stdlib.h>
#include <cuda_runtime.h>
#include "w.hex.h"
#endif

extern __shared__ __align__(16) unsigned char hexcc_shared[];

#ifndef HEXCC_PATIENCE
#define HEXCC_PATIENCE 0 // seconds that a tile waits for another one before the kernel ends with an error; 0: any time
#endif

// The flag of a chain of tiles, by which those of other chains wait for them.
struct hexcc_chain {
  long long place; // how far it is: 0 before its first tile
  char apart[24]; // flags lie in sectors of their own
};

// The chains of a launch, in the order in which they are taken: by time tile, phase and tile, along z, y and x.
struct hexcc_order {
  struct hexcc_chain *chain; // count of them, and one whose place is how many are taken
  unsigned long long count;
  long long begin; // the first time tile
  long long first[3]; // tile along x, y and z,
  unsigned long long width[3]; // and how many
};

// Tiles start when those that they need have ended, as they say by flags in global memory: how far each chain of tiles is. What one block
// has written another one reads by the memory model of PTX ("Memory Consistency Model" in its manual), in which an operation is before
// another one in causality order
//
//   - of one thread, in the order of the program;
//   - of threads of a block that meet at a barrier (bar.sync, __syncthreads): what is before it in one, and what is behind it in another;
//   - where one writes with .release what another one reads with .acquire, both at a scope that has both threads, such as .gpu;
//
// and by any chain of these. So the stores of all threads of a block are before its barrier, that before the release by thread 0, that before
// the acquire by thread 0 of another block, and that before the loads of all of its threads behind the barrier. A plain load finds
// what is before it: the acquire throws out what the first cache, that of the multiprocessor, may still hold.
// Only loads of memory that nothing writes while the kernel runs may go past that (ld.global.nc, __ldg):
// arrays that any tile writes are never const nor __restrict__ here.
//
// A chain waits for ones that were taken before it only, by blocks that run. The first of those that have not ended waits for none, so that
// there is no need for all blocks to run at once.

#define HEXCC_PLACE(at) ((1LL << 61) + (at)) // more than 0, whatever the number of the tile
#define HEXCC_ENDED (1LL << 62)

#ifndef HEXCC_FLAGS // the header of hexcc shim has its own
static __device__ __forceinline__ long long hexcc_acquire(const long long *flag)
{
  long long value;
  asm volatile("ld.acquire.gpu.s64 %0, [%1];" : "=l"(value) : "l"(flag) : "memory");
  return value;
}

static __device__ __forceinline__ void hexcc_release(long long *flag, long long value)
{
  asm volatile("st.release.gpu.s64 [%0], %1;" : : "l"(flag), "l"(value) : "memory");
}

static __device__ __forceinline__ unsigned long long hexcc_nanoseconds()
{
  unsigned long long now;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
  return now;
}

static __device__ __forceinline__ void hexcc_pause(unsigned nanoseconds) { __nanosleep(nanoseconds); }
#endif

static __device__ __forceinline__ bool hexcc_first_thread() { return threadIdx.x == 0 && threadIdx.y == 0 && threadIdx.z == 0; }

// Takes the next chain for the block, and returns its number.
static __device__ __forceinline__ unsigned long long hexcc_take(const struct hexcc_order &order)
{
  if (hexcc_first_thread()) // no thread uses shared memory now: a barrier lies behind the last tile
    *(unsigned long long *)hexcc_shared = atomicAdd((unsigned long long *)&order.chain[order.count].place, 1ULL);
  __syncthreads();
  const unsigned long long taken = *(const unsigned long long *)hexcc_shared;
  __syncthreads();
  return taken;
}

// Waits until a chain is at a place, or has ended.
static __device__ void hexcc_wait(const struct hexcc_chain *chain, long long place)
{
  unsigned nanoseconds = 20;
  const unsigned long long start = HEXCC_PATIENCE > 0 ? hexcc_nanoseconds() : 0;
  while (hexcc_acquire(&chain->place) < place) {
    hexcc_pause(nanoseconds);
    nanoseconds = nanoseconds < 500 ? 2 * nanoseconds : nanoseconds;
    if (HEXCC_PATIENCE > 0 && hexcc_nanoseconds() - start > HEXCC_PATIENCE * 1000000000ULL)
      __trap(); // cudaErrorLaunchFailure
  }
}

// Returns the flag of a chain.
static __device__ __forceinline__ struct hexcc_chain *hexcc_flag(const struct hexcc_order &order, long long level, long long x, long long y, long long z)
{
  return &order.chain[(((unsigned long long)level * order.width[2] + (z - order.first[2])) * order.width[1] + (y - order.first[1])) * order.width[0]
      + (x - order.first[0])];
}

// Waits in the first thread until the chains of a phase at some tiles are at a place, or have ended, if they are of this launch.
static __device__ __forceinline__ void hexcc_look(const struct hexcc_order &order, long long level,
    long long x_lo, long long x_hi, long long y_lo, long long y_hi, long long z_lo, long long z_hi, long long place)
{
  if (hexcc_first_thread() && level >= 0) {
    for (long long z = z_lo - order.first[2]; z <= z_hi - order.first[2]; z++)
      for (long long y = y_lo - order.first[1]; y <= y_hi - order.first[1]; y++)
        for (long long x = x_lo - order.first[0]; x <= x_hi - order.first[0]; x++)
          if ((unsigned long long)z < order.width[2] && (unsigned long long)y < order.width[1] && (unsigned long long)x < order.width[0])
            hexcc_wait(&order.chain[(((unsigned long long)level * order.width[2] + z) * order.width[1] + y) * order.width[0] + x], place);
  }
}

// Rows that stream through the registers of warps: how they pass through shared memory and from lane to lane, and how elements come from global
// memory without waiting for them.
//
// A copy that hexcc_fetch begins may write at any time until it has arrived. hexcc_pass ends an interval: the copies that the interval before it
// began have arrived then, and all threads of the block see them, and what was written to shared memory. In the terms of the
// memory model above a copy is a plain load by the thread that begins it, and a store before its wait (cp.async.wait_group).

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
template <class T> static __device__ __forceinline__ void hexcc_fetch(T *to, const T *from)
{
#if __CUDA_ARCH__ >= 800
  if (sizeof(T) == 4)
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" : : "r"((unsigned)__cvta_generic_to_shared(to)), "l"(__cvta_generic_to_global(from)) : "memory");
  else if (sizeof(T) == 8)
    asm volatile("cp.async.ca.shared.global [%0], [%1], 8;" : : "r"((unsigned)__cvta_generic_to_shared(to)), "l"(__cvta_generic_to_global(from)) : "memory");
  else
#endif
    *to = __ldcg(from);
}

static __device__ __forceinline__ void hexcc_meet() { asm volatile("bar.sync 0;" : : : "memory"); }

static __device__ __forceinline__ void hexcc_pass()
{
#if __CUDA_ARCH__ >= 800
  asm volatile("cp.async.commit_group;\n\tcp.async.wait_group 1;" : : : "memory");
#endif
  hexcc_meet();
}

// Waits for all copies that the thread has begun.
static __device__ __forceinline__ void hexcc_arrived()
{
#if __CUDA_ARCH__ >= 800
  asm volatile("cp.async.wait_all;" : : : "memory");
#endif
}

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

// Sets those of K columns whose bits are set to what memory holds: the first cache may hold an old value.
template <int K, class T> static __device__ __forceinline__ void hexcc_load(T *row, unsigned bits, const T *from)
{
  from = hexcc_anew(from);
#pragma unroll
  for (int i = 0; i < K; i++)
    if (bits >> i & 1)
      row[i] = __ldcg(from + i);
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

// long_floord is x / d rounded down.
static inline __host__ __device__ long long_floord(long x, long d) { return x / d - (x % d < 0); }

// long_max is the larger one.
static inline __host__ __device__ long long_max(long x, long d) { return x > d ? x : d; }

// float A[2][n][n]
#define A_at(i0, i1, i2) A[((long)(i0) * n + (i1)) * n + (i2)]

// Rows of 256 columns, 8 of them in each lane, stream through 4 warps of 4 steps. In a beat a warp runs its steps of one row each;
// each warp is 2 beats behind the one before it, whose rows it gets through shared memory. In what 6 beats are called, a turn, the
// rows that a step has in use take turns at being the newest. Full turns have no boundary in them, nor the last steps: they
// test nothing.

// What a thread copies of whole rows.
struct hexcc_w_0_rows_copies {
  const float *at0; // the thread's first element of the row
  int place0; // where it is in a slot
  float *at1; // the thread's first element of the row
  int place1; // where it is in a slot
};

// Copies of rows in a beat.
template <bool full>
static __device__ __forceinline__ void hexcc_w_0_rows_copy0(struct hexcc_w_0_rows_copies &c, int slot0,
    unsigned rounds0, int slot1, unsigned rounds1, long n, int thread)
{
  #pragma unroll
  for (int i_ = 0; i_ < 2; i_++) {
    if (full ? thread + 128 * i_ < 241 : rounds0 >> i_ & 1)
      hexcc_fetch((float *)(hexcc_shared + 160) + (0 + slot0) * 272 + c.place0 + 64 * i_, c.at0 + 128 * i_);
  }
  c.at0 += (long)n;
  #pragma unroll
  for (int i_ = 0; i_ < 2; i_++) {
    if (full ? thread + 128 * i_ < 239 : rounds1 >> i_ & 1)
      (c.at1 + 128 * i_)[0] = *((float *)(hexcc_shared + 160) + (24 + slot1) * 272 + c.place1 + 64 * i_);
  }
  c.at1 += (long)n;
}

// What a lane of warps 0 to 1 holds.
struct hexcc_w_0_rows_held0 {
  float row0[10], row1[10], row2[10], row3[10];
  float row4[8];
  const float *at0; // what enters next
  float *to0; // in the row where columns are stored
};

// S0 of all columns of a lane.
static __device__ __forceinline__ void hexcc_w_0_rows_step0(const float (&row0)[10], float (&row1)[10])
{
  #pragma unroll
  for (int x = 0; x < 8; x++)
    row1[x + 1] = row0[x] + row0[x + 2];
}

// S0 of all columns of a lane.
static __device__ __forceinline__ void hexcc_w_0_rows_step1(const float (&row0)[10], float (&row1)[8])
{
  #pragma unroll
  for (int x = 0; x < 8; x++)
    row1[x] = row0[x] + row0[x + 2];
}

// A beat of warps 0 to 1.
template <bool full>
static __device__ __forceinline__ void hexcc_w_0_rows_beat0(struct hexcc_w_0_rows_held0 &w,
    float (&row0)[10], float (&row1)[10], float (&row2)[10], float (&row3)[10], float (&row4)[8], int slot0,
    int slot1, int slot2, int slot3, int slot4, int slot5, int number, unsigned when0, unsigned beside3,
    bool some3, const float *&margin_at, float *A, long n, long time, long column, long beat, int warp,
    int lane, int thread)
{
  const unsigned *const columns = (const unsigned *)(hexcc_shared + 38448) + thread;
  {
    const float *const from = (const float *)(hexcc_shared + 160) + (warp * 6 + slot0) * 272 + 4 * lane;
    hexcc_get<4>(row0 + 1, from + 136);
    hexcc_get<4>(row0 + 5, from + 4);
  }
  if (full ? (lane < 13) || (lane >= 13 && lane < 14 && warp == 0) || (lane >= 14 && lane < 15)
      || (lane >= 15 && lane < 16 && warp == 0) : *((unsigned *)(hexcc_shared + 48688)
      + thread) >> number & 1)
    hexcc_fetch((float *)(hexcc_shared + 32800) + (warp * 6 + slot1) * 16 + lane, w.at0);
  w.at0 += (long)n;
  if (!full) {
    if (*((unsigned *)(hexcc_shared + 51248) + thread) >> number & 1)
      hexcc_fetch((float *)(hexcc_shared + 34336) + (warp * 6 + slot2) * 8 + lane, margin_at);
    margin_at += (long)n;
  }
  hexcc_exchange<1, 8, 1, 1>(row0);
  hexcc_w_0_rows_step0(row0, row1);
  if (!full && some3)
    hexcc_hold<8>(row1 + 1, beside3, *((float *)(hexcc_shared + 34336) + (warp * 6 + slot3) * 8
      + (int)(beside3 >> 16)));
  if (!full && (when0 & 0x38u) == 0) {
    const long first = full ? column - 4*warp + 2 + 8 * lane : hexcc_anew(column - 4*warp + 2 + 8 * lane);
    const unsigned take = (when0 & 0x40u) == 0 ? ((when0 >> 1 & 1 ? columns[128] : 0u)) & ~((when0 >> 0 & 1
        ? columns[0] : 0u)) : 0u;
    if (take != 0)
      hexcc_load<8>(row1 + 1, take, &A_at((time + 1) & 1, beat - 2*warp, first));
    const unsigned mask = (when0 >> 2 & 1 ? columns[256] : 0u);
    if (mask != 0) {
      hexcc_store<8>(&A_at((time + 1) & 1, beat - 2*warp, first), mask & ((when0 >> 0 & 1 ? columns[0]
          : 0u)), row1 + 1);
    }
  }
  {
    float got[4];
    hexcc_get<4>(got + 0, (float *)(hexcc_shared + 32800) + (warp * 6 + slot4) * 16);
    if (lane == 0) {
      row1[5] = got[1]; row1[4] = got[0];
    }
    if (lane == warp + 30) {
      row1[5] = got[2]; row1[6] = got[3];
    }
  }
  hexcc_exchange<1, 8, 1, 1>(row1);
  hexcc_w_0_rows_step0(row1, row2);
  if (!full && some3)
    hexcc_hold<8>(row2 + 1, beside3, *((float *)(hexcc_shared + 34336) + (warp * 6 + slot3) * 8 + 2
      + (int)(beside3 >> 16)));
  if (!full && (when0 & 0x1c00u) == 0) {
    const long first = full ? column - 4*warp + 2 + 8 * lane : hexcc_anew(column - 4*warp + 2 + 8 * lane);
    const unsigned take = (when0 & 0x2000u) == 0 ? ((when0 >> 8 & 1 ? columns[512] : 0u)) & ~((when0 >> 7 & 1
        ? columns[0] : 0u)) : 0u;
    if (take != 0)
      hexcc_load<8>(row2 + 1, take, &A_at(time & 1, beat - 2*warp, first));
    const unsigned mask = (when0 >> 9 & 1 ? columns[640] : 0u);
    if (mask != 0) {
      hexcc_store<8>(&A_at(time & 1, beat - 2*warp, first), mask & ((when0 >> 7 & 1 ? columns[0] : 0u)), row2
          + 1);
    }
  }
  {
    float got[4];
    hexcc_get<4>(got + 0, (float *)(hexcc_shared + 32800) + (warp * 6 + slot4) * 16 + 4);
    if (lane == 0) {
      row2[4] = got[1]; row2[3] = got[0];
    }
    if (lane == warp + 30) {
      row2[6] = got[2]; row2[7] = got[3];
    }
  }
  hexcc_exchange<1, 8, 1, 1>(row2);
  hexcc_w_0_rows_step0(row2, row3);
  if (!full && some3)
    hexcc_hold<8>(row3 + 1, beside3, *((float *)(hexcc_shared + 34336) + (warp * 6 + slot3) * 8 + 4
      + (int)(beside3 >> 16)));
  if (!full && (when0 & 0xe0000u) == 0) {
    const long first = full ? column - 4*warp + 2 + 8 * lane : hexcc_anew(column - 4*warp + 2 + 8 * lane);
    const unsigned take = (when0 & 0x100000u) == 0 ? ((when0 >> 15 & 1 ? columns[768]
        : 0u)) & ~((when0 >> 14 & 1 ? columns[0] : 0u)) : 0u;
    if (take != 0)
      hexcc_load<8>(row3 + 1, take, &A_at((time + 1) & 1, beat - 2*warp, first));
    const unsigned mask = (when0 >> 16 & 1 ? columns[896] : 0u);
    if (mask != 0) {
      hexcc_store<8>(&A_at((time + 1) & 1, beat - 2*warp, first), mask & ((when0 >> 14 & 1 ? columns[0]
          : 0u)), row3 + 1);
    }
  }
  {
    float got[4];
    hexcc_get<4>(got + 0, (float *)(hexcc_shared + 32800) + (warp * 6 + slot4) * 16 + 8);
    if (lane == 0) {
      row3[3] = got[1]; row3[2] = got[0];
    }
    if (lane == warp + 30) {
      row3[7] = got[2]; row3[8] = got[3];
    }
  }
  hexcc_exchange<1, 8, 1, 1>(row3);
  hexcc_w_0_rows_step1(row3, row4);
  if (!full && some3)
    hexcc_hold<8>(row4 + 0, beside3, *((float *)(hexcc_shared + 34336) + (warp * 6 + slot3) * 8 + 6
      + (int)(beside3 >> 16)));
  if (!full && (when0 & 0x7000000u) == 0) {
    const long first = full ? column - 4*warp + 2 + 8 * lane : hexcc_anew(column - 4*warp + 2 + 8 * lane);
    const unsigned take = (when0 & 0x8000000u) == 0 ? ((when0 >> 22 & 1 ? columns[1024]
        : 0u)) & ~((when0 >> 21 & 1 ? columns[0] : 0u)) : 0u;
    if (take != 0)
      hexcc_load<8>(row4 + 0, take, &A_at(time & 1, beat - 2*warp, first));
    const unsigned mask = (when0 >> 23 & 1 ? columns[1152] : 0u);
    if (mask != 0) {
      hexcc_store<8>(&A_at(time & 1, beat - 2*warp, first), mask & ((when0 >> 21 & 1 ? columns[0] : 0u)),
          row4 + 0);
    }
  }
  {
    float got[4];
    hexcc_get<4>(got + 0, (float *)(hexcc_shared + 32800) + (warp * 6 + slot4) * 16 + 12);
    if (lane == 0)
      row4[1] = got[0];
    if (lane == 0 && warp == 0)
      row4[0] = got[1];
    if (lane == warp + 30)
      row4[7] = got[2];
    if (lane == 31 && warp == 0)
      row4[0] = got[3];
  }
  if (lane == 0 && warp == 1 && (full || !((when0 & 0x10000000u) == 0)))
    w.to0[0] = row4[2];
  if (lane == 31 && warp == 1 && (full || !((when0 & 0x20000000u) == 0)))
    w.to0[252] = row4[6];
  {
    float *const to = (float *)(hexcc_shared + 160) + ((warp + 1) * 6 + slot5) * 272 + 4 * lane;
    hexcc_put<4>(to + 4, row4 + 0);
    hexcc_put<4>(to + 140, row4 + 4);
  }
  w.to0 += (long)n;
}

// 6 beats of warps 0 to 1.
template <bool full>
static __device__ __forceinline__ void hexcc_w_0_rows_turn0(struct hexcc_w_0_rows_held0 &w,
    struct hexcc_w_0_rows_copies &c, long first, float *A, long n, int warp, int lane, int thread)
{
  const long beat = full ? first : hexcc_anew(first);
  const long time = (long)hexcc_chain().time;
  const long column = (long)hexcc_chain().column;
  if (full) {
    const float *nowhere = NULL; // full turns have no border
    hexcc_w_0_rows_beat0<full>(w, w.row0, w.row1, w.row2, w.row3, w.row4, 4, 4, 4, 0, 0, 0, 0, 0u, 0u, false,
        nowhere, A, n, time, column, beat, warp, lane, thread);
    hexcc_w_0_rows_copy0<full>(c, 2, 0u, 4, 0u, n, thread);
    hexcc_w_0_rows_beat0<full>(w, w.row0, w.row1, w.row2, w.row3, w.row4, 5, 5, 5, 1, 1, 1, 1, 0u, 0u, false,
        nowhere, A, n, time, column, beat + 1, warp, lane, thread);
    hexcc_w_0_rows_copy0<full>(c, 3, 0u, 5, 0u, n, thread);
    hexcc_pass();
    hexcc_w_0_rows_beat0<full>(w, w.row0, w.row1, w.row2, w.row3, w.row4, 0, 0, 0, 2, 2, 2, 2, 0u, 0u, false,
        nowhere, A, n, time, column, beat + 2, warp, lane, thread);
    hexcc_w_0_rows_copy0<full>(c, 4, 0u, 0, 0u, n, thread);
    hexcc_w_0_rows_beat0<full>(w, w.row0, w.row1, w.row2, w.row3, w.row4, 1, 1, 1, 3, 3, 3, 3, 0u, 0u, false,
        nowhere, A, n, time, column, beat + 3, warp, lane, thread);
    hexcc_w_0_rows_copy0<full>(c, 5, 0u, 1, 0u, n, thread);
    hexcc_pass();
    hexcc_w_0_rows_beat0<full>(w, w.row0, w.row1, w.row2, w.row3, w.row4, 2, 2, 2, 4, 4, 4, 4, 0u, 0u, false,
        nowhere, A, n, time, column, beat + 4, warp, lane, thread);
    hexcc_w_0_rows_copy0<full>(c, 0, 0u, 2, 0u, n, thread);
    hexcc_w_0_rows_beat0<full>(w, w.row0, w.row1, w.row2, w.row3, w.row4, 3, 3, 3, 5, 5, 5, 5, 0u, 0u, false,
        nowhere, A, n, time, column, beat + 5, warp, lane, thread);
    hexcc_w_0_rows_copy0<full>(c, 1, 0u, 3, 0u, n, thread);
    hexcc_pass();
  } else {
    unsigned during0 = 0; // in which beats the condition of the lane holds
    {
      const long *const pair = (long *)(hexcc_shared + 43568) + 64 * warp + 2 * (lane);
      during0 = hexcc_bits(pair[0] - beat, pair[1] - beat);
    }
    {
      const long *const pair = (long *)(hexcc_shared + 46640) + 2 * thread;
      unsigned *const word = (unsigned *)(hexcc_shared + 48688) + thread;
      *word = hexcc_bits(pair[0] - beat, pair[1] - beat);
    }
    {
      const long *const pair = (long *)(hexcc_shared + 49200) + 2 * thread;
      unsigned *const word = (unsigned *)(hexcc_shared + 51248) + thread;
      *word = hexcc_bits(pair[0] - beat, pair[1] - beat);
    }
    const unsigned beside3 = ((const unsigned *)(hexcc_shared + 38448) + thread)[384];
    const bool some3 = __ballot_sync(~0u, beside3 != 0) != 0;
    const long *const kept = (long *)(hexcc_shared + 44592) + 2 * thread;
    const float *margin_at = (const float *)kept[0] + (beat - (long)hexcc_chain().lo) * ((long)n);
    #pragma unroll 1
    for (int i_ = 0; i_ < 6; i_ += 1) {
      { const unsigned when0 = __ballot_sync(~0u, during0 >> (i_) & 1);
      hexcc_w_0_rows_beat0<full>(w, w.row0, w.row1, w.row2, w.row3, w.row4, i_ == 0 ? 4 : i_ == 1 ? 5
          : i_ == 2 ? 0 : i_ == 3 ? 1 : i_ == 4 ? 2 : 3, i_ == 0 ? 4 : i_ == 1 ? 5 : i_ == 2 ? 0 : i_ == 3
          ? 1 : i_ == 4 ? 2 : 3, i_ == 0 ? 4 : i_ == 1 ? 5 : i_ == 2 ? 0 : i_ == 3 ? 1 : i_ == 4 ? 2 : 3,
          i_ == 0 ? 0 : i_ == 1 ? 1 : i_ == 2 ? 2 : i_ == 3 ? 3 : i_ == 4 ? 4 : 5, i_ == 0 ? 0 : i_ == 1 ? 1
          : i_ == 2 ? 2 : i_ == 3 ? 3 : i_ == 4 ? 4 : 5, i_ == 0 ? 0 : i_ == 1 ? 1 : i_ == 2 ? 2 : i_ == 3
          ? 3 : i_ == 4 ? 4 : 5, i_, when0, beside3, some3, margin_at, A, n, time, column, beat + i_, warp,
          lane, thread);
      hexcc_w_0_rows_copy0<full>(c, i_ == 0 ? 2 : i_ == 1 ? 3 : i_ == 2 ? 4 : i_ == 3 ? 5 : i_ == 4 ? 0 : 1,
          (when0 >> 30 & 1 ? ((const unsigned *)(hexcc_shared + 37424))[thread] : 0u), i_ == 0 ? 4 : i_ == 1
          ? 5 : i_ == 2 ? 0 : i_ == 3 ? 1 : i_ == 4 ? 2 : 3, (when0 >> 31 & 1
          ? ((const unsigned *)(hexcc_shared + 37424))[thread + 128] : 0u), n, thread);
      }
      if ((i_) % 2 == 1)
        hexcc_pass();
    }
  }
}

// Whether a column is one of those.
static __device__ __forceinline__ bool hexcc_w_0_rows_column0(long n, long at)
{
  return at >= 0 && at <= n - 1;
}

// Whether a column is one of those.
static __device__ __forceinline__ bool hexcc_w_0_rows_column1(long n, long at)
{
  return at >= 1 && at <= n - 2;
}

// The beats of a chain in warps 0 to 1.
static __device__ __forceinline__ void hexcc_w_0_rows_stage0(const struct hexcc_order &order, float *A,
    long T, long n, int warp, int lane, int thread)
{
  struct hexcc_w_0_rows_held0 w;
  struct hexcc_w_0_rows_copies c;
  long beat = (long)hexcc_chain().lo;
  {
    const long time = (long)hexcc_chain().time;
    const long column = (long)hexcc_chain().column;
    {
      long *const pair = (long *)(hexcc_shared + 46640) + 2 * thread;
          // the beats in which the element is copied
      pair[0] = 0, pair[1] = -1;
      w.at0 = NULL;
      if (lane < 2) {
        const long at = column - 4*warp + 5 + lane;
        w.at0 = &A_at((time + 1) & 1, beat - 2*warp + 4, at);
        if (at >= 0 && at <= n - 1 && time + 4*warp >= -1 && time + 4*warp <= T - 1) {
          pair[0] = long_max(2*warp - 4, beat);
          pair[1] = n + 2*warp - 5;
        }
      }
      else if (lane < 4) {
        const long at = column + 4*warp + 246 + lane - 2;
        w.at0 = &A_at((time + 1) & 1, beat - 2*warp + 4, at);
        if (at >= 0 && at <= n - 1 && time + 4*warp >= -1 && time + 4*warp <= T - 1) {
          pair[0] = long_max(2*warp - 4, beat);
          pair[1] = n + 2*warp - 5;
        }
      }
      else if (lane < 6) {
        const long at = column - 4*warp + 4 + lane - 4;
        w.at0 = &A_at(time & 1, beat - 2*warp + 4, at);
        if (at >= 0 && at <= n - 1 && time + 4*warp >= -2 && time + 4*warp <= T - 2) {
          pair[0] = long_max(2*warp - 4, beat);
          pair[1] = n + 2*warp - 5;
        }
      }
      else if (lane < 8) {
        const long at = column + 4*warp + 247 + lane - 6;
        w.at0 = &A_at(time & 1, beat - 2*warp + 4, at);
        if (at >= 0 && at <= n - 1 && time + 4*warp >= -2 && time + 4*warp <= T - 2) {
          pair[0] = long_max(2*warp - 4, beat);
          pair[1] = n + 2*warp - 5;
        }
      }
      else if (lane < 10) {
        const long at = column - 4*warp + 3 + lane - 8;
        w.at0 = &A_at((time + 1) & 1, beat - 2*warp + 4, at);
        if (at >= 0 && at <= n - 1 && time + 4*warp >= -3 && time + 4*warp <= T - 3) {
          pair[0] = long_max(2*warp - 4, beat);
          pair[1] = n + 2*warp - 5;
        }
      }
      else if (lane < 12) {
        const long at = column + 4*warp + 248 + lane - 10;
        w.at0 = &A_at((time + 1) & 1, beat - 2*warp + 4, at);
        if (at >= 0 && at <= n - 1 && time + 4*warp >= -3 && time + 4*warp <= T - 3) {
          pair[0] = long_max(2*warp - 4, beat);
          pair[1] = n + 2*warp - 5;
        }
      }
      else if (lane < 13) {
        const long at = column - 4*warp + 3 + lane - 12;
        w.at0 = &A_at(time & 1, beat - 2*warp + 4, at);
        if (at >= 0 && at <= n - 1 && time + 4*warp >= -4 && time + 4*warp <= T - 4) {
          pair[0] = long_max(2*warp - 4, beat);
          pair[1] = n + 2*warp - 5;
        }
      }
      else if (lane < 14) {
        if (warp == 0) {
          const long at = column + 2 + lane - 13;
          w.at0 = &A_at(time & 1, beat - 2*warp + 4, at);
          if (at >= 0 && at <= n - 1 && time + 4*warp >= -4 && time + 4*warp <= T - 4) {
            pair[0] = long_max(2*warp - 4, beat);
            pair[1] = n + 2*warp - 5;
          }
        }
      }
      else if (lane < 15) {
        const long at = column + 4*warp + 249 + lane - 14;
        w.at0 = &A_at(time & 1, beat - 2*warp + 4, at);
        if (at >= 0 && at <= n - 1 && time + 4*warp >= -4 && time + 4*warp <= T - 4) {
          pair[0] = long_max(2*warp - 4, beat);
          pair[1] = n + 2*warp - 5;
        }
      }
      else if (lane < 16) {
        if (warp == 0) {
          const long at = column + 250 + lane - 15;
          w.at0 = &A_at(time & 1, beat - 2*warp + 4, at);
          if (at >= 0 && at <= n - 1 && time + 4*warp >= -4 && time + 4*warp <= T - 4) {
            pair[0] = long_max(2*warp - 4, beat);
            pair[1] = n + 2*warp - 5;
          }
        }
      }
    }
    {
      long *const pair = (long *)(hexcc_shared + 49200) + 2 * thread;
          // the beats in which the element is copied
      pair[0] = 0, pair[1] = -1;
      long *const kept = (long *)(hexcc_shared + 44592) + 2 * thread;
      kept[0] = kept[1] = 0;
      if (lane < 1) {
        const long at = 0 + lane;
        long *const kept = (long *)(hexcc_shared + 44592) + 2 * thread;
        kept[0] = (long)&A_at((time + 1) & 1, beat - 2*warp + 4, at);
        kept[1] = (long)n;
        if (at >= 0 && at <= n - 1 && time + 4*warp >= -1 && time + 4*warp <= T - 1 && at + 4*warp >= column
            + 7 && column + 4*warp >= at - 245) {
          pair[0] = long_max(2*warp - 4, beat);
          pair[1] = n + 2*warp - 5;
        }
      }
      else if (lane < 2) {
        const long at = n - 1 + lane - 1;
        long *const kept = (long *)(hexcc_shared + 44592) + 2 * thread;
        kept[0] = (long)&A_at((time + 1) & 1, beat - 2*warp + 4, at);
        kept[1] = (long)n;
        if (at >= 0 && at <= n - 1 && time + 4*warp >= -1 && time + 4*warp <= T - 1 && at + 4*warp >= column
            + 7 && column + 4*warp >= at - 245) {
          pair[0] = long_max(2*warp - 4, beat);
          pair[1] = n + 2*warp - 5;
        }
      }
      else if (lane < 3) {
        const long at = 0 + lane - 2;
        long *const kept = (long *)(hexcc_shared + 44592) + 2 * thread;
        kept[0] = (long)&A_at(time & 1, beat - 2*warp + 4, at);
        kept[1] = (long)n;
        if (at >= 0 && at <= n - 1 && time + 4*warp >= -2 && time + 4*warp <= T - 2 && at + 4*warp >= column
            + 6 && column + 4*warp >= at - 246) {
          pair[0] = long_max(2*warp - 4, beat);
          pair[1] = n + 2*warp - 5;
        }
      }
      else if (lane < 4) {
        const long at = n - 1 + lane - 3;
        long *const kept = (long *)(hexcc_shared + 44592) + 2 * thread;
        kept[0] = (long)&A_at(time & 1, beat - 2*warp + 4, at);
        kept[1] = (long)n;
        if (at >= 0 && at <= n - 1 && time + 4*warp >= -2 && time + 4*warp <= T - 2 && at + 4*warp >= column
            + 6 && column + 4*warp >= at - 246) {
          pair[0] = long_max(2*warp - 4, beat);
          pair[1] = n + 2*warp - 5;
        }
      }
      else if (lane < 5) {
        const long at = 0 + lane - 4;
        long *const kept = (long *)(hexcc_shared + 44592) + 2 * thread;
        kept[0] = (long)&A_at((time + 1) & 1, beat - 2*warp + 4, at);
        kept[1] = (long)n;
        if (at >= 0 && at <= n - 1 && time + 4*warp >= -3 && time + 4*warp <= T - 3 && at + 4*warp >= column
            + 5 && column + 4*warp >= at - 247) {
          pair[0] = long_max(2*warp - 4, beat);
          pair[1] = n + 2*warp - 5;
        }
      }
      else if (lane < 6) {
        const long at = n - 1 + lane - 5;
        long *const kept = (long *)(hexcc_shared + 44592) + 2 * thread;
        kept[0] = (long)&A_at((time + 1) & 1, beat - 2*warp + 4, at);
        kept[1] = (long)n;
        if (at >= 0 && at <= n - 1 && time + 4*warp >= -3 && time + 4*warp <= T - 3 && at + 4*warp >= column
            + 5 && column + 4*warp >= at - 247) {
          pair[0] = long_max(2*warp - 4, beat);
          pair[1] = n + 2*warp - 5;
        }
      }
      else if (lane < 7) {
        const long at = 0 + lane - 6;
        long *const kept = (long *)(hexcc_shared + 44592) + 2 * thread;
        kept[0] = (long)&A_at(time & 1, beat - 2*warp + 4, at);
        kept[1] = (long)n;
        if (at >= 0 && at <= n - 1 && time + 4*warp >= -4 && time + 4*warp <= T - 4 && at + 4*warp >= column
            + 4 && column + 4*warp >= at - 248) {
          pair[0] = long_max(2*warp - 4, beat);
          pair[1] = n + 2*warp - 5;
        }
      }
      else if (lane < 8) {
        const long at = n - 1 + lane - 7;
        long *const kept = (long *)(hexcc_shared + 44592) + 2 * thread;
        kept[0] = (long)&A_at(time & 1, beat - 2*warp + 4, at);
        kept[1] = (long)n;
        if (at >= 0 && at <= n - 1 && time + 4*warp >= -4 && time + 4*warp <= T - 4 && at + 4*warp >= column
            + 4 && column + 4*warp >= at - 248) {
          pair[0] = long_max(2*warp - 4, beat);
          pair[1] = n + 2*warp - 5;
        }
      }
    }
    {
      const long at = column;
      w.to0 = &A_at(time & 1, beat - 2*warp, at);
    }
    // in which beats turns that are not full have points, elements and last steps: each lane notes some
    for (int i_ = lane; i_ < 32; i_ += 32) {
      long *const pair = (long *)(hexcc_shared + 43568) + 64 * warp + 2 * i_;
      pair[0] = 0, pair[1] = -1;
      switch (i_) {
      case 0:
        if (time + 4*warp >= 0 && time + 4*warp <= T - 1) {
          pair[0] = long_max(2*warp + 1, beat);
          pair[1] = n + 2*warp - 2;
        }
        break;
      case 1:
        if (time + 4*warp >= -1 && time + 4*warp <= T - 1) {
          pair[0] = long_max(2*warp, beat);
          pair[1] = n + 2*warp - 1;
        }
        break;
      case 2:
        if (time + 4*warp >= 0 && time + 4*warp <= T - 1 && time + 4*warp >= T - 2) {
          pair[0] = long_max(2*warp + 1, beat);
          pair[1] = n + 2*warp - 2;
        }
        break;
      case 3:
        if (time + 4*warp >= 0 && time + 4*warp <= T - 1 && n >= 9 && time + 4*warp <= T - 3) {
          pair[0] = long_max(2*warp + 1, beat);
          pair[1] = n + 2*warp - 2;
        }
        break;
      case 4:
        if (time + 4*warp <= -2) {
          pair[0] = beat;
          pair[1] = (long)hexcc_chain().hi + 6;
        }
        break;
      case 5:
        if (time + 4*warp >= T) {
          pair[0] = beat;
          pair[1] = (long)hexcc_chain().hi + 6;
        }
        break;
      case 6:
        if (time + 4*warp >= 0 && time + 4*warp <= T - 1 && n >= 9) {
          pair[0] = long_max(2*warp + 1, beat);
          pair[1] = n + 2*warp - 2;
        }
        break;
      case 7:
        if (time + 4*warp >= -1 && time + 4*warp <= T - 2) {
          pair[0] = long_max(2*warp + 1, beat);
          pair[1] = n + 2*warp - 2;
        }
        break;
      case 8:
        if (time + 4*warp >= -2 && time + 4*warp <= T - 2) {
          pair[0] = long_max(2*warp, beat);
          pair[1] = n + 2*warp - 1;
        }
        break;
      case 9:
        if (time + 4*warp >= -1 && time + 4*warp <= T - 2 && time + 4*warp >= T - 3) {
          pair[0] = long_max(2*warp + 1, beat);
          pair[1] = n + 2*warp - 2;
        }
        break;
      case 10:
        if (time + 4*warp >= -1 && time + 4*warp <= T - 2 && n >= 9 && time + 4*warp <= T - 4) {
          pair[0] = long_max(2*warp + 1, beat);
          pair[1] = n + 2*warp - 2;
        }
        break;
      case 11:
        if (time + 4*warp <= -3) {
          pair[0] = beat;
          pair[1] = (long)hexcc_chain().hi + 6;
        }
        break;
      case 12:
        if (time + 4*warp >= T - 1) {
          pair[0] = beat;
          pair[1] = (long)hexcc_chain().hi + 6;
        }
        break;
      case 13:
        if (time + 4*warp >= -1 && time + 4*warp <= T - 2 && n >= 9) {
          pair[0] = long_max(2*warp + 1, beat);
          pair[1] = n + 2*warp - 2;
        }
        break;
      case 14:
        if (time + 4*warp >= -2 && time + 4*warp <= T - 3) {
          pair[0] = long_max(2*warp + 1, beat);
          pair[1] = n + 2*warp - 2;
        }
        break;
      case 15:
        if (time + 4*warp >= -3 && time + 4*warp <= T - 3) {
          pair[0] = long_max(2*warp, beat);
          pair[1] = n + 2*warp - 1;
        }
        break;
      case 16:
        if (time + 4*warp >= -2 && time + 4*warp <= T - 3 && time + 4*warp >= T - 4) {
          pair[0] = long_max(2*warp + 1, beat);
          pair[1] = n + 2*warp - 2;
        }
        break;
      case 17:
        if (time + 4*warp >= -2 && time + 4*warp <= T - 3 && n >= 9 && time + 4*warp <= T - 5) {
          pair[0] = long_max(2*warp + 1, beat);
          pair[1] = n + 2*warp - 2;
        }
        break;
      case 18:
        if (time + 4*warp <= -4) {
          pair[0] = beat;
          pair[1] = (long)hexcc_chain().hi + 6;
        }
        break;
      case 19:
        if (time + 4*warp >= T - 2) {
          pair[0] = beat;
          pair[1] = (long)hexcc_chain().hi + 6;
        }
        break;
      case 20:
        if (time + 4*warp >= -2 && time + 4*warp <= T - 3 && n >= 9) {
          pair[0] = long_max(2*warp + 1, beat);
          pair[1] = n + 2*warp - 2;
        }
        break;
      case 21:
        if (time + 4*warp >= -3 && time + 4*warp <= T - 4) {
          pair[0] = long_max(2*warp + 1, beat);
          pair[1] = n + 2*warp - 2;
        }
        break;
      case 22:
        if (time + 4*warp >= -4 && time + 4*warp <= T - 4) {
          pair[0] = long_max(2*warp, beat);
          pair[1] = n + 2*warp - 1;
        }
        break;
      case 23:
        if (time + 4*warp >= -3 && time + 4*warp <= T - 4 && time + 4*warp >= T - 5) {
          pair[0] = long_max(2*warp + 1, beat);
          pair[1] = n + 2*warp - 2;
        }
        break;
      case 24:
        if (time + 4*warp >= -3 && time + 4*warp <= T - 4 && n >= 9 && time + 4*warp <= T - 6) {
          pair[0] = long_max(2*warp + 1, beat);
          pair[1] = n + 2*warp - 2;
        }
        break;
      case 25:
        if (time + 4*warp <= -5) {
          pair[0] = beat;
          pair[1] = (long)hexcc_chain().hi + 6;
        }
        break;
      case 26:
        if (time + 4*warp >= T - 3) {
          pair[0] = beat;
          pair[1] = (long)hexcc_chain().hi + 6;
        }
        break;
      case 27:
        if (time + 4*warp >= -3 && time + 4*warp <= T - 4 && n >= 9) {
          pair[0] = long_max(2*warp + 1, beat);
          pair[1] = n + 2*warp - 2;
        }
        break;
      case 28:
        if (time + 4*warp >= -3 && time + 4*warp <= T - 4 && column >= 1 && column <= n - 2) {
          pair[0] = long_max(2*warp + 1, beat);
          pair[1] = n + 2*warp - 2;
        }
        break;
      case 29:
        if (time + 4*warp >= -3 && time + 4*warp <= T - 4 && column >= -251 && column <= n - 254) {
          pair[0] = long_max(2*warp + 1, beat);
          pair[1] = n + 2*warp - 2;
        }
        break;
      case 30:
        if (time >= 0 && time <= T) {
          pair[0] = long_max(-4L, beat);
          pair[1] = n - 5;
        }
        break;
      case 31:
        if (time >= -15 && time <= T - 16) {
          pair[0] = long_max(9L, beat);
          pair[1] = n + 6;
        }
        break;
      }
    }
    // which columns of the lane are in domains, and in tiles
    {
      const long first = column - 4*warp + 2 + 8 * lane;
      unsigned *const mask = (unsigned *)(hexcc_shared + 38448) + thread;
      mask[0] = hexcc_bits((long)(1 - first), (long)(n - 2 - first)) & 0xffu;
      mask[128] = hexcc_bits((long)(0 - first), (long)(n - 1 - first)) & hexcc_bits(5 - 8 * lane, 8*warp
          + 243 - 8 * lane) & 0xffu;
      mask[256] = hexcc_bits((long)(1 - first), (long)(n - 2 - first)) & hexcc_bits(5 - 8 * lane, 8*warp
          + 243 - 8 * lane) & 0xffu;
      mask[384] = 0; // columns beside a domain
      {
        const unsigned bits = hexcc_bits((long)(0 - first), (long)(0 - first)) & 0xffu;
        if (bits != 0)
          mask[384] = bits | 0 << 16;
      }
      {
        const unsigned bits = hexcc_bits((long)(n - 1 - first), (long)(n - 1 - first)) & 0xffu;
        if (bits != 0)
          mask[384] = bits | 1 << 16;
      }
      mask[512] = hexcc_bits((long)(0 - first), (long)(n - 1 - first)) & hexcc_bits(4 - 8 * lane, 8*warp
          + 244 - 8 * lane) & 0xffu;
      mask[640] = hexcc_bits((long)(1 - first), (long)(n - 2 - first)) & hexcc_bits(4 - 8 * lane, 8*warp
          + 244 - 8 * lane) & 0xffu;
      mask[768] = hexcc_bits((long)(0 - first), (long)(n - 1 - first)) & hexcc_bits(3 - 8 * lane, 8*warp
          + 245 - 8 * lane) & 0xffu;
      mask[896] = hexcc_bits((long)(1 - first), (long)(n - 2 - first)) & hexcc_bits(3 - 8 * lane, 8*warp
          + 245 - 8 * lane) & 0xffu;
      mask[1024] = hexcc_bits((long)(0 - first), (long)(n - 1 - first)) & hexcc_bits(2 - 8 * lane, 8*warp
          + 246 - 8 * lane) & 0xffu;
      mask[1152] = hexcc_bits((long)(1 - first), (long)(n - 2 - first)) & hexcc_bits(2 - 8 * lane, 8*warp
          + 246 - 8 * lane) & ~(warp == 1 ? hexcc_bits(4*warp - 2 - 8 * lane, 4*warp - 2 - 8 * lane)
          : 0u) & ~(warp == 1 ? hexcc_bits(4*warp + 250 - 8 * lane, 4*warp + 250 - 8 * lane) : 0u) & 0xffu;
    }
    {
      const long at = column + 6 + thread;
      c.at0 = &A_at(time & 1, beat + 4, at);
    }
    c.place0 = hexcc_place<8, 4>(thread);
    {
      const long at = column + 7 + thread;
      c.at1 = &A_at(time & 1, beat - 8, at);
    }
    c.place1 = hexcc_place<8, 4>(thread + 5);
    {
      unsigned *const rounds = (unsigned *)(hexcc_shared + 37424) + thread; // in which rounds it copies
      rounds[0] = (hexcc_w_0_rows_column0(n, column + 6 + thread) ? 0x1u : 0u) | (thread + 128 < 241
          && hexcc_w_0_rows_column0(n, column + 6 + thread + 128) ? 0x2u : 0u);
      rounds[128] = (hexcc_w_0_rows_column1(n, column + 7 + thread) ? 0x1u : 0u) | (thread + 128 < 239
          && hexcc_w_0_rows_column1(n, column + 7 + thread + 128) ? 0x2u : 0u);
    }
  }
  // registers that nothing has set would be kept from all that runs before
  hexcc_zero(w.row0); hexcc_zero(w.row1); hexcc_zero(w.row2); hexcc_zero(w.row3);
  hexcc_zero(w.row4);
  for (int left = 0; beat <= (long)hexcc_chain().hi; beat += 6) {
    if (left == 0) {
      hexcc_look_out(order, beat, false);
      hexcc_meet();
      left = 8; // turns
    }
    const long *const pair = (const long *)(hexcc_shared + 37408);
    if (pair[0] <= beat && beat <= pair[1])
      hexcc_w_0_rows_turn0<true>(w, c, beat, A, n, warp, lane, thread);
    else
      hexcc_w_0_rows_turn0<false>(w, c, beat, A, n, warp, lane, thread);
    if (--left == 0)
      hexcc_report(HEXCC_PLACE(beat + 5));
  }
}

// What a lane of warps 2 to 3 holds.
struct hexcc_w_0_rows_held1 {
  float row0[10], row1[10], row2[10], row3[10];
  float row4[8];
  float *at0; // what leaves to next
};

// A beat of warps 2 to 3.
template <bool full>
static __device__ __forceinline__ void hexcc_w_0_rows_beat1(struct hexcc_w_0_rows_held1 &w,
    float (&row0)[10], float (&row1)[10], float (&row2)[10], float (&row3)[10], float (&row4)[8], int slot0,
    int slot1, int slot2, int slot3, int slot4, int number, unsigned when0, unsigned beside3, bool some3,
    const float *&margin_at, float *A, long n, long time, long column, long beat, int warp, int lane,
    int thread)
{
  const unsigned *const columns = (const unsigned *)(hexcc_shared + 38448) + thread;
  {
    const float *const from = (const float *)(hexcc_shared + 160) + (warp * 6 + slot0) * 272 + 4 * lane;
    hexcc_get<4>(row0 + 1, from + (warp == 2 ? 4 : 140));
    hexcc_get<4>(row0 + 5, from + (warp == 2 ? 140 : 8));
  }
  if (!full) {
    if (*((unsigned *)(hexcc_shared + 59376) + thread) >> number & 1)
      hexcc_fetch((float *)(hexcc_shared + 36640) + (warp * 6 + slot1) * 8 + lane, margin_at);
    margin_at += (long)n;
  }
  hexcc_exchange<1, 8, 1, 1>(row0);
  hexcc_w_0_rows_step0(row0, row1);
  if (!full && some3)
    hexcc_hold<8>(row1 + 1, beside3, *((float *)(hexcc_shared + 36640) + (warp * 6 + slot2) * 8
      + (int)(beside3 >> 16)));
  if (!full && (when0 & 0x38u) == 0) {
    const long first = full ? column + 4*warp - 10 + 8 * lane : hexcc_anew(column + 4*warp - 10 + 8 * lane);
    const unsigned take = (when0 & 0x40u) == 0 ? ((when0 >> 1 & 1 ? columns[128] : 0u)) & ~((when0 >> 0 & 1
        ? columns[0] : 0u)) : 0u;
    if (take != 0)
      hexcc_load<8>(row1 + 1, take, &A_at((time + 1) & 1, beat - 2*warp, first));
    const unsigned mask = (when0 >> 2 & 1 ? columns[256] : 0u);
    if (mask != 0) {
      hexcc_store<8>(&A_at((time + 1) & 1, beat - 2*warp, first), mask & ((when0 >> 0 & 1 ? columns[0]
          : 0u)), row1 + 1);
    }
  }
  if (lane == 0)
    hexcc_put<2>((float *)(hexcc_shared + 35104) + (warp * 6 + slot3) * 16, row1 + 3);
  if (lane == 33 - warp)
    hexcc_put<2>((float *)(hexcc_shared + 35104) + (warp * 6 + slot3) * 16 + 2, row1 + 6);
  hexcc_exchange<1, 8, 1, 1>(row1);
  hexcc_w_0_rows_step0(row1, row2);
  if (!full && some3)
    hexcc_hold<8>(row2 + 1, beside3, *((float *)(hexcc_shared + 36640) + (warp * 6 + slot2) * 8 + 2
      + (int)(beside3 >> 16)));
  if (!full && (when0 & 0x1c00u) == 0) {
    const long first = full ? column + 4*warp - 10 + 8 * lane : hexcc_anew(column + 4*warp - 10 + 8 * lane);
    const unsigned take = (when0 & 0x2000u) == 0 ? ((when0 >> 8 & 1 ? columns[512] : 0u)) & ~((when0 >> 7 & 1
        ? columns[0] : 0u)) : 0u;
    if (take != 0)
      hexcc_load<8>(row2 + 1, take, &A_at(time & 1, beat - 2*warp, first));
    const unsigned mask = (when0 >> 9 & 1 ? columns[640] : 0u);
    if (mask != 0) {
      hexcc_store<8>(&A_at(time & 1, beat - 2*warp, first), mask & ((when0 >> 7 & 1 ? columns[0] : 0u)), row2
          + 1);
    }
  }
  if (lane == 0)
    hexcc_put<2>((float *)(hexcc_shared + 35104) + (warp * 6 + slot3) * 16 + 4, row2 + 4);
  if (lane == 33 - warp)
    hexcc_put<2>((float *)(hexcc_shared + 35104) + (warp * 6 + slot3) * 16 + 6, row2 + 5);
  hexcc_exchange<1, 8, 1, 1>(row2);
  hexcc_w_0_rows_step0(row2, row3);
  if (!full && some3)
    hexcc_hold<8>(row3 + 1, beside3, *((float *)(hexcc_shared + 36640) + (warp * 6 + slot2) * 8 + 4
      + (int)(beside3 >> 16)));
  if (!full && (when0 & 0xe0000u) == 0) {
    const long first = full ? column + 4*warp - 10 + 8 * lane : hexcc_anew(column + 4*warp - 10 + 8 * lane);
    const unsigned take = (when0 & 0x100000u) == 0 ? ((when0 >> 15 & 1 ? columns[768]
        : 0u)) & ~((when0 >> 14 & 1 ? columns[0] : 0u)) : 0u;
    if (take != 0)
      hexcc_load<8>(row3 + 1, take, &A_at((time + 1) & 1, beat - 2*warp, first));
    const unsigned mask = (when0 >> 16 & 1 ? columns[896] : 0u);
    if (mask != 0) {
      hexcc_store<8>(&A_at((time + 1) & 1, beat - 2*warp, first), mask & ((when0 >> 14 & 1 ? columns[0]
          : 0u)), row3 + 1);
    }
  }
  if (lane == 0)
    hexcc_put<2>((float *)(hexcc_shared + 35104) + (warp * 6 + slot3) * 16 + 8, row3 + 5);
  if (lane == 33 - warp)
    hexcc_put<2>((float *)(hexcc_shared + 35104) + (warp * 6 + slot3) * 16 + 10, row3 + 4);
  hexcc_exchange<1, 8, 1, 1>(row3);
  hexcc_w_0_rows_step1(row3, row4);
  if (!full && some3)
    hexcc_hold<8>(row4 + 0, beside3, *((float *)(hexcc_shared + 36640) + (warp * 6 + slot2) * 8 + 6
      + (int)(beside3 >> 16)));
  if (!full && (when0 & 0x7000000u) == 0) {
    const long first = full ? column + 4*warp - 10 + 8 * lane : hexcc_anew(column + 4*warp - 10 + 8 * lane);
    const unsigned take = (when0 & 0x8000000u) == 0 ? ((when0 >> 22 & 1 ? columns[1024]
        : 0u)) & ~((when0 >> 21 & 1 ? columns[0] : 0u)) : 0u;
    if (take != 0)
      hexcc_load<8>(row4 + 0, take, &A_at(time & 1, beat - 2*warp, first));
    const unsigned mask = (when0 >> 23 & 1 ? columns[1152] : 0u);
    if (mask != 0) {
      hexcc_store<8>(&A_at(time & 1, beat - 2*warp, first), mask & ((when0 >> 21 & 1 ? columns[0] : 0u)),
          row4 + 0);
    }
  }
  if (lane == 0 && warp == 2)
    hexcc_put<2>((float *)(hexcc_shared + 35104) + (warp * 6 + slot3) * 16 + 12, row4 + 5);
  if (lane == 31 && warp == 2)
    hexcc_put<2>((float *)(hexcc_shared + 35104) + (warp * 6 + slot3) * 16 + 14, row4 + 2);
  {
    float *const to = (float *)(hexcc_shared + 160) + ((warp + 1) * 6 + slot4) * 272 + 4 * lane;
    hexcc_put<4>(to + 4, row4 + 0);
    hexcc_put<4>(to + 140, row4 + 4);
  }
  __syncwarp();
  if (full ? (lane < 12) || (lane >= 12 && lane < 16 && warp == 2) : *((unsigned *)(hexcc_shared + 56816)
      + thread) >> number & 1)
    *w.at0 = *((float *)(hexcc_shared + 35104) + (warp * 6 + slot3) * 16 + lane);
  w.at0 += (long)n;
}

// 6 beats of warps 2 to 3.
template <bool full>
static __device__ __forceinline__ void hexcc_w_0_rows_turn1(struct hexcc_w_0_rows_held1 &w,
    struct hexcc_w_0_rows_copies &c, long first, float *A, long n, int warp, int lane, int thread)
{
  const long beat = full ? first : hexcc_anew(first);
  const long time = (long)hexcc_chain().time;
  const long column = (long)hexcc_chain().column;
  if (full) {
    const float *nowhere = NULL; // full turns have no border
    hexcc_w_0_rows_beat1<full>(w, w.row0, w.row1, w.row2, w.row3, w.row4, 4, 4, 0, 0, 0, 0, 0u, 0u, false,
        nowhere, A, n, time, column, beat, warp, lane, thread);
    hexcc_w_0_rows_copy0<full>(c, 2, 0u, 4, 0u, n, thread);
    hexcc_w_0_rows_beat1<full>(w, w.row0, w.row1, w.row2, w.row3, w.row4, 5, 5, 1, 1, 1, 1, 0u, 0u, false,
        nowhere, A, n, time, column, beat + 1, warp, lane, thread);
    hexcc_w_0_rows_copy0<full>(c, 3, 0u, 5, 0u, n, thread);
    hexcc_pass();
    hexcc_w_0_rows_beat1<full>(w, w.row0, w.row1, w.row2, w.row3, w.row4, 0, 0, 2, 2, 2, 2, 0u, 0u, false,
        nowhere, A, n, time, column, beat + 2, warp, lane, thread);
    hexcc_w_0_rows_copy0<full>(c, 4, 0u, 0, 0u, n, thread);
    hexcc_w_0_rows_beat1<full>(w, w.row0, w.row1, w.row2, w.row3, w.row4, 1, 1, 3, 3, 3, 3, 0u, 0u, false,
        nowhere, A, n, time, column, beat + 3, warp, lane, thread);
    hexcc_w_0_rows_copy0<full>(c, 5, 0u, 1, 0u, n, thread);
    hexcc_pass();
    hexcc_w_0_rows_beat1<full>(w, w.row0, w.row1, w.row2, w.row3, w.row4, 2, 2, 4, 4, 4, 4, 0u, 0u, false,
        nowhere, A, n, time, column, beat + 4, warp, lane, thread);
    hexcc_w_0_rows_copy0<full>(c, 0, 0u, 2, 0u, n, thread);
    hexcc_w_0_rows_beat1<full>(w, w.row0, w.row1, w.row2, w.row3, w.row4, 3, 3, 5, 5, 5, 5, 0u, 0u, false,
        nowhere, A, n, time, column, beat + 5, warp, lane, thread);
    hexcc_w_0_rows_copy0<full>(c, 1, 0u, 3, 0u, n, thread);
    hexcc_pass();
  } else {
    unsigned during0 = 0; // in which beats the condition of the lane holds
    if (lane < 30) {
      const long *const pair = (long *)(hexcc_shared + 51760) + 60 * (warp - 2) + 2 * (lane);
      during0 = hexcc_bits(pair[0] - beat, pair[1] - beat);
    }
    {
      const long *const pair = (long *)(hexcc_shared + 54768) + 2 * thread;
      unsigned *const word = (unsigned *)(hexcc_shared + 56816) + thread;
      *word = hexcc_bits(pair[0] - beat, pair[1] - beat);
    }
    {
      const long *const pair = (long *)(hexcc_shared + 57328) + 2 * thread;
      unsigned *const word = (unsigned *)(hexcc_shared + 59376) + thread;
      *word = hexcc_bits(pair[0] - beat, pair[1] - beat);
    }
    const unsigned beside3 = ((const unsigned *)(hexcc_shared + 38448) + thread)[384];
    const bool some3 = __ballot_sync(~0u, beside3 != 0) != 0;
    const long *const kept = (long *)(hexcc_shared + 52720) + 2 * thread;
    const float *margin_at = (const float *)kept[0] + (beat - (long)hexcc_chain().lo) * ((long)n);
    #pragma unroll 1
    for (int i_ = 0; i_ < 6; i_ += 1) {
      { const unsigned when0 = __ballot_sync(~0u, during0 >> (i_) & 1);
      hexcc_w_0_rows_beat1<full>(w, w.row0, w.row1, w.row2, w.row3, w.row4, i_ == 0 ? 4 : i_ == 1 ? 5
          : i_ == 2 ? 0 : i_ == 3 ? 1 : i_ == 4 ? 2 : 3, i_ == 0 ? 4 : i_ == 1 ? 5 : i_ == 2 ? 0 : i_ == 3
          ? 1 : i_ == 4 ? 2 : 3, i_ == 0 ? 0 : i_ == 1 ? 1 : i_ == 2 ? 2 : i_ == 3 ? 3 : i_ == 4 ? 4 : 5,
          i_ == 0 ? 0 : i_ == 1 ? 1 : i_ == 2 ? 2 : i_ == 3 ? 3 : i_ == 4 ? 4 : 5, i_ == 0 ? 0 : i_ == 1 ? 1
          : i_ == 2 ? 2 : i_ == 3 ? 3 : i_ == 4 ? 4 : 5, i_, when0, beside3, some3, margin_at, A, n, time,
          column, beat + i_, warp, lane, thread);
      hexcc_w_0_rows_copy0<full>(c, i_ == 0 ? 2 : i_ == 1 ? 3 : i_ == 2 ? 4 : i_ == 3 ? 5 : i_ == 4 ? 0 : 1,
          (when0 >> 28 & 1 ? ((const unsigned *)(hexcc_shared + 37424))[thread] : 0u), i_ == 0 ? 4 : i_ == 1
          ? 5 : i_ == 2 ? 0 : i_ == 3 ? 1 : i_ == 4 ? 2 : 3, (when0 >> 29 & 1
          ? ((const unsigned *)(hexcc_shared + 37424))[thread + 128] : 0u), n, thread);
      }
      if ((i_) % 2 == 1)
        hexcc_pass();
    }
  }
}

// The beats of a chain in warps 2 to 3.
static __device__ __forceinline__ void hexcc_w_0_rows_stage1(float *A, long T, long n, int warp, int lane,
    int thread)
{
  struct hexcc_w_0_rows_held1 w;
  struct hexcc_w_0_rows_copies c;
  long beat = (long)hexcc_chain().lo;
  {
    const long time = (long)hexcc_chain().time;
    const long column = (long)hexcc_chain().column;
    {
      long *const pair = (long *)(hexcc_shared + 54768) + 2 * thread;
          // the beats in which the element is copied
      pair[0] = 0, pair[1] = -1;
      w.at0 = NULL;
      if (lane < 2) {
        const long at = column + 4*warp - 8 + lane;
        w.at0 = &A_at((time + 1) & 1, beat - 2*warp, at);
        if (time + 4*warp >= 0 && time + 4*warp <= T - 1 && at >= 1 && at <= n - 2) {
          pair[0] = long_max(2*warp + 1, beat);
          pair[1] = n + 2*warp - 2;
        }
      }
      else if (lane < 4) {
        const long at = column - 4*warp + 259 + lane - 2;
        w.at0 = &A_at((time + 1) & 1, beat - 2*warp, at);
        if (time + 4*warp >= 0 && time + 4*warp <= T - 1 && at >= 1 && at <= n - 2) {
          pair[0] = long_max(2*warp + 1, beat);
          pair[1] = n + 2*warp - 2;
        }
      }
      else if (lane < 6) {
        const long at = column + 4*warp - 7 + lane - 4;
        w.at0 = &A_at(time & 1, beat - 2*warp, at);
        if (time + 4*warp >= -1 && time + 4*warp <= T - 2 && at >= 1 && at <= n - 2) {
          pair[0] = long_max(2*warp + 1, beat);
          pair[1] = n + 2*warp - 2;
        }
      }
      else if (lane < 8) {
        const long at = column - 4*warp + 258 + lane - 6;
        w.at0 = &A_at(time & 1, beat - 2*warp, at);
        if (time + 4*warp >= -1 && time + 4*warp <= T - 2 && at >= 1 && at <= n - 2) {
          pair[0] = long_max(2*warp + 1, beat);
          pair[1] = n + 2*warp - 2;
        }
      }
      else if (lane < 10) {
        const long at = column + 4*warp - 6 + lane - 8;
        w.at0 = &A_at((time + 1) & 1, beat - 2*warp, at);
        if (time + 4*warp >= -2 && time + 4*warp <= T - 3 && at >= 1 && at <= n - 2) {
          pair[0] = long_max(2*warp + 1, beat);
          pair[1] = n + 2*warp - 2;
        }
      }
      else if (lane < 12) {
        const long at = column - 4*warp + 257 + lane - 10;
        w.at0 = &A_at((time + 1) & 1, beat - 2*warp, at);
        if (time + 4*warp >= -2 && time + 4*warp <= T - 3 && at >= 1 && at <= n - 2) {
          pair[0] = long_max(2*warp + 1, beat);
          pair[1] = n + 2*warp - 2;
        }
      }
      else if (lane < 14) {
        if (warp == 2) {
          const long at = column + 3 + lane - 12;
          w.at0 = &A_at(time & 1, beat - 2*warp, at);
          if (time + 4*warp >= -3 && time + 4*warp <= T - 4 && at >= 1 && at <= n - 2) {
            pair[0] = long_max(2*warp + 1, beat);
            pair[1] = n + 2*warp - 2;
          }
        }
      }
      else if (lane < 16) {
        if (warp == 2) {
          const long at = column + 248 + lane - 14;
          w.at0 = &A_at(time & 1, beat - 2*warp, at);
          if (time + 4*warp >= -3 && time + 4*warp <= T - 4 && at >= 1 && at <= n - 2) {
            pair[0] = long_max(2*warp + 1, beat);
            pair[1] = n + 2*warp - 2;
          }
        }
      }
    }
    {
      long *const pair = (long *)(hexcc_shared + 57328) + 2 * thread;
          // the beats in which the element is copied
      pair[0] = 0, pair[1] = -1;
      long *const kept = (long *)(hexcc_shared + 52720) + 2 * thread;
      kept[0] = kept[1] = 0;
      if (lane < 1) {
        const long at = 0 + lane;
        long *const kept = (long *)(hexcc_shared + 52720) + 2 * thread;
        kept[0] = (long)&A_at((time + 1) & 1, beat - 2*warp + 4, at);
        kept[1] = (long)n;
        if (at >= 0 && at <= n - 1 && time + 4*warp >= -1 && time + 4*warp <= T - 1 && at >= column + 4*warp
            - 8 && column >= at + 4*warp - 260) {
          pair[0] = long_max(2*warp - 4, beat);
          pair[1] = n + 2*warp - 5;
        }
      }
      else if (lane < 2) {
        const long at = n - 1 + lane - 1;
        long *const kept = (long *)(hexcc_shared + 52720) + 2 * thread;
        kept[0] = (long)&A_at((time + 1) & 1, beat - 2*warp + 4, at);
        kept[1] = (long)n;
        if (at >= 0 && at <= n - 1 && time + 4*warp >= -1 && time + 4*warp <= T - 1 && at >= column + 4*warp
            - 8 && column >= at + 4*warp - 260) {
          pair[0] = long_max(2*warp - 4, beat);
          pair[1] = n + 2*warp - 5;
        }
      }
      else if (lane < 3) {
        const long at = 0 + lane - 2;
        long *const kept = (long *)(hexcc_shared + 52720) + 2 * thread;
        kept[0] = (long)&A_at(time & 1, beat - 2*warp + 4, at);
        kept[1] = (long)n;
        if (at >= 0 && at <= n - 1 && time + 4*warp >= -2 && time + 4*warp <= T - 2 && at >= column + 4*warp
            - 7 && column >= at + 4*warp - 259) {
          pair[0] = long_max(2*warp - 4, beat);
          pair[1] = n + 2*warp - 5;
        }
      }
      else if (lane < 4) {
        const long at = n - 1 + lane - 3;
        long *const kept = (long *)(hexcc_shared + 52720) + 2 * thread;
        kept[0] = (long)&A_at(time & 1, beat - 2*warp + 4, at);
        kept[1] = (long)n;
        if (at >= 0 && at <= n - 1 && time + 4*warp >= -2 && time + 4*warp <= T - 2 && at >= column + 4*warp
            - 7 && column >= at + 4*warp - 259) {
          pair[0] = long_max(2*warp - 4, beat);
          pair[1] = n + 2*warp - 5;
        }
      }
      else if (lane < 5) {
        const long at = 0 + lane - 4;
        long *const kept = (long *)(hexcc_shared + 52720) + 2 * thread;
        kept[0] = (long)&A_at((time + 1) & 1, beat - 2*warp + 4, at);
        kept[1] = (long)n;
        if (at >= 0 && at <= n - 1 && time + 4*warp >= -3 && time + 4*warp <= T - 3 && at >= column + 4*warp
            - 6 && column >= at + 4*warp - 258) {
          pair[0] = long_max(2*warp - 4, beat);
          pair[1] = n + 2*warp - 5;
        }
      }
      else if (lane < 6) {
        const long at = n - 1 + lane - 5;
        long *const kept = (long *)(hexcc_shared + 52720) + 2 * thread;
        kept[0] = (long)&A_at((time + 1) & 1, beat - 2*warp + 4, at);
        kept[1] = (long)n;
        if (at >= 0 && at <= n - 1 && time + 4*warp >= -3 && time + 4*warp <= T - 3 && at >= column + 4*warp
            - 6 && column >= at + 4*warp - 258) {
          pair[0] = long_max(2*warp - 4, beat);
          pair[1] = n + 2*warp - 5;
        }
      }
      else if (lane < 7) {
        const long at = 0 + lane - 6;
        long *const kept = (long *)(hexcc_shared + 52720) + 2 * thread;
        kept[0] = (long)&A_at(time & 1, beat - 2*warp + 4, at);
        kept[1] = (long)n;
        if (at >= 0 && at <= n - 1 && time + 4*warp >= -4 && time + 4*warp <= T - 4 && at >= column + 4*warp
            - 5 && column >= at + 4*warp - 257) {
          pair[0] = long_max(2*warp - 4, beat);
          pair[1] = n + 2*warp - 5;
        }
      }
      else if (lane < 8) {
        const long at = n - 1 + lane - 7;
        long *const kept = (long *)(hexcc_shared + 52720) + 2 * thread;
        kept[0] = (long)&A_at(time & 1, beat - 2*warp + 4, at);
        kept[1] = (long)n;
        if (at >= 0 && at <= n - 1 && time + 4*warp >= -4 && time + 4*warp <= T - 4 && at >= column + 4*warp
            - 5 && column >= at + 4*warp - 257) {
          pair[0] = long_max(2*warp - 4, beat);
          pair[1] = n + 2*warp - 5;
        }
      }
    }
    // in which beats turns that are not full have points, elements and last steps: each lane notes some
    for (int i_ = lane; i_ < 30; i_ += 32) {
      long *const pair = (long *)(hexcc_shared + 51760) + 60 * (warp - 2) + 2 * i_;
      pair[0] = 0, pair[1] = -1;
      switch (i_) {
      case 0:
        if (time + 4*warp >= 0 && time + 4*warp <= T - 1) {
          pair[0] = long_max(2*warp + 1, beat);
          pair[1] = n + 2*warp - 2;
        }
        break;
      case 1:
        if (time + 4*warp >= -1 && time + 4*warp <= T - 1) {
          pair[0] = long_max(2*warp, beat);
          pair[1] = n + 2*warp - 1;
        }
        break;
      case 2:
        if (time + 4*warp >= 0 && time + 4*warp <= T - 1 && time + 4*warp >= T - 2) {
          pair[0] = long_max(2*warp + 1, beat);
          pair[1] = n + 2*warp - 2;
        }
        break;
      case 3:
        if (time + 4*warp >= 0 && time + 4*warp <= T - 1 && n >= 9 && time + 4*warp <= T - 3) {
          pair[0] = long_max(2*warp + 1, beat);
          pair[1] = n + 2*warp - 2;
        }
        break;
      case 4:
        if (time + 4*warp <= -2) {
          pair[0] = beat;
          pair[1] = (long)hexcc_chain().hi + 6;
        }
        break;
      case 5:
        if (time + 4*warp >= T) {
          pair[0] = beat;
          pair[1] = (long)hexcc_chain().hi + 6;
        }
        break;
      case 6:
        if (time + 4*warp >= 0 && time + 4*warp <= T - 1 && n >= 9) {
          pair[0] = long_max(2*warp + 1, beat);
          pair[1] = n + 2*warp - 2;
        }
        break;
      case 7:
        if (time + 4*warp >= -1 && time + 4*warp <= T - 2) {
          pair[0] = long_max(2*warp + 1, beat);
          pair[1] = n + 2*warp - 2;
        }
        break;
      case 8:
        if (time + 4*warp >= -2 && time + 4*warp <= T - 2) {
          pair[0] = long_max(2*warp, beat);
          pair[1] = n + 2*warp - 1;
        }
        break;
      case 9:
        if (time + 4*warp >= -1 && time + 4*warp <= T - 2 && time + 4*warp >= T - 3) {
          pair[0] = long_max(2*warp + 1, beat);
          pair[1] = n + 2*warp - 2;
        }
        break;
      case 10:
        if (time + 4*warp >= -1 && time + 4*warp <= T - 2 && n >= 9 && time + 4*warp <= T - 4) {
          pair[0] = long_max(2*warp + 1, beat);
          pair[1] = n + 2*warp - 2;
        }
        break;
      case 11:
        if (time + 4*warp <= -3) {
          pair[0] = beat;
          pair[1] = (long)hexcc_chain().hi + 6;
        }
        break;
      case 12:
        if (time + 4*warp >= T - 1) {
          pair[0] = beat;
          pair[1] = (long)hexcc_chain().hi + 6;
        }
        break;
      case 13:
        if (time + 4*warp >= -1 && time + 4*warp <= T - 2 && n >= 9) {
          pair[0] = long_max(2*warp + 1, beat);
          pair[1] = n + 2*warp - 2;
        }
        break;
      case 14:
        if (time + 4*warp >= -2 && time + 4*warp <= T - 3) {
          pair[0] = long_max(2*warp + 1, beat);
          pair[1] = n + 2*warp - 2;
        }
        break;
      case 15:
        if (time + 4*warp >= -3 && time + 4*warp <= T - 3) {
          pair[0] = long_max(2*warp, beat);
          pair[1] = n + 2*warp - 1;
        }
        break;
      case 16:
        if (time + 4*warp >= -2 && time + 4*warp <= T - 3 && time + 4*warp >= T - 4) {
          pair[0] = long_max(2*warp + 1, beat);
          pair[1] = n + 2*warp - 2;
        }
        break;
      case 17:
        if (time + 4*warp >= -2 && time + 4*warp <= T - 3 && n >= 9 && time + 4*warp <= T - 5) {
          pair[0] = long_max(2*warp + 1, beat);
          pair[1] = n + 2*warp - 2;
        }
        break;
      case 18:
        if (time + 4*warp <= -4) {
          pair[0] = beat;
          pair[1] = (long)hexcc_chain().hi + 6;
        }
        break;
      case 19:
        if (time + 4*warp >= T - 2) {
          pair[0] = beat;
          pair[1] = (long)hexcc_chain().hi + 6;
        }
        break;
      case 20:
        if (time + 4*warp >= -2 && time + 4*warp <= T - 3 && n >= 9) {
          pair[0] = long_max(2*warp + 1, beat);
          pair[1] = n + 2*warp - 2;
        }
        break;
      case 21:
        if (time + 4*warp >= -3 && time + 4*warp <= T - 4) {
          pair[0] = long_max(2*warp + 1, beat);
          pair[1] = n + 2*warp - 2;
        }
        break;
      case 22:
        if (time + 4*warp >= -4 && time + 4*warp <= T - 4) {
          pair[0] = long_max(2*warp, beat);
          pair[1] = n + 2*warp - 1;
        }
        break;
      case 23:
        if (time + 4*warp >= -3 && time + 4*warp <= T - 4 && time + 4*warp >= T - 5) {
          pair[0] = long_max(2*warp + 1, beat);
          pair[1] = n + 2*warp - 2;
        }
        break;
      case 24:
        if (time + 4*warp >= -3 && time + 4*warp <= T - 4 && n >= 9 && time + 4*warp <= T - 6) {
          pair[0] = long_max(2*warp + 1, beat);
          pair[1] = n + 2*warp - 2;
        }
        break;
      case 25:
        if (time + 4*warp <= -5) {
          pair[0] = beat;
          pair[1] = (long)hexcc_chain().hi + 6;
        }
        break;
      case 26:
        if (time + 4*warp >= T - 3) {
          pair[0] = beat;
          pair[1] = (long)hexcc_chain().hi + 6;
        }
        break;
      case 27:
        if (time + 4*warp >= -3 && time + 4*warp <= T - 4 && n >= 9) {
          pair[0] = long_max(2*warp + 1, beat);
          pair[1] = n + 2*warp - 2;
        }
        break;
      case 28:
        if (time >= 0 && time <= T) {
          pair[0] = long_max(-4L, beat);
          pair[1] = n - 5;
        }
        break;
      case 29:
        if (time >= -15 && time <= T - 16) {
          pair[0] = long_max(9L, beat);
          pair[1] = n + 6;
        }
        break;
      }
    }
    // which columns of the lane are in domains, and in tiles
    {
      const long first = column + 4*warp - 10 + 8 * lane;
      unsigned *const mask = (unsigned *)(hexcc_shared + 38448) + thread;
      mask[0] = hexcc_bits((long)(1 - first), (long)(n - 2 - first)) & 0xffu;
      mask[128] = hexcc_bits((long)(0 - first), (long)(n - 1 - first)) & hexcc_bits(2 - 8 * lane, 270
          - 8*warp - 8 * lane) & 0xffu;
      mask[256] = hexcc_bits((long)(1 - first), (long)(n - 2 - first)) & hexcc_bits(2 - 8 * lane, 270
          - 8*warp - 8 * lane) & ~hexcc_bits(2 - 8 * lane, 3 - 8 * lane) & ~hexcc_bits(269 - 8*warp - 8
          * lane, 270 - 8*warp - 8 * lane) & 0xffu;
      mask[384] = 0; // columns beside a domain
      {
        const unsigned bits = hexcc_bits((long)(0 - first), (long)(0 - first)) & 0xffu;
        if (bits != 0)
          mask[384] = bits | 0 << 16;
      }
      {
        const unsigned bits = hexcc_bits((long)(n - 1 - first), (long)(n - 1 - first)) & 0xffu;
        if (bits != 0)
          mask[384] = bits | 1 << 16;
      }
      mask[512] = hexcc_bits((long)(0 - first), (long)(n - 1 - first)) & hexcc_bits(3 - 8 * lane, 269
          - 8*warp - 8 * lane) & 0xffu;
      mask[640] = hexcc_bits((long)(1 - first), (long)(n - 2 - first)) & hexcc_bits(3 - 8 * lane, 269
          - 8*warp - 8 * lane) & ~hexcc_bits(3 - 8 * lane, 4 - 8 * lane) & ~hexcc_bits(268 - 8*warp - 8
          * lane, 269 - 8*warp - 8 * lane) & 0xffu;
      mask[768] = hexcc_bits((long)(0 - first), (long)(n - 1 - first)) & hexcc_bits(4 - 8 * lane, 268
          - 8*warp - 8 * lane) & 0xffu;
      mask[896] = hexcc_bits((long)(1 - first), (long)(n - 2 - first)) & hexcc_bits(4 - 8 * lane, 268
          - 8*warp - 8 * lane) & ~hexcc_bits(4 - 8 * lane, 5 - 8 * lane) & ~hexcc_bits(267 - 8*warp - 8
          * lane, 268 - 8*warp - 8 * lane) & 0xffu;
      mask[1024] = hexcc_bits((long)(0 - first), (long)(n - 1 - first)) & hexcc_bits(5 - 8 * lane, 267
          - 8*warp - 8 * lane) & 0xffu;
      mask[1152] = hexcc_bits((long)(1 - first), (long)(n - 2 - first)) & hexcc_bits(5 - 8 * lane, 267
          - 8*warp - 8 * lane) & ~(warp == 2 ? hexcc_bits(13 - 4*warp - 8 * lane, 14 - 4*warp - 8 * lane)
          : 0u) & ~(warp == 2 ? hexcc_bits(258 - 4*warp - 8 * lane, 259 - 4*warp - 8 * lane)
          : 0u) & ~(warp == 3 ? hexcc_bits(17 - 4*warp - 8 * lane, 255 - 4*warp - 8 * lane) : 0u) & 0xffu;
    }
    {
      const long at = column + 6 + thread;
      c.at0 = &A_at(time & 1, beat + 4, at);
    }
    c.place0 = hexcc_place<8, 4>(thread);
    {
      const long at = column + 7 + thread;
      c.at1 = &A_at(time & 1, beat - 8, at);
    }
    c.place1 = hexcc_place<8, 4>(thread + 5);
    {
      unsigned *const rounds = (unsigned *)(hexcc_shared + 37424) + thread; // in which rounds it copies
      rounds[0] = (hexcc_w_0_rows_column0(n, column + 6 + thread) ? 0x1u : 0u) | (thread + 128 < 241
          && hexcc_w_0_rows_column0(n, column + 6 + thread + 128) ? 0x2u : 0u);
      rounds[128] = (hexcc_w_0_rows_column1(n, column + 7 + thread) ? 0x1u : 0u) | (thread + 128 < 239
          && hexcc_w_0_rows_column1(n, column + 7 + thread + 128) ? 0x2u : 0u);
    }
  }
  // registers that nothing has set would be kept from all that runs before
  hexcc_zero(w.row0); hexcc_zero(w.row1); hexcc_zero(w.row2); hexcc_zero(w.row3);
  hexcc_zero(w.row4);
  for (int left = 0; beat <= (long)hexcc_chain().hi; beat += 6) {
    if (left == 0) {
      hexcc_meet();
      left = 8; // turns
    }
    const long *const pair = (const long *)(hexcc_shared + 37408);
    if (pair[0] <= beat && beat <= pair[1])
      hexcc_w_0_rows_turn1<true>(w, c, beat, A, n, warp, lane, thread);
    else
      hexcc_w_0_rows_turn1<false>(w, c, beat, A, n, warp, lane, thread);
    --left;
  }
}

// A chain: its beats, in 4 warps. Stages begin with warp 0, 2.
static __device__ __forceinline__ void hexcc_w_0_rows(const struct hexcc_order &order, float *A, long T,
    long n)
{
  hexcc_meet(); // the first thread has noted which chain it is
  if (hexcc_first_thread()) {
    const long beat = (long)hexcc_chain().lo;
    const long time = (long)hexcc_chain().time;
    const long column = (long)hexcc_chain().column;
    {
      long *const pair = (long *)(hexcc_shared + 37408); // the beats at which full turns may begin
      pair[0] = 0, pair[1] = -1;
      if (time >= 0 && time <= T - 18 && column >= 1 && column <= n - 254) {
        pair[0] = long_max(11L, beat);
        pair[1] = n - 12;
      }
    }
  }
  const int thread = threadIdx.x;
  const int lane = threadIdx.x % 32;
  const int warp = hexcc_warp();
  if (warp < 2)
    hexcc_w_0_rows_stage0(order, A, T, n, warp, lane, thread);
  else
    hexcc_w_0_rows_stage1(A, T, n, warp, lane, thread);
  hexcc_arrived();
}

// Phase 0 of time tile T_: the chain of tiles at S0.
static __device__ __forceinline__ struct hexcc_stream hexcc_w_0_phase0(long n, long T_, long S0)
{
  const struct hexcc_stream made = {16*T_ - 8, 492*S0 - 246, 0, -3, n + 6};
  return made;
}

// Phase 1 of time tile T_: the chain of tiles at S0.
static __device__ __forceinline__ struct hexcc_stream hexcc_w_0_phase1(long n, long T_, long S0)
{
  const struct hexcc_stream made = {16*T_, 492*S0, 0, -3, n + 6};
  return made;
}

// All tiles: a block takes one chain after the other.
__global__ void __launch_bounds__(128, 4)
hexcc_w_0_chains(float *A, long T, long n, const struct hexcc_order order)
{
  for (;;) {
    unsigned long long taken = hexcc_take(order);
    if (taken >= order.count)
      return;
    const long S0 = (long)(order.first[0] + (long long)(taken % order.width[0]));
    taken /= order.width[0];
    const long T_ = (long)(order.begin + (long long)(taken / 2));
    struct hexcc_stream chain = {0, 0, 0, 0, -1};
    switch (taken % 2) {
    case 0:
      if (0 <= S0 && S0 <= long_floord(n + 244, 492))
        chain = hexcc_w_0_phase0(n, T_, S0);
      hexcc_keep(chain, 59LL, ((long long)T_ - 1 - order.begin) * 2 + 1, (long long)S0 - 1, (long long)S0, 0,
          0, 0, 0, hexcc_flag(order, ((long long)T_ - order.begin) * 2 + 0, S0, 0, 0), NULL, 0LL);
      break;
    case 1:
      if (0 <= S0 && S0 <= long_floord(n - 2, 492))
        chain = hexcc_w_0_phase1(n, T_, S0);
      hexcc_keep(chain, 59LL, ((long long)T_ - order.begin) * 2 + 0, (long long)S0, (long long)S0 + 1, 0, 0,
          0, 0, hexcc_flag(order, ((long long)T_ - order.begin) * 2 + 1, S0, 0, 0), NULL, 0LL);
      break;
    }
    hexcc_w_0_rows(order, A, T, n);
    hexcc_look_out(order, 0, true);
    hexcc_meet();
    hexcc_report(HEXCC_ENDED);
  }
}

#ifndef __CUDACC_RTC__

// The last failure in this thread: file, line, call and error.
static thread_local char hexcc_message[400] = "nothing failed";

// hexcc_check keeps what failed and where, and leaves nothing for cudaGetLastError.
static cudaError_t hexcc_check(cudaError_t error, const char *call, int line)
{
  if (error != cudaSuccess) {
    snprintf(hexcc_message, sizeof hexcc_message, "%s:%d: %.200s: %s: %s", __FILE__, line, call,
        cudaGetErrorName(error), cudaGetErrorString(error));
    cudaGetLastError();
  }
  return error;
}

#define HEXCC_TRY(call) \
  do { \
    error = hexcc_check((call), #call, __LINE__); \
    if (error != cudaSuccess) \
      goto done; \
  } while (0)

// HEXCC_END makes a call whatever failed before, and keeps the first failure.
#define HEXCC_END(call) \
  do { \
    cudaError_t end = (call); \
    if (error == cudaSuccess) \
      error = hexcc_check(end, #call, __LINE__); \
  } while (0)

template <class T> struct hexcc_same { typedef T type; };

// hexcc_launch puts a kernel into a stream: kernel<<<blocks, threads, shared, stream>>>(arguments), but
// what it returns is an error of this launch, not one left by an earlier call.
template <class... P>
static cudaError_t hexcc_launch(void (*kernel)(P...), dim3 blocks, dim3 threads, size_t shared, cudaStream_t stream,
    typename hexcc_same<P>::type... arguments)
{
  void *list[] = {(void *)&arguments..., NULL};
  return cudaLaunchKernel<void(P...)>(kernel, blocks, threads, list, shared, stream);
}

#define HEXCC_MOST_CHAINS (1LL << 18) // in a launch, if that is a time tile or more: 8 MiB of flags

// hexcc_no_tiles returns an order of none, with one along axes that there are not.
static inline struct hexcc_order hexcc_no_tiles()
{
  const struct hexcc_order none = {NULL, 0, 0, {0, 0, 0}, {1, 1, 1}};
  return none;
}

// hexcc_widen has an order, in count of which bits say along which axes it has some, hold the tiles from lo to hi along an axis, up to last.
static inline void hexcc_widen(struct hexcc_order *order, long long *last, int axis, long long lo, long long hi)
{
  const int none = (order->count >> axis & 1) == 0;
  if (lo > hi)
    return;
  order->first[axis] = none || lo < order->first[axis] ? lo : order->first[axis];
  last[axis] = none || hi > last[axis] ? hi : last[axis];
  order->count |= 1ULL << axis;
}

// hexcc_some_tiles says whether there are any, and how many along each axis.
static inline int hexcc_some_tiles(struct hexcc_order *order, const long long *last, int axes)
{
  for (int axis = 0; axis < axes; axis++)
    order->width[axis] = (unsigned long long)(last[axis] - order->first[axis]) + 1;
  return order->count + 1 == 1ULL << axes;
}

// hexcc_most returns for how many time tiles a launch has flags, 0 if there are too many tiles.
static inline long long hexcc_most(const struct hexcc_order *order, int phases, long long time_tiles)
{
  const double tiles = (double)order->width[0] * (double)order->width[1] * (double)order->width[2] * phases;
  if (tiles > 1e15)
    return 0;
  const long long each = (long long)(order->width[0] * order->width[1] * order->width[2]) * phases;
  const long long most = each > HEXCC_MOST_CHAINS ? 1 : HEXCC_MOST_CHAINS / each;
  return most > time_tiles ? time_tiles : most;
}

// hexcc_flag_bytes returns the size of the flags of a launch of so many time tiles.
static inline size_t hexcc_flag_bytes(const struct hexcc_order *order, int phases, long long time_tiles)
{
  return (size_t)(order->width[0] * order->width[1] * order->width[2] * (unsigned)phases * (unsigned long long)time_tiles + 1) * sizeof *order->chain;
}

// hexcc_next says how many chains the next launch has: those of most time tiles, or of what is left up to the last. It returns the size of their flags.
static inline size_t hexcc_next(struct hexcc_order *order, int phases, long long last, long long most)
{
  const long long left = last - order->begin + 1;
  const size_t bytes = hexcc_flag_bytes(order, phases, left < most ? left : most);
  order->count = bytes / sizeof *order->chain - 1;
  return bytes;
}

// hexcc_blocks returns how many blocks are of use: as many as run at once, and no more than there are chains.
static inline unsigned hexcc_blocks(const struct hexcc_order *order, int processors, int each)
{
  const unsigned long long most = each < 1 || processors < 1 ? 1 : (unsigned long long)each * (unsigned)processors;
  return (unsigned)(order->count < most ? order->count : most);
}

// hexcc_flags allocates flags for as many time tiles as *most will say.
static inline cudaError_t hexcc_flags(struct hexcc_order *order, int phases, long long time_tiles, long long *most, cudaStream_t stream)
{
  *most = hexcc_most(order, phases, time_tiles);
  if (*most == 0)
    return cudaErrorMemoryAllocation;
  void *chain = NULL;
  const cudaError_t error = cudaMallocAsync(&chain, hexcc_flag_bytes(order, phases, *most), stream);
  order->chain = error == cudaSuccess ? (struct hexcc_chain *)chain : NULL;
  return error;
}

// hexcc_from lets no chain of the next launch be taken, nor have a flag.
static inline cudaError_t hexcc_from(struct hexcc_order *order, int phases, long long last, long long most, cudaStream_t stream)
{
  const size_t bytes = hexcc_next(order, phases, last, most);
  return cudaMemsetAsync(order->chain, 0, bytes, stream);
}

// hexcc_at_once says how many blocks of a kernel are of use.
template <class... P>
static cudaError_t hexcc_at_once(void (*kernel)(P...), int threads, size_t shared, const struct hexcc_order *order, dim3 *blocks)
{
  int device = 0, processors = 0, each = 0;
  cudaError_t error = cudaGetDevice(&device);
  if (error == cudaSuccess)
    error = cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device);
  if (error == cudaSuccess)
    error = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&each, kernel, threads, shared);
  *blocks = dim3(hexcc_blocks(order, processors, each));
  return error;
}

// hexcc_size returns the bytes of an array of elements of so many bytes. Where an extent is negative, or the size
// is beyond what a pointer can reach, it says so, and sets *error.
static inline size_t hexcc_size(const char *name, size_t element, const long *extents, int dims, int line, int *error)
{
  const size_t most = (size_t)-1 / 2;
  size_t bytes = element;
  int negative = 0, empty = 0, large = 0, at;
  char text[200];
  for (int i = 0; i < dims; i++) {
    negative |= extents[i] < 0;
    empty |= extents[i] == 0;
  }
  for (int i = 0; i < dims && !negative && !empty; i++) {
    large |= (unsigned long long)extents[i] > most / bytes;
    bytes *= large ? 1 : (size_t)extents[i];
  }
  if (!negative && !large)
    return empty ? 0 : bytes;
  at = snprintf(text, sizeof text, "%.60s", name);
  for (int i = 0; i < dims && at < (int)sizeof text; i++)
    at += snprintf(text + at, sizeof text - (size_t)at, "[%ld]", extents[i]);
  if (at < (int)sizeof text)
    snprintf(text + at, sizeof text - (size_t)at, negative ? " has a negative extent" : " has more than %llu bytes", (unsigned long long)most);
  *error = (int)hexcc_check(cudaErrorInvalidValue, text, line);
  return 0;
}

extern "C" const char *hexcc_w_error(void)
{
  return hexcc_message;
}

extern "C" void hexcc_w_stop(void)
{
  fprintf(stderr, "%s\n", hexcc_message);
  abort();
}

extern "C" int hexcc_w_0_device(int T_arg, int n_arg, float *A, cudaStream_t stream)
{
  const long T = (long)T_arg;
  const long n = (long)n_arg;
  if (!(T >= 1 && n >= 3))
    return 0; // no iteration
  const long T__lo = 0, T__hi = long_floord(T + 7, 16); // time tiles
  struct hexcc_order order_ = hexcc_no_tiles();
  long long last_[3] = {0, 0, 0}, most = 0;
  cudaError_t error = cudaSuccess;
  dim3 blocks;
  for (long T_ = T__lo; T_ <= T__hi; T_++) {
    hexcc_widen(&order_, last_, 0, 0, long_floord(n + 244, 492));
    hexcc_widen(&order_, last_, 0, 0, long_floord(n - 2, 492));
  }
  if (!hexcc_some_tiles(&order_, last_, 1))
    return 0;
  HEXCC_TRY(hexcc_flags(&order_, 2, (long long)T__hi - T__lo + 1, &most, stream));
  for (order_.begin = T__lo; order_.begin <= T__hi; order_.begin += most) {
    HEXCC_TRY(hexcc_from(&order_, 2, T__hi, most, stream));
    HEXCC_TRY(cudaFuncSetAttribute(hexcc_w_0_chains, cudaFuncAttributeMaxDynamicSharedMemorySize, 59888));
    HEXCC_TRY(hexcc_at_once(hexcc_w_0_chains, 128, 59888, &order_, &blocks));
    HEXCC_TRY(hexcc_launch(hexcc_w_0_chains, blocks, dim3(128, 1, 1), 59888, stream, A, T, n, order_));
  }
done:
  if (order_.chain != NULL)
    HEXCC_END(cudaFreeAsync(order_.chain, stream));
  return (int)error;
}

extern "C" int hexcc_w_0_timed(int T_arg, int n_arg, float *A, struct hexcc_times *times)
{
  const long T = (long)T_arg;
  const long n = (long)n_arg;
  if (times != NULL)
    *times = hexcc_times();
  if (!(T >= 1 && n >= 3))
    return 0; // no iteration
  const auto start = std::chrono::steady_clock::now();
  int wrong = 0;
  const long extents_A[] = {2, n, n};
  const size_t bytes_A = hexcc_size("A", sizeof(float), extents_A, 3, __LINE__, &wrong);
  if (wrong != 0)
    return wrong;
  if (bytes_A == 0)
    return 0; // no elements
  const cudaStream_t stream = cudaStreamPerThread;
  cudaError_t error = cudaSuccess;
  cudaEvent_t events[4] = {};
  float *dev_A = NULL;

  for (int i = 0; times != NULL && i < 4; i++)
    HEXCC_TRY(cudaEventCreate(&events[i]));
  HEXCC_TRY(cudaMalloc(&dev_A, bytes_A));
  if (times != NULL)
    HEXCC_TRY(cudaEventRecord(events[0], stream));
  HEXCC_TRY(cudaMemcpyAsync(dev_A, A, bytes_A, cudaMemcpyHostToDevice, stream));
  if (times != NULL)
    HEXCC_TRY(cudaEventRecord(events[1], stream));

  error = (cudaError_t)hexcc_w_0_device(T_arg, n_arg, dev_A, stream);
  if (error != cudaSuccess)
    goto done;
  if (times != NULL)
    HEXCC_TRY(cudaEventRecord(events[2], stream));
  HEXCC_TRY(cudaStreamSynchronize(stream)); // the kernels

  HEXCC_TRY(cudaMemcpyAsync(A, dev_A, bytes_A, cudaMemcpyDeviceToHost, stream));
  if (times != NULL)
    HEXCC_TRY(cudaEventRecord(events[3], stream));
  HEXCC_TRY(cudaStreamSynchronize(stream));
  if (times != NULL) {
    HEXCC_TRY(cudaEventElapsedTime(&times->in, events[0], events[1]));
    HEXCC_TRY(cudaEventElapsedTime(&times->kernels, events[1], events[2]));
    HEXCC_TRY(cudaEventElapsedTime(&times->out, events[2], events[3]));
  }

done:
  HEXCC_END(cudaFree(dev_A));
  for (cudaEvent_t event : events)
    if (event != NULL)
      HEXCC_END(cudaEventDestroy(event));
  if (times != NULL)
    times->total = std::chrono::duration<float, std::milli>(std::chrono::steady_clock::now() - start).count();
  return (int)error;
}

extern "C" int hexcc_w_0(int T, int n, float *A)
{
  return hexcc_w_0_timed(T, n, A, NULL);
}

extern "C" int hexcc_w_ready(void)
{
  cudaFuncAttributes attributes;
  cudaError_t error = cudaSuccess;
  HEXCC_TRY(cudaFuncGetAttributes(&attributes, hexcc_w_0_chains));
  HEXCC_TRY(cudaFuncSetAttribute(hexcc_w_0_chains, cudaFuncAttributeMaxDynamicSharedMemorySize, 59888));
  return 1;
done:
  static std::atomic<bool> said(false);
  if (!said.exchange(true))
    fprintf(stderr, "%s: the kernels cannot run here\n", hexcc_message);
  return 0;
}

#endif // __CUDACC_RTC__
