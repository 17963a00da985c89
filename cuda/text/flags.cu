
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
