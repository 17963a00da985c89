/* cuda_runtime.h: hexcc made this.
   Enough of CUDA to run what hexcc prints on a CPU, as it is: put this folder first on the
   include path and compile BASE.hex_kernel.cu as C++17, by any compiler of C++ for Linux.

     g++ -std=c++17 -O1 -ffp-contract=off -U_FORTIFY_SOURCE -x c++ -I DIR -c BASE.hex_kernel.cu

   It is for tests, not for speed. Blocks run one by one, in an order that SHIM_SEED shuffles;
   the threads of a block are fibers that switch at __syncthreads and where the 32 of a warp exchange
   values or wait for each other, in an order that changes at each one: a warp may run ahead to the next barrier, or warps take turns. What is
   copied to shared memory without waiting is there when it is waited for, and no earlier, as it was in global memory at any time
   in between. Where blocks wait for each other, a few run by turns, chosen at random, mostly one that began
   late: they switch where they wait and where they signal. A call on a stream is done when it returns; but on one
   with a priority when the program waits for it, and then pieces of work of all such streams run in any order that events allow.

   What a GPU would not forgive ends the program with status 99: a barrier that some threads of a
   block or of a warp do not reach, blocks that wait for each other for ever, a copy past the end of an array, memory, a stream or an event that is freed
   twice or never. Each array lies against a page without access, at its start or at its end. Three
   environment variables make calls fail: SHIM_FAIL=N call number N (if there are fewer calls, the
   program ends with status 98), SHIM_NO_DEVICE=1 all of them, as without a GPU, and SHIM_SHARED=N
   those that ask for more than N bytes of shared memory. */
#ifndef SHIM_CUDA_RUNTIME_H
#define SHIM_CUDA_RUNTIME_H

#if defined(__USE_FORTIFY_LEVEL) && __USE_FORTIFY_LEVEL > 0
#error "compile with -U_FORTIFY_SOURCE: fibers jump between stacks, which its checks take for an error"
#endif

#include <math.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <algorithm>
#include <chrono>
#include <deque>
#include <functional>
#include <map>
#include <numeric>
#include <random>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#define __global__
#define __device__
#define __host__
#define __shared__ thread_local // static, and also fit for extern
#define __align__(n) __attribute__((aligned(n)))
#define __launch_bounds__(...)
#define __maxnreg__(...)

struct dim3 {
  unsigned x, y, z;
  dim3(unsigned along_x = 1, unsigned along_y = 1, unsigned along_z = 1) : x(along_x), y(along_y), z(along_z) {}
};

inline dim3 blockIdx, threadIdx, blockDim, gridDim;

// As in CUDA, both operands have one type.
static inline int min(int a, int b) { return a < b ? a : b; }
static inline int max(int a, int b) { return a > b ? a : b; }
static inline long min(long a, long b) { return a < b ? a : b; }
static inline long max(long a, long b) { return a > b ? a : b; }

static inline float __fmul_rn(float x, float y) { return x * y; }
static inline double __dmul_rn(double x, double y) { return x * y; }

// Conversions of the bits of halves, which hexcc prints as assembly for GPUs: to nearest, and
// of two that are as near to the even one, as nearbyint does it.
#define HEXCC_HALVES
static inline float hexcc_float_of_half(unsigned short h)
{
  const int exponent = h >> 10 & 31, digits = h & 1023;
  const float size = exponent == 31 ? (digits ? NAN : INFINITY)
    : exponent == 0 ? ldexpf(digits, -24) : ldexpf(1024 + digits, exponent - 25);
  return h >> 15 ? -size : size;
}

static inline unsigned short hexcc_half_of_double(double x)
{
  const int sign = std::signbit(x) ? 1 << 15 : 0;
  const double size = fabs(x);
  if (!(size < 65520))
    return sign | (size >= 65520 ? 0x7c00 : 0x7fff);
  const int exponent = size < 0x1p-14 ? -14 : ilogb(size);
  const int digits = (int)nearbyint(ldexp(size, 10 - exponent)); // 2048 adds 1 to the exponent
  return sign | (((exponent + 14) << 10) + digits);
}

