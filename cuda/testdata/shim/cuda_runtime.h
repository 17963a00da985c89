// Enough of CUDA to run printed kernels on a CPU, for tests. Blocks run one by
// one, in an order that SHIM_SEED shuffles; the threads of a block are fibers
// that switch at __syncthreads only, in an order that changes at each one.
//
// What a GPU would not forgive ends the program: a barrier that some threads of
// a block do not reach, and an access just outside of an array (each lies
// against an inaccessible page, at its start or at its end). Call number
// SHIM_FAIL of the runtime fails; what is then not freed is told at exit.
#ifndef SHIM_CUDA_RUNTIME_H
#define SHIM_CUDA_RUNTIME_H

#include <math.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <algorithm>
#include <functional>
#include <map>
#include <numeric>
#include <random>
#include <utility>
#include <vector>

#define __global__
#define __device__
#define __host__
#define __shared__ thread_local // static, and also fit for extern
#define __align__(n) __attribute__((aligned(n)))
#define __launch_bounds__(...)
#define __restrict__ // other threads write too, which g++ would not expect

struct dim3 {
  unsigned x, y, z;
  dim3(unsigned x = 1, unsigned y = 1, unsigned z = 1) : x(x), y(y), z(z) {}
};

static dim3 blockIdx, threadIdx, blockDim, gridDim;

// As in CUDA, both operands have one type.
static inline int min(int a, int b) { return a < b ? a : b; }
static inline int max(int a, int b) { return a > b ? a : b; }
static inline long min(long a, long b) { return a < b ? a : b; }
static inline long max(long a, long b) { return a > b ? a : b; }

static inline float __fmul_rn(float x, float y) { return x * y; }
static inline double __dmul_rn(double x, double y) { return x * y; }

thread_local unsigned char hexcc_shared[256 << 10] __attribute__((aligned(16)));

namespace shim {

[[noreturn]] static inline void fail(const char *what)
{
  fprintf(stderr, "shim: %s\n", what);
  fflush(stderr);
  _Exit(99);
}

static inline long setting(const char *name)
{
  const char *text = getenv(name);
  return text ? atol(text) : 0;
}

static std::mt19937_64 &shuffler()
{
  static std::mt19937_64 rng(setting("SHIM_SEED"));
  return rng;
}

// A Fiber is one thread of a block.
struct Fiber {
  ucontext_t start;
  jmp_buf at;
  dim3 index;
  bool begun = false, ended = false;
  int line = 0; // of the barrier it waits at
  std::vector<char> stack = std::vector<char>(64 << 10);
};

static ucontext_t scheduler_start;
static jmp_buf scheduler;
static Fiber *current;
static std::function<void()> *body;

static void enter()
{
  (*body)();
  current->ended = true;
  longjmp(scheduler, 1);
}

static void resume(Fiber &f)
{
  current = &f;
  threadIdx = f.index;
  if (_setjmp(scheduler) != 0)
    return;
  if (f.begun)
    longjmp(f.at, 1);
  f.begun = true;
  getcontext(&f.start);
  f.start.uc_stack.ss_sp = f.stack.data();
  f.start.uc_stack.ss_size = f.stack.size();
  f.start.uc_link = &scheduler_start;
  makecontext(&f.start, enter, 0);
  setcontext(&f.start);
}

static void wait(int line)
{
  current->line = line;
  if (_setjmp(current->at) == 0)
    longjmp(scheduler, 1);
}

// run_block runs all threads of a block from barrier to barrier.
static void run_block(std::vector<Fiber> &fibers)
{
  for (Fiber &f : fibers)
    f.begun = f.ended = false;
  std::vector<size_t> order(fibers.size());
  std::iota(order.begin(), order.end(), 0);
  for (;;) {
    std::shuffle(order.begin(), order.end(), shuffler());
    for (size_t i : order)
      resume(fibers[i]);
    for (Fiber &f : fibers)
      if (f.ended != fibers[0].ended || (!f.ended && f.line != fibers[0].line))
        fail("the threads of a block part ways at a barrier");
    if (fibers[0].ended)
      return;
  }
}

static int last_error;
int runtime_call();

static void launch(unsigned grid, dim3 block, size_t shared, std::function<void()> kernel)
{
  unsigned threads = block.x * block.y * block.z;
  if (grid == 0 || grid > 0x7fffffffu || threads == 0 || threads > 1024 || shared > sizeof hexcc_shared) {
    last_error = 9;
    return;
  }
  static std::vector<Fiber> fibers;
  if (fibers.size() != threads)
    fibers = std::vector<Fiber>(threads);
  for (unsigned t = 0; t < threads; t++)
    fibers[t].index = dim3(t % block.x, t / block.x % block.y, t / block.x / block.y);
  gridDim = dim3(grid);
  blockDim = block;
  body = &kernel;
  std::vector<unsigned> order(grid);
  std::iota(order.begin(), order.end(), 0u);
  std::shuffle(order.begin(), order.end(), shuffler());
  for (unsigned b : order) {
    blockIdx = dim3(b);
    run_block(fibers);
  }
}

static inline void launch(unsigned grid, dim3 block, std::function<void()> kernel) { launch(grid, block, 0, kernel); }

} // namespace shim

