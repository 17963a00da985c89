// constants: measures what the model of kernels and the replay of machine code assume of a device, and prints a line for each:
//
//   NAME  MEASURED  UNIT  ASSUMED
//
// It needs a driver, and nothing else. Clocks are those of a multiprocessor.
#include <algorithm>
#include <stdio.h>
#include <stdlib.h>
#include <vector>
#include <cuda_runtime.h>

#define TRY(call) check((call), #call, __LINE__)

static void check(cudaError_t error, const char *call, int line)
{
  if (error == cudaSuccess)
    return;
  fprintf(stderr, "constants: line %d: %s: %s\n", line, call, cudaGetErrorString(error));
  exit(2);
}

static void say(const char *name, double measured, const char *unit, const char *assumed)
{
  printf("%-44s %10.4g  %-24s %s\n", name, measured, unit, assumed);
  fflush(stdout);
}

static int sms;

// Clocks of the slowest block, the least of three runs; the first one wakes the device.
template <class K, class... P> static double clocks(K kernel, int blocks, int threads, P... arguments)
{
  static long long *taken;
  if (taken == NULL)
    TRY(cudaMalloc(&taken, 4096 * sizeof *taken));
  std::vector<long long> all(blocks);
  double least = 0;
  for (int k = 0; k < 3; k++) {
    kernel<<<blocks, threads>>>(taken, arguments...);
    TRY(cudaGetLastError());
    TRY(cudaMemcpy(all.data(), taken, blocks * sizeof *taken, cudaMemcpyDeviceToHost));
    double most = (double)*std::max_element(all.begin(), all.end());
    least = k == 0 ? most : std::min(least, most);
  }
  return least;
}

#define BEGIN __syncthreads(); long long begin = clock64()
#define END(live) long long end = clock64(); if ((live) == 12345.0f) taken[1] = 0; __syncthreads(); \
  if (threadIdx.x == 0) taken[blockIdx.x] = 0; __syncthreads(); atomicMax((unsigned long long *)&taken[blockIdx.x], (unsigned long long)(end - begin))

// Instructions of one kind, REPEAT in straight code of which each CHAINS-th needs the result of the one CHAINS before.
enum { ROUNDS = 64, REPEAT = 256 };
#define KIND(name, type, instruction, constraint) \
  template <int CHAINS> __global__ void name(long long *taken) \
  { \
    type x[CHAINS], y = (type)blockDim.x; \
    for (int c = 0; c < CHAINS; c++) \
      x[c] = (type)threadIdx.x; \
    BEGIN; \
    for (int r = 0; r < ROUNDS; r++) { \
      _Pragma("unroll") for (int k = 0; k < REPEAT; k++) \
        asm volatile(instruction : "+" constraint(x[k % CHAINS]) : constraint(y)); \
    } \
    type sum = 0; \
    for (int c = 0; c < CHAINS; c++) \
      sum += x[c]; \
    END((float)sum); \
  }
KIND(fadd, float, "add.rn.f32 %0, %0, %1;", "f")
KIND(fmul, float, "mul.rn.f32 %0, %0, %1;", "f")
KIND(ffma, float, "fma.rn.f32 %0, %0, %1, %1;", "f")
KIND(dadd, double, "add.rn.f64 %0, %0, %1;", "d")
KIND(dmul, double, "mul.rn.f64 %0, %0, %1;", "d")
KIND(dfma, double, "fma.rn.f64 %0, %0, %1, %1;", "d")
KIND(imad, int, "mad.lo.s32 %0, %0, %1, %1;", "r")
KIND(logic, int, "lop3.b32 %0, %0, %1, %1, 0x96;", "r")
KIND(rsqrt, float, "{ .reg .f32 t; add.rn.f32 t, %0, %1; rsqrt.approx.ftz.f32 %0, t; }", "f")
KIND(shuffle, int, "shfl.sync.up.b32 %0, %0, %1, 0, -1;", "r")

template <class K1, class K8> static void kind(const char *name, K1 one, K8 eight, const char *latency, const char *lanes, const char *lone)
{
  const double n = ROUNDS * REPEAT;
  char text[100];
  snprintf(text, sizeof text, "%s: until its result is there", name);
  say(text, clocks(one, 1, 32) / n, "clocks", latency);
  snprintf(text, sizeof text, "%s: of one warp, without waits", name);
  say(text, clocks(eight, 1, 32) / n, "clocks", lone);
  snprintf(text, sizeof text, "%s: rate", name);
  say(text, 16 * 32 * n / clocks(eight, 1, 512), "lanes a clock", lanes);
}