static inline unsigned short hexcc_half_of_float(float x) { return hexcc_half_of_double(x); }

#define HEXCC_FLAGS // what blocks tell each other, see below

// The shared memory that a launch gives.
inline thread_local unsigned char hexcc_shared[256 << 10] __attribute__((aligned(16)));

enum cudaError_t {
  cudaSuccess = 0,
  cudaErrorInvalidValue = 1,
  cudaErrorMemoryAllocation = 2,
  cudaErrorInvalidConfiguration = 9,
  cudaErrorNoDevice = 100,
  cudaErrorNotReady = 600
};
enum cudaMemcpyKind { cudaMemcpyHostToDevice = 1, cudaMemcpyDeviceToHost = 2, cudaMemcpyDeviceToDevice = 3, cudaMemcpyDefault = 4 };
enum cudaMemoryType { cudaMemoryTypeUnregistered = 0, cudaMemoryTypeHost = 1, cudaMemoryTypeDevice = 2, cudaMemoryTypeManaged = 3 };
struct cudaPointerAttributes { cudaMemoryType type; int device; };
enum { cudaStreamNonBlocking = 1, cudaEventDisableTiming = 2 };
enum cudaFuncAttribute { cudaFuncAttributeMaxDynamicSharedMemorySize = 8 };
enum cudaDeviceAttr { cudaDevAttrMultiProcessorCount = 16 };
struct CUstream_st {
  bool later = false; // what is put into it runs when something waits for it
  std::deque<std::function<bool()>> work; // each returns whether it has been done: else it waits
};
typedef CUstream_st *cudaStream_t;
#define cudaStreamLegacy ((cudaStream_t)1)
#define cudaStreamPerThread ((cudaStream_t)2)
struct CUevent_st {
  std::chrono::steady_clock::time_point at;
  long recorded = 0, reached = 0; // how often it was put into a stream, and which of these times have come
};
typedef CUevent_st *cudaEvent_t;
struct float4 { float x, y, z, w; };
struct cudaFuncAttributes { int numRegs; };

namespace shim {

[[noreturn]] inline void fail(const char *what)
{
  fprintf(stderr, "shim: %s\n", what);
  fflush(stderr);
  _Exit(99);
}

inline long setting(const char *name)
{
  const char *text = getenv(name);
  return text ? atol(text) : 0;
}

inline std::mt19937_64 &shuffler()
{
  static std::mt19937_64 rng(setting("SHIM_SEED"));
  return rng;
}

// An Arrival is a copy of some bytes that has not come yet. Whether it reads when it begins or when it comes is drawn by lot.
struct Arrival {
  void *to;
  const void *from;
  size_t bytes;
  int group; // of the copies that are waited for together: 0 is the one that has not ended
  bool early;
  unsigned char value[16];
};

// A Stack is the memory of a fiber's frames, which are large where a compiler does not optimize: pages of it that are not used take no memory. What
// grows beyond its end sets the mark that is there.
class Stack {
  char *memory;

public:
  static constexpr size_t size = 1 << 20;
  static constexpr unsigned long mark = 0x5aa5c33c;
  Stack() : memory((char *)mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0))
  {
    if (memory == (char *)MAP_FAILED)
      fail("there is no memory for the stacks of a block");
    memcpy(memory, &mark, sizeof mark);
  }
  ~Stack()
  {
    if (memory != NULL)
      munmap(memory, size);
  }
  Stack(Stack &&other) noexcept : memory(other.memory) { other.memory = NULL; }
  Stack &operator=(Stack &&other) noexcept
  {
    std::swap(memory, other.memory);
    return *this;
  }
  char *begin() const { return memory; }
  bool holds() const { return memcmp(memory, &mark, sizeof mark) == 0; }
};

// A Fiber is one thread of a block.
struct Fiber {
  ucontext_t start;
  jmp_buf at;
  dim3 index;
  bool begun = false, ended = false;
  int line = 0; // of the barrier it waits at; 0: none
  const char *lanes = NULL; // what it does together with the other lanes of its warp, and waits for; NULL: nothing
  unsigned char given[2][16]; // to them: what they may still read of the last time stays
  int times = 0;
  std::vector<Arrival> arrivals; // copies that it has begun, in order
  Stack stack;
};