#define __syncthreads() shim::wait(__LINE__)

// The runtime.

enum cudaError_t { cudaSuccess = 0, cudaErrorMemoryAllocation = 2, cudaErrorInvalidConfiguration = 9, cudaErrorInvalidValue = 1 };
enum cudaMemcpyKind { cudaMemcpyHostToDevice = 1, cudaMemcpyDeviceToHost = 2 };
enum cudaFuncAttribute { cudaFuncAttributeMaxDynamicSharedMemorySize = 8 };

namespace shim {

struct Mapping { char *base; size_t length, bytes; };

static std::map<void *, Mapping> &mappings()
{
  static auto *all = new std::map<void *, Mapping>;
  return *all;
}

// told is whether the call fails because SHIM_FAIL says so.
static bool told()
{
  static long calls = 0, failing = setting("SHIM_FAIL");
  static bool registered = false;
  if (!registered) {
    registered = true;
    atexit([] {
      if (!mappings().empty())
        fail("device memory is not freed");
      if (failing > calls) {
        fprintf(stderr, "shim: %ld calls\n", calls);
        fflush(stderr);
        _Exit(98);
      }
    });
  }
  return ++calls == failing;
}

const size_t page = 4096;

} // namespace shim

static inline const char *cudaGetErrorName(cudaError_t e) { return e == cudaSuccess ? "cudaSuccess" : "cudaErrorShim"; }
static inline const char *cudaGetErrorString(cudaError_t e) { return e == cudaSuccess ? "no error" : "as told"; }

// Every other array ends at an inaccessible page, the others begin after one.
template <class T> static cudaError_t cudaMalloc(T **p, size_t bytes)
{
  static bool end;
  if (shim::told())
    return cudaErrorMemoryAllocation;
  if (bytes == 0) {
    *p = NULL;
    return cudaSuccess;
  }
  size_t inner = (bytes + shim::page - 1) / shim::page * shim::page, length = inner + 2 * shim::page;
  char *base = (char *)mmap(NULL, length, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (base == MAP_FAILED || mprotect(base + shim::page, inner, PROT_READ | PROT_WRITE) != 0)
    return cudaErrorMemoryAllocation;
  memset(base + shim::page, 0xff, inner);
  end = !end;
  char *at = base + shim::page + (end ? inner - bytes : 0);
  shim::mappings()[at] = {base, length, bytes};
  *p = (T *)at;
  return cudaSuccess;
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
  return shim::told() ? cudaErrorInvalidValue : cudaSuccess;
}

static inline cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes, cudaMemcpyKind kind)
{
  if (shim::told())
    return cudaErrorInvalidValue;
  void *device = kind == cudaMemcpyHostToDevice ? to : (void *)from;
  auto after = shim::mappings().upper_bound(device);
  if (bytes > 0) {
    if (after == shim::mappings().begin())
      shim::fail("cudaMemcpy outside of device memory");
    auto [start, mapping] = *std::prev(after);
    if ((size_t)((char *)device - (char *)start) + bytes > mapping.bytes)
      shim::fail("cudaMemcpy outside of device memory");
  }
  memcpy(to, from, bytes);
  return cudaSuccess;
}

static inline cudaError_t cudaGetLastError()
{
  cudaError_t e = (cudaError_t)shim::last_error;
  shim::last_error = 0;
  return shim::told() ? cudaErrorInvalidConfiguration : e;
}

static inline cudaError_t cudaDeviceSynchronize() { return shim::told() ? cudaErrorInvalidValue : cudaSuccess; }

template <class F> static cudaError_t cudaFuncSetAttribute(F *, cudaFuncAttribute, int)
{
  return shim::told() ? cudaErrorInvalidValue : cudaSuccess;
}

#endif