// A chain of loads: each gives the place of the next.
template <int SPACE> __global__ void chase(long long *taken, const unsigned *list, int count)
{
  __shared__ unsigned here[1024];
  for (int k = threadIdx.x; k < 1024; k += blockDim.x)
    here[k] = (unsigned)__cvta_generic_to_shared(&here[(k + 33) % 1024]);
  __syncthreads();
  unsigned at = SPACE == 0 ? (unsigned)__cvta_generic_to_shared(&here[0]) : 0;
  for (int warm = SPACE == 1 ? 2 : 1; warm > 0; warm--) {
    long long begin = clock64();
#pragma unroll 16
    for (int k = 0; k < count; k++)
      if (SPACE == 0)
        asm volatile("ld.shared.u32 %0, [%0];" : "+r"(at));
      else if (SPACE == 1)
        asm volatile("ld.global.ca.u32 %0, [%1];" : "=r"(at) : "l"(list + at));
      else
        asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(at) : "l"(list + at));
    taken[0] = clock64() - begin;
  }
  if (at == 1u << 31)
    taken[1] = at;
}

// A list through all lines of 128 bytes of an array, in an order that no prefetch knows.
static unsigned *chain(size_t bytes)
{
  size_t lines = bytes / 128;
  std::vector<unsigned> order(lines), list(bytes / 4);
  for (size_t k = 0; k < lines; k++)
    order[k] = (unsigned)k;
  unsigned long long state = 1;
  for (size_t k = lines - 1; k > 0; k--) {
    state = state * 6364136223846793005ULL + 1442695040888963407ULL;
    std::swap(order[k], order[(state >> 33) % (k + 1)]);
  }
  for (size_t k = 0; k < lines; k++)
    list[(size_t)order[k] * 32] = order[(k + 1) % lines] * 32;
  unsigned *device;
  TRY(cudaMalloc(&device, bytes));
  TRY(cudaMemcpy(device, list.data(), bytes, cudaMemcpyHostToDevice));
  return device;
}

// Shared memory: WORDS of 4 bytes by thread and access, loads or stores.
template <int WORDS, bool STORE> __global__ void shared(long long *taken)
{
  __shared__ __align__(16) float buffer[1024 * WORDS];
  for (int k = threadIdx.x; k < 1024 * WORDS; k += blockDim.x)
    buffer[k] = (float)k;
  unsigned at = (unsigned)__cvta_generic_to_shared(&buffer[threadIdx.x % 1024 * WORDS]);
  float all[8][4] = {}; // so that loads do not wait for those before
  BEGIN;
  for (int r = 0; r < ROUNDS; r++) {
#pragma unroll
    for (int k = 0; k < 64; k++) {
      float &a = all[k % 8][0], &b = all[k % 8][1], &c = all[k % 8][2], &d = all[k % 8][3];
      if (WORDS == 1 && !STORE) asm volatile("ld.volatile.shared.f32 %0, [%1];" : "=f"(a) : "r"(at));
      if (WORDS == 2 && !STORE) asm volatile("ld.volatile.shared.v2.f32 {%0, %1}, [%2];" : "=f"(a), "=f"(b) : "r"(at));
      if (WORDS == 4 && !STORE) asm volatile("ld.volatile.shared.v4.f32 {%0, %1, %2, %3}, [%4];" : "=f"(a), "=f"(b), "=f"(c), "=f"(d) : "r"(at));
      if (WORDS == 1 && STORE) asm volatile("st.volatile.shared.f32 [%1], %0;" : : "f"(a), "r"(at));
      if (WORDS == 4 && STORE) asm volatile("st.volatile.shared.v4.f32 [%4], {%0, %1, %2, %3};" : : "f"(a), "f"(b), "f"(c), "f"(d), "r"(at));
    }
  }
  float sum = 0;
  for (int k = 0; k < 8; k++)
    sum += all[k][0] + all[k][1] + all[k][2] + all[k][3];
  END(sum);
}

// Loads of shared memory and shuffles in turn.
__global__ void mixed(long long *taken)
{
  __shared__ float buffer[1024];
  for (int k = threadIdx.x; k < 1024; k += blockDim.x)
    buffer[k] = (float)k;
  unsigned at = (unsigned)__cvta_generic_to_shared(&buffer[threadIdx.x]);
  float a[8] = {};
  int s[8] = {};
  BEGIN;
  for (int r = 0; r < ROUNDS; r++) {
#pragma unroll
    for (int k = 0; k < 64; k++) {
      asm volatile("ld.volatile.shared.f32 %0, [%1];" : "=f"(a[k % 8]) : "r"(at));
      asm volatile("shfl.sync.up.b32 %0, %0, 1, 0, -1;" : "+r"(s[k % 8]));
    }
  }
  float sum = 0;
  for (int k = 0; k < 8; k++)
    sum += a[k] + (float)s[k];
  END(sum);
}