inline ucontext_t scheduler_start;
inline jmp_buf scheduler;
inline Fiber *current;
inline std::function<void()> *body;

inline void enter()
{
  (*body)();
  current->ended = true;
  longjmp(scheduler, 1);
}

inline void resume(Fiber &f)
{
  current = &f;
  threadIdx = f.index;
  if (_setjmp(scheduler) != 0) {
    if (!current->stack.holds())
      fail("a thread needs more than 1 MiB of stack: compile with -O1");
    return;
  }
  if (f.begun)
    longjmp(f.at, 1);
  f.begun = true;
  getcontext(&f.start);
  f.start.uc_stack.ss_sp = f.stack.begin();
  f.start.uc_stack.ss_size = Stack::size;
  f.start.uc_link = &scheduler_start;
  makecontext(&f.start, enter, 0);
  setcontext(&f.start);
}

inline void wait(int line)
{
  current->line = line;
  if (_setjmp(current->at) == 0)
    longjmp(scheduler, 1);
}

// together waits until all lanes of the warp do so.
inline void together(const char *what)
{
  current->lanes = what;
  if (_setjmp(current->at) == 0)
    longjmp(scheduler, 1);
}

// A Block is one that has begun. Others may run before it goes on: it keeps its shared memory meanwhile.
struct Block {
  dim3 index;
  std::vector<Fiber> fibers;
  std::vector<unsigned char> shared;
  bool ended = false;
};

inline bool paused;  // the thread that ran last wants other blocks to run
inline bool waiting; // since it waits for them

// pause lets other blocks run.
inline void pause(bool waits)
{
  paused = true;
  waiting = waits;
  wait(0);
}

inline std::vector<Fiber> *running_threads; // of the block that runs

// run_warp runs the threads of a warp that can until each waits, and reports whether some can go on then since all of the warp waited for each other.
inline bool run_warp(std::vector<Fiber> &fibers, size_t warp)
{
  const size_t first = 32 * warp, end = std::min(first + 32, fibers.size());
  static std::vector<size_t> lanes;
  lanes.resize(end - first);
  std::iota(lanes.begin(), lanes.end(), first);
  std::shuffle(lanes.begin(), lanes.end(), shuffler());
  for (size_t i : lanes)
    if (!fibers[i].ended && fibers[i].line == 0 && fibers[i].lanes == NULL) {
      resume(fibers[i]);
      if (paused)
        return false;
    }
  if (std::none_of(fibers.begin() + first, fibers.begin() + end, [](const Fiber &f) { return f.lanes != NULL; }))
    return false;
  for (size_t i = first; i < end; i++)
    if (fibers[i].lanes == NULL || strcmp(fibers[i].lanes, fibers[first].lanes) != 0)
      fail("the lanes of a warp part ways");
  for (size_t i = first; i < end; i++)
    fibers[i].lanes = NULL;
  return true;
}

// given returns what lane gives the lanes of the warp that runs.
template <class T> static T given(const char *what, T value, int lane)
{
  static_assert(sizeof(T) <= 16, "a value of one or two words");
  const size_t me = current - running_threads->data();
  Fiber &f = (*running_threads)[me];
  const int turn = f.times++ % 2;
  memcpy(f.given[turn], &value, sizeof value);
  together(what);
  memcpy(&value, (*running_threads)[me / 32 * 32 + lane].given[turn], sizeof value);
  return value;
}

// ballot returns a bit of each lane of the warp that runs.
inline unsigned ballot(const char *what, bool value)
{
  given(what, value, 0);
  const size_t me = current - running_threads->data();
  unsigned bits = 0;
  for (size_t lane = 0; lane < 32; lane++) {
    const Fiber &f = (*running_threads)[me / 32 * 32 + lane];
    bits |= (unsigned)(f.given[((*running_threads)[me].times - 1) % 2][0] != 0) << lane;
  }
  return bits;
}

// arrive has the copies come of the groups that are older than the newest ones of that number, in any order.
inline void arrive(int newest)
{
  std::vector<Arrival> &all = current->arrivals;
  const auto come = std::stable_partition(all.begin(), all.end(), [=](const Arrival &a) { return a.group <= newest; });
  std::shuffle(come, all.end(), shuffler());
  for (auto a = come; a != all.end(); a++)
    memcpy(a->to, a->early ? a->value : a->from, a->bytes);
  all.erase(come, all.end());
}

// run_block runs all threads of a block from barrier to barrier, until it has ended or pauses.
inline void run_block(Block &b)
{
  std::vector<Fiber> &fibers = b.fibers;
  const size_t warps = (fibers.size() + 31) / 32;
  std::vector<size_t> order(warps);
  std::iota(order.begin(), order.end(), 0);
  blockIdx = b.index;
  running_threads = &fibers;
  paused = false;
  for (;;) {
    std::shuffle(order.begin(), order.end(), shuffler());
    const bool ahead = shuffler()() % 2; // a warp runs to the barrier before another one begins
    bool goes_on = false;
    for (size_t w : order)
      for (bool again = true; again;) {
        again = run_warp(fibers, w);
        if (paused)
          return;
        goes_on |= again;
        again &= ahead;
      }
    if (goes_on)
      continue;
    for (Fiber &f : fibers)
      if (f.ended != fibers[0].ended || (!f.ended && f.line != fibers[0].line))
        fail("the threads of a block part ways at a barrier");
    b.ended = fibers[0].ended;
    if (b.ended)
      return;
    for (Fiber &f : fibers)
      f.line = 0;
  }
}

inline cudaError_t launch(dim3 grid, dim3 block, size_t shared, std::function<void()> kernel)
{
  unsigned long threads = (unsigned long)block.x * block.y * block.z;
  if (grid.x == 0 || grid.x > 0x7fffffffu || grid.y == 0 || grid.y > 0xffffu || grid.z == 0 || grid.z > 0xffffu ||
      threads == 0 || threads > 1024 || shared > sizeof hexcc_shared)
    return cudaErrorInvalidConfiguration;
  const size_t most = 5; // blocks at once, where they wait for each other
  static std::deque<Block> blocks;
  gridDim = grid;
  blockDim = block;
  body = &kernel;
  std::vector<unsigned long> order((unsigned long)grid.x * grid.y * grid.z);
  std::iota(order.begin(), order.end(), 0ul);
  std::shuffle(order.begin(), order.end(), shuffler());
  std::vector<size_t> running; // of blocks
  size_t next = 0, idle = 0;
  while (next < order.size() || !running.empty()) {
    size_t turn = running.size();
    if (next == order.size() || (!running.empty() && (running.size() == most || shuffler()() % 2)))
      turn = shuffler()() % 2 ? running.size() - 1 : shuffler()() % running.size();
    if (turn == running.size()) { // another one begins
      size_t b = 0;
      while (std::find(running.begin(), running.end(), b) != running.end())
        b++;
      if (b == blocks.size())
        blocks.emplace_back();
      Block &begun = blocks[b];
      if (begun.fibers.size() != threads)
        begun.fibers = std::vector<Fiber>(threads);
      for (unsigned t = 0; t < threads; t++) {
        Fiber &f = begun.fibers[t];
        f.index = dim3(t % block.x, t / block.x % block.y, t / block.x / block.y);
        f.begun = f.ended = false;
        f.line = f.times = 0;
        f.lanes = NULL;
        f.arrivals.clear();
      }
      const unsigned long at = order[next++];
      begun.index = dim3((unsigned)(at % grid.x), (unsigned)(at / grid.x % grid.y), (unsigned)(at / grid.x / grid.y));
      begun.shared.clear();
      begun.ended = false;
      running.push_back(b);
    }
    Block &b = blocks[running[turn]];
    if (!b.shared.empty())
      memcpy(hexcc_shared, b.shared.data(), shared);
    run_block(b);
    if (b.ended) {
      running.erase(running.begin() + (long)turn);
      idle = 0;
      continue;
    }
    b.shared.assign(hexcc_shared, hexcc_shared + shared);
    memset(hexcc_shared, 0xff, shared);
    idle = waiting ? idle + 1 : 0;
    if (idle > 1000)
      fail("blocks wait for each other for ever");
  }
  return cudaSuccess;
}