__global__ void barriers(long long *taken)
{
  BEGIN;
#pragma unroll 16
  for (int r = 0; r < 1024; r++)
    asm volatile("bar.sync 0;" ::: "memory");
  END(0.0f);
}

// Asynchronous copies of BYTES by thread, from places that the second level of cache has.
template <int BYTES> __global__ void copies(long long *taken, const char *from)
{
  __shared__ __align__(16) char buffer[16 * 1024];
  unsigned at = (unsigned)__cvta_generic_to_shared(&buffer[threadIdx.x % (sizeof buffer / BYTES) * BYTES]);
  const char *place = from + (size_t)(blockIdx.x * blockDim.x + threadIdx.x) * BYTES;
  size_t stride = (size_t)gridDim.x * blockDim.x * BYTES;
  BEGIN;
  for (int r = 0; r < 32; r++) {
    for (int k = 0; k < 8; k++)
      if (BYTES == 4)
        asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(at), "l"(place + k * stride));
      else
        asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(at), "l"(place + k * stride));
    asm volatile("cp.async.commit_group;");
    asm volatile("cp.async.wait_group 1;" ::: "memory");
  }
  asm volatile("cp.async.wait_all;" ::: "memory");
  END(buffer[threadIdx.x]);
}

// All threads read an array, again and again.
__global__ void reads(long long *taken, const float4 *a, size_t n, int rounds)
{
  float sum = 0;
  BEGIN;
  for (int r = 0; r < rounds; r++)
    for (size_t k = (size_t)blockIdx.x * blockDim.x + threadIdx.x; k < n; k += 4 * (size_t)gridDim.x * blockDim.x) {
      float4 v[4];
#pragma unroll
      for (int u = 0; u < 4; u++) {
        size_t at = k + u * (size_t)gridDim.x * blockDim.x;
        asm volatile("ld.global.cg.v4.f32 {%0, %1, %2, %3}, [%4];" : "=f"(v[u].x), "=f"(v[u].y), "=f"(v[u].z), "=f"(v[u].w) : "l"(a + (at < n ? at : 0)));
      }
      sum += v[0].x + v[1].y + v[2].z + v[3].w;
    }
  END(sum);
}

__global__ void copy(const float4 *from, float4 *to, size_t n)
{
  for (size_t k = (size_t)blockIdx.x * blockDim.x + threadIdx.x; k < n; k += (size_t)gridDim.x * blockDim.x)
    to[k] = from[k];
}

__global__ void nothing() {}

// Two blocks tell each other numbers: block 0 stores odd ones, block 1 even ones. Any block whose multiprocessor is not theirs does nothing.
__global__ void tell(long long *taken, unsigned *flags, int rounds)
{
  if (threadIdx.x > 0 || blockIdx.x != 0 && blockIdx.x != gridDim.x - 1)
    return;
  bool first = blockIdx.x == 0;
  unsigned *mine = flags + (first ? 0 : 64), *other = flags + (first ? 64 : 0), seen = 0;
  long long begin = clock64();
  for (unsigned r = 1; r <= (unsigned)rounds; r++) {
    if (first)
      asm volatile("st.release.gpu.u32 [%0], %1;" ::"l"(mine), "r"(r) : "memory");
    do
      asm volatile("ld.acquire.gpu.u32 %0, [%1];" : "=r"(seen) : "l"(other) : "memory");
    while (seen < r);
    if (!first)
      asm volatile("st.release.gpu.u32 [%0], %1;" ::"l"(mine), "r"(r) : "memory");
  }
  taken[blockIdx.x] = clock64() - begin;
}

__global__ void tickets(long long *taken, unsigned *counter)
{
  unsigned got = 0;
  long long begin = clock64();
  for (int r = 0; r < 256; r++)
    got += atomicAdd(counter + got % 2 * 0, 1u) & 1;
  taken[blockIdx.x] = clock64() - begin;
  if (got == 12345678)
    taken[1] = 0;
}