struct Mapping { char *base; size_t length, bytes; };

inline std::map<void *, Mapping> &mappings()
{
  static auto *all = new std::map<void *, Mapping>;
  return *all;
}

// Streams and events that are not destroyed.
inline std::set<void *> &handles()
{
  static auto *all = new std::set<void *>;
  return *all;
}

// Streams that have a priority.
inline std::set<cudaStream_t> &streams()
{
  static auto *all = new std::set<cudaStream_t>;
  return *all;
}

inline cudaError_t last_error = cudaSuccess;

inline cudaError_t said(cudaError_t e)
{
  if (e != cudaSuccess)
    last_error = e;
  return e;
}

// called counts a call of the runtime and returns error if it fails because the environment says so.
inline cudaError_t called(cudaError_t error)
{
  static long calls = 0, failing = setting("SHIM_FAIL"), absent = setting("SHIM_NO_DEVICE");
  static bool registered = false;
  if (!registered) {
    registered = true;
    atexit([] {
      if (!mappings().empty())
        fail("device memory is not freed");
      if (!handles().empty())
        fail("a stream or an event is not destroyed");
      if (failing > calls) {
        fprintf(stderr, "shim: %ld calls\n", calls);
        fflush(stderr);
        _Exit(98);
      }
    });
  }
  if (absent)
    return said(cudaErrorNoDevice);
  return ++calls == failing ? said(error) : cudaSuccess;
}

// known ends the program unless the stream is one that can be used.
inline void known(cudaStream_t stream)
{
  if (stream != NULL && stream != cudaStreamLegacy && stream != cudaStreamPerThread && !handles().count(stream))
    fail("a stream that does not exist");
}

// later reports whether a stream has what is put into it run when something waits for it: those that have a priority.
inline bool later(cudaStream_t stream)
{
  return stream != NULL && stream != cudaStreamLegacy && stream != cudaStreamPerThread && stream->later;
}

// piece runs the first piece of work of any stream that need not wait.
inline void piece()
{
  std::vector<cudaStream_t> all;
  for (cudaStream_t s : streams())
    if (!s->work.empty())
      all.push_back(s);
  std::shuffle(all.begin(), all.end(), shuffler());
  for (cudaStream_t s : all)
    if (s->work.front()()) {
      s->work.pop_front();
      return;
    }
  fail("streams wait for each other for ever");
}

// until runs what is in streams, one piece of any of them after the other, until it is so.
template <class F> static void until(F so)
{
  while (!so())
    piece();
}

// put has something run in a stream.
inline void put(cudaStream_t stream, std::function<bool()> work)
{
  if (later(stream))
    stream->work.push_back(work);
  else
    work();
}

// on_device ends the program unless bytes bytes from p on are in one array of the device.
inline void on_device(const void *p, size_t bytes)
{
  if (bytes == 0)
    return;
  auto after = mappings().upper_bound((void *)p);
  if (after == mappings().begin())
    fail("an access outside of device memory");
  auto [start, mapping] = *std::prev(after);
  if ((size_t)((const char *)p - (const char *)start) + bytes > mapping.bytes)
    fail("an access outside of device memory");
}

template <class... P, size_t... I>
static std::function<void()> bound(void (*kernel)(P...), void **args, std::index_sequence<I...>)
{
  std::tuple<std::decay_t<P>...> values(*(std::remove_reference_t<P> *)args[I]...);
  return [=] { kernel(std::get<I>(values)...); };
}

const size_t page = 4096;

} // namespace shim

#define __syncthreads() shim::wait(__LINE__)
#define __forceinline__ inline
#define __trap() shim::fail("a trap")

// What the lanes of a warp do together: all 32 of them.
template <class T> static T __shfl_sync(unsigned, T value, int lane) { return shim::given("__shfl_sync", value, lane); }

template <class T> static T __shfl_up_sync(unsigned, T value, unsigned by)
{
  const int lane = threadIdx.x % 32;
  return shim::given("__shfl_up_sync", value, lane < (int)by ? lane : lane - (int)by);
}

template <class T> static T __shfl_xor_sync(unsigned, T value, int mask)
{
  const int lane = (int)(threadIdx.x % 32);
  return shim::given("__shfl_xor_sync", value, lane ^ mask);
}

template <class T> static T __shfl_down_sync(unsigned, T value, unsigned by)
{
  const int lane = threadIdx.x % 32;
  return shim::given("__shfl_down_sync", value, lane + (int)by > 31 ? lane : lane + (int)by);
}

static inline unsigned __ballot_sync(unsigned, bool value) { return shim::ballot("__ballot_sync", value); }

static inline void __syncwarp() { shim::together("__syncwarp"); }

template <class T> static T __ldcg(const T *from) { return *from; }
template <class T> static void __stcg(T *to, T value) { *to = value; }
static inline int __ffs(int x) { return __builtin_ffs(x); }

// Copies to shared memory that are not waited for.
template <class T> static void hexcc_fetch(T *to, const T *from)
{
  shim::Arrival a = {to, from, sizeof(T), 0, shim::shuffler()() % 2 != 0, {}};
  memcpy(a.value, from, sizeof(T));
  memset(to, 0xff, sizeof(T));
  shim::current->arrivals.push_back(a);
}

static inline void hexcc_meet() { __syncthreads(); }

static inline void hexcc_pass_but(int newest)
{
  for (shim::Arrival &a : shim::current->arrivals)
    a.group++;
  shim::arrive(newest);
  hexcc_meet();
}

static inline void hexcc_pass() { hexcc_pass_but(1); }

static inline void hexcc_arrived() { shim::arrive(-1); }
template <class T> static T hexcc_anew(T x) { return x; }

// What blocks tell each other. Each of these lets others run.
static inline long long hexcc_acquire(const long long *flag) { return *flag; }
static inline void hexcc_pause(unsigned) { shim::pause(true); }
static inline unsigned long long hexcc_nanoseconds() { return 0; } // the end of patience is that of all blocks, see above
static inline void hexcc_release(long long *flag, long long value)
{
  *flag = value;
  shim::pause(false);
}

template <class T> static T atomicAdd(T *at, T by)
{
  const T before = *at;
  *at += by;
  return before;
}

// The runtime.

static inline const char *cudaGetErrorName(cudaError_t e)
{
  return e == cudaSuccess ? "cudaSuccess" : e == cudaErrorNoDevice ? "cudaErrorNoDevice" : "cudaErrorShim";
}

static inline const char *cudaGetErrorString(cudaError_t e)
{
  return e == cudaSuccess ? "no error" : e == cudaErrorNoDevice ? "no CUDA-capable device is detected" : "as told";
}

static inline cudaError_t cudaGetDeviceCount(int *count)
{
  *count = shim::setting("SHIM_NO_DEVICE") ? 0 : 1;
  return shim::called(cudaErrorInvalidValue);
}