// Straight code of K * 1024 instructions of 16 bytes.
template <int K> __global__ void straight(long long *taken)
{
  float x[8];
  for (int c = 0; c < 8; c++)
    x[c] = (float)threadIdx.x;
  float y = 1.0f;
  BEGIN;
#pragma unroll 1
  for (int r = 0; r < 64 / K; r++) {
#pragma unroll
    for (int k = 0; k < K * 1024; k++)
      asm volatile("add.rn.f32 %0, %0, %1;" : "+f"(x[k % 8]) : "f"(y));
  }
  float sum = 0;
  for (int c = 0; c < 8; c++)
    sum += x[c];
  END(sum);
}

template <int K> static void code()
{
  char text[100];
  snprintf(text, sizeof text, "straight code of %d KB, one warp", 16 * K);
  say(text, clocks(straight<K>, 1, 32) / (64 * 1024.0), "clocks an instruction", K <= 8 ? "2" : "2 and more");
  snprintf(text, sizeof text, "straight code of %d KB, 16 warps, all alike", 16 * K);
  say(text, clocks(straight<K>, sms, 512) / (64 * 1024.0 * 4), "clocks an instruction", K <= 8 ? "1" : "1 and more");
}

// Clocks and seconds under a load of all units for sums.
__global__ void loaded(long long *taken, unsigned long long *nanoseconds)
{
  float x[8];
  for (int c = 0; c < 8; c++)
    x[c] = (float)threadIdx.x;
  float y = 1.0000001f;
  unsigned long long from, to;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(from));
  BEGIN;
  for (int r = 0; r < 60000; r++)
#pragma unroll
    for (int k = 0; k < 256; k++)
      asm volatile("fma.rn.f32 %0, %0, %1, %1;" : "+f"(x[k % 8]) : "f"(y));
  float sum = x[0] + x[1] + x[2] + x[3] + x[4] + x[5] + x[6] + x[7];
  END(sum);
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(to));
  if (blockIdx.x == 0 && threadIdx.x == 0)
    *nanoseconds = to - from;
}