// Every other array ends at an inaccessible page, the others begin after one.
inline cudaError_t shim_malloc(void **p, size_t bytes)
{
  static bool end;
  if (cudaError_t e = shim::called(cudaErrorMemoryAllocation))
    return e;
  if (bytes == 0) {
    *p = NULL;
    return cudaSuccess;
  }
  size_t inner = (bytes + shim::page - 1) / shim::page * shim::page, length = inner + 2 * shim::page;
  char *base = (char *)mmap(NULL, length, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (base == MAP_FAILED || mprotect(base + shim::page, inner, PROT_READ | PROT_WRITE) != 0)
    return shim::said(cudaErrorMemoryAllocation);
  memset(base + shim::page, 0xff, inner);
  end = !end;
  char *at = base + shim::page + (end ? inner - bytes : 0);
  shim::mappings()[at] = {base, length, bytes};
  *p = at;
  return cudaSuccess;
}

template <class T> static cudaError_t cudaMalloc(T **p, size_t bytes)
{
  void *q = *p;
  cudaError_t e = shim_malloc(&q, bytes);
  *p = (T *)q;
  return e;
}

static inline cudaError_t cudaFree(void *p)
{
  if (p != NULL) {
    auto found = shim::mappings().find(p);
    if (found == shim::mappings().end())
      shim::fail("cudaFree of what is not allocated");
    munmap(found->second.base, found->second.length);
    shim::mappings().erase(found);
  }
  return shim::called(cudaErrorInvalidValue);
}

static inline cudaError_t cudaMallocAsync(void **p, size_t bytes, cudaStream_t stream)
{
  shim::known(stream);
  return shim_malloc(p, bytes);
}

static inline cudaError_t cudaFreeAsync(void *p, cudaStream_t stream)
{
  shim::known(stream);
  return cudaFree(p);
}

static inline cudaError_t cudaGetDevice(int *device)
{
  *device = 0;
  return shim::called(cudaErrorInvalidValue);
}

static inline cudaError_t cudaSetDevice(int device) { return device == 0 ? shim::called(cudaErrorInvalidValue) : shim::said(cudaErrorInvalidValue); }

static inline cudaError_t cudaPointerGetAttributes(cudaPointerAttributes *a, const void *p)
{
  auto after = shim::mappings().upper_bound((void *)p);
  const bool device = after != shim::mappings().begin() && (size_t)((const char *)p - (const char *)std::prev(after)->first) < std::prev(after)->second.bytes;
  *a = {device ? cudaMemoryTypeDevice : cudaMemoryTypeUnregistered, 0};
  return shim::called(cudaErrorInvalidValue);
}

// Memory of the host that is pinned: freed like that of the device.
template <class T> static cudaError_t cudaMallocHost(T **p, size_t bytes)
{
  if (cudaError_t e = shim::called(cudaErrorMemoryAllocation))
    return e;
  *p = (T *)malloc(bytes + 1);
  shim::handles().insert(*p);
  return cudaSuccess;
}

static inline cudaError_t cudaFreeHost(void *p)
{
  if (!shim::handles().erase(p))
    shim::fail("cudaFreeHost of what is not allocated");
  free(p);
  return shim::called(cudaErrorInvalidValue);
}

static inline cudaError_t cudaDeviceGetAttribute(int *value, cudaDeviceAttr, int)
{
  *value = 2;
  return shim::called(cudaErrorInvalidValue);
}

template <class F> static cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, F *, int, size_t)
{
  *blocks = 4;
  return shim::called(cudaErrorInvalidValue);
}

static inline cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes, cudaMemcpyKind kind, cudaStream_t stream = NULL)
{
  if (cudaError_t e = shim::called(cudaErrorInvalidValue))
    return e;
  shim::known(stream);
  if (kind & 1)
    shim::on_device(to, bytes);
  if (kind & 2)
    shim::on_device(from, bytes);
  if (bytes > 0)
    shim::put(stream, [=] { memcpy(to, from, bytes); return true; });
  return cudaSuccess;
}

static inline cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes, cudaMemcpyKind kind)
{
  return cudaMemcpyAsync(to, from, bytes, kind);
}

static inline cudaError_t cudaMemsetAsync(void *to, int value, size_t bytes, cudaStream_t stream = NULL)
{
  if (cudaError_t e = shim::called(cudaErrorInvalidValue))
    return e;
  shim::known(stream);
  shim::on_device(to, bytes);
  if (bytes > 0)
    memset(to, value, bytes);
  return cudaSuccess;
}

static inline cudaError_t cudaGetLastError()
{
  cudaError_t e = shim::last_error;
  shim::last_error = cudaSuccess;
  return e;
}

static inline cudaError_t cudaDeviceSynchronize()
{
  shim::until([] { return std::all_of(shim::streams().begin(), shim::streams().end(), [](cudaStream_t s) { return s->work.empty(); }); });
  return shim::called(cudaErrorInvalidValue);
}

static inline cudaError_t cudaStreamCreate(cudaStream_t *stream)
{
  if (cudaError_t e = shim::called(cudaErrorInvalidValue))
    return e;
  *stream = new CUstream_st;
  shim::handles().insert(*stream);
  return cudaSuccess;
}

static inline cudaError_t cudaDeviceGetStreamPriorityRange(int *least, int *most)
{
  *least = 0, *most = -5;
  return shim::called(cudaErrorInvalidValue);
}

static inline cudaError_t cudaStreamCreateWithPriority(cudaStream_t *stream, unsigned, int)
{
  cudaError_t e = cudaStreamCreate(stream);
  if (e == cudaSuccess) {
    (*stream)->later = true;
    shim::streams().insert(*stream);
  }
  return e;
}

static inline cudaError_t cudaStreamDestroy(cudaStream_t stream)
{
  if (!shim::handles().erase(stream))
    shim::fail("cudaStreamDestroy of what does not exist");
  if (shim::streams().erase(stream) && !stream->work.empty())
    shim::fail("a stream is destroyed that nothing has waited for");
  delete stream;
  return shim::called(cudaErrorInvalidValue);
}

static inline cudaError_t cudaStreamSynchronize(cudaStream_t stream)
{
  shim::known(stream);
  if (shim::later(stream))
    shim::until([=] { return stream->work.empty(); });
  return shim::called(cudaErrorInvalidValue);
}

static inline cudaError_t cudaEventCreate(cudaEvent_t *event)
{
  if (cudaError_t e = shim::called(cudaErrorInvalidValue))
    return e;
  *event = new CUevent_st;
  shim::handles().insert(*event);
  return cudaSuccess;
}

static inline cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned) { return cudaEventCreate(event); }

static inline cudaError_t cudaEventDestroy(cudaEvent_t event)
{
  if (!shim::handles().erase(event))
    shim::fail("cudaEventDestroy of what does not exist");
  delete event;
  return shim::called(cudaErrorInvalidValue);
}

static inline cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream = NULL)
{
  if (cudaError_t e = shim::called(cudaErrorInvalidValue))
    return e;
  shim::known(stream);
  event->at = std::chrono::steady_clock::now();
  const long time = ++event->recorded;
  shim::put(stream, [=] { event->reached = time; return true; });
  return cudaSuccess;
}

static inline cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned)
{
  shim::known(stream);
  const long time = event->recorded;
  shim::put(stream, [=] { return event->reached >= time; });
  return shim::called(cudaErrorInvalidValue);
}

static inline cudaError_t cudaEventQuery(cudaEvent_t event)
{
  if (cudaError_t e = shim::called(cudaErrorInvalidValue))
    return e;
  if (event->reached >= event->recorded)
    return cudaSuccess;
  shim::piece();
  return cudaErrorNotReady;
}

static inline cudaError_t cudaEventSynchronize(cudaEvent_t event)
{
  const long time = event->recorded;
  shim::until([=] { return event->reached >= time; });
  return shim::called(cudaErrorInvalidValue);
}

static inline cudaError_t cudaEventElapsedTime(float *ms, cudaEvent_t from, cudaEvent_t to)
{
  *ms = std::chrono::duration<float, std::milli>(to->at - from->at).count();
  return shim::called(cudaErrorInvalidValue);
}

template <class F> static cudaError_t cudaFuncSetAttribute(F *, cudaFuncAttribute, int bytes)
{
  if (cudaError_t e = shim::called(cudaErrorInvalidValue))
    return e;
  const long most = shim::setting("SHIM_SHARED");
  return most > 0 && bytes > most ? shim::said(cudaErrorInvalidValue) : cudaSuccess;
}

template <class F> static cudaError_t cudaFuncGetAttributes(cudaFuncAttributes *a, F *)
{
  *a = {0};
  return shim::called(cudaErrorInvalidValue);
}

template <class T> struct shim_kernel;
template <class... P> struct shim_kernel<void(P...)> {
  static std::function<void()> bind(void (*kernel)(P...), void **args)
  {
    return shim::bound(kernel, args, std::index_sequence_for<P...>());
  }
};

template <class T>
static cudaError_t cudaLaunchKernel(T *kernel, dim3 grid, dim3 block, void **args, size_t shared = 0, cudaStream_t stream = NULL)
{
  if (cudaError_t e = shim::called(cudaErrorInvalidConfiguration))
    return e;
  shim::known(stream);
  std::function<void()> call = shim_kernel<T>::bind(kernel, args);
  if (!shim::later(stream))
    return shim::said(shim::launch(grid, block, shared, call));
  shim::put(stream, [=] { shim::said(shim::launch(grid, block, shared, call)); return true; });
  return cudaSuccess;
}

#endif