int main()
{
  cudaDeviceProp p;
  TRY(cudaGetDeviceProperties(&p, 0));
  sms = p.multiProcessorCount;
  int khz = 0;
  TRY(cudaDeviceGetAttribute(&khz, cudaDevAttrClockRate, 0));
  printf("%s, %d multiprocessors, %d MHz at most, second level of cache %.1f MB\n\n", p.name, sms, khz / 1000, p.l2CacheSize / 1e6);
  printf("%-44s %10s  %-24s %s\n", "", "measured", "unit", "assumed");

  unsigned long long *nanoseconds, ns = 0;
  TRY(cudaMalloc(&nanoseconds, sizeof ns));
  double busy = clocks(loaded, sms, 512, nanoseconds);
  TRY(cudaMemcpy(&ns, nanoseconds, sizeof ns, cudaMemcpyDeviceToHost));
  say("clock under multiply-adds of all units", busy / (double)ns * 1e3, "MHz", "1980");

  cudaEvent_t from, to;
  TRY(cudaEventCreate(&from));
  TRY(cudaEventCreate(&to));
  float ms = 0;
  for (int k = 0; k < 2; k++) {
    TRY(cudaEventRecord(from));
    for (int i = 0; i < 2000; i++)
      nothing<<<sms, 256>>>();
    TRY(cudaEventRecord(to));
    TRY(cudaEventSynchronize(to));
    TRY(cudaEventElapsedTime(&ms, from, to));
  }
  say("from a launch to the next", ms / 2000 * 1e3, "microseconds", "3");

  const size_t big = (size_t)2 << 30;
  float4 *a, *b;
  TRY(cudaMalloc(&a, big));
  TRY(cudaMalloc(&b, big));
  TRY(cudaMemset(a, 0, big));
  double least = 0;
  for (int k = 0; k < 6; k++) {
    TRY(cudaEventRecord(from));
    copy<<<sms * 16, 512>>>(a, b, big / 16);
    TRY(cudaEventRecord(to));
    TRY(cudaEventSynchronize(to));
    TRY(cudaEventElapsedTime(&ms, from, to));
    least = k == 0 ? ms : std::min<double>(least, ms);
  }
  say("memory: copied, read and written", 2 * big / least / 1e6, "1e9 bytes a second", "3350");
  for (size_t mb : {4, 8, 16, 24, 32, 48}) {
    char text[100];
    snprintf(text, sizeof text, "%zu MB read again and again", mb);
    double c = clocks(reads, sms * 2, 1024, (const float4 *)a, (mb << 20) / 16, 20);
    say(text, 20.0 * (mb << 20) / c / sms, "bytes a clock and SM", "64");
  }

  unsigned *small = chain(16 << 10), *middle = chain(8 << 20), *large = chain((size_t)1 << 30);
  say("shared memory: until a load is there", clocks(chase<0>, 1, 1, small, 4096) / 4096, "clocks", "23");
  say("first cache: until a load is there", clocks(chase<1>, 1, 1, small, 4096) / 4096, "clocks", "33");
  say("second cache: until a load is there", clocks(chase<2>, 1, 1, middle, 4096) / 4096, "clocks", "");
  const int far = 1 << 20; // lines of 128 bytes: more than the second cache keeps from one run to the next
  say("memory: until a load is there", clocks(chase<2>, 1, 1, large, far) / far, "clocks", "550");

  kind("sum, 32 bits", fadd<1>, fadd<8>, "4", "128", "2");
  kind("product, 32 bits", fmul<1>, fmul<8>, "4", "128", "2");
  kind("multiply-add, 32 bits", ffma<1>, ffma<8>, "4", "128", "2");
  kind("sum, 64 bits", dadd<1>, dadd<8>, "", "64", "2");
  kind("product, 64 bits", dmul<1>, dmul<8>, "", "64", "2");
  kind("multiply-add, 64 bits", dfma<1>, dfma<8>, "", "64", "2");
  kind("multiply-add of integers", imad<1>, imad<8>, "4", "64", "2");
  kind("logic", logic<1>, logic<8>, "4", "64", "2");
  kind("sum and root (special unit)", rsqrt<1>, rsqrt<8>, "18 and more", "16", "");
  kind("shuffle", shuffle<1>, shuffle<8>, "23", "32", "4");

  say("shared memory: loads of 4 bytes", ROUNDS * 64.0 * 16 * 128 / clocks(shared<1, false>, 1, 512), "bytes a clock", "128");
  say("shared memory: loads of 8 bytes", ROUNDS * 64.0 * 16 * 256 / clocks(shared<2, false>, 1, 512), "bytes a clock", "128");
  say("shared memory: loads of 16 bytes", ROUNDS * 64.0 * 16 * 512 / clocks(shared<4, false>, 1, 512), "bytes a clock", "128");
  say("shared memory: stores of 4 bytes", ROUNDS * 64.0 * 16 * 128 / clocks(shared<1, true>, 1, 512), "bytes a clock", "128");
  say("shared memory: stores of 16 bytes", ROUNDS * 64.0 * 16 * 512 / clocks(shared<4, true>, 1, 512), "bytes a clock", "128");
  say("a load of 4 bytes and a shuffle", clocks(mixed, 1, 512) / (ROUNDS * 64.0 * 16), "clocks of the SM", "2");
  say("loads of 4 bytes by one warp", clocks(shared<1, false>, 1, 32) / (ROUNDS * 64.0), "clocks each", "4");

  for (int warps : {2, 4, 8, 16}) {
    char text[100];
    snprintf(text, sizeof text, "barrier of %d warps", warps);
    say(text, clocks(barriers, 1, 32 * warps) / 1024, "clocks", "20");
  }
  say("asynchronous copies of 4 bytes", 256.0 * 512 * 4 / clocks(copies<4>, sms, 512, (const char *)a), "bytes a clock and SM", "64");
  say("asynchronous copies of 16 bytes", 256.0 * 512 * 16 / clocks(copies<16>, sms, 512, (const char *)a), "bytes a clock and SM", "64");

  unsigned *flags;
  TRY(cudaMalloc(&flags, 4096));
  double least_told = 0;
  for (int k = 0; k < 3; k++) {
    TRY(cudaMemset(flags, 0, 4096));
    long long *taken, one = 0;
    TRY(cudaMalloc(&taken, 4096 * sizeof *taken));
    tell<<<sms, 32>>>(taken, flags, 1000);
    TRY(cudaMemcpy(&one, taken, sizeof one, cudaMemcpyDeviceToHost));
    TRY(cudaFree(taken));
    least_told = k == 0 ? (double)one : std::min(least_told, (double)one);
  }
  say("flag: from a block to another one", least_told / 2000, "clocks", "");
  say("ticket: an atomic sum and its result, alone", clocks(tickets, 1, 1, flags) / 256, "clocks", "");
  say("ticket: of a thread on each multiprocessor", clocks(tickets, sms, 1, flags) / 256, "clocks", "");

  code<1>();
  code<2>();
  code<4>();
  code<8>();
  code<16>();
  code<32>();
  return 0;
}
