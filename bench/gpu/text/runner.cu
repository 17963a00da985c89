// bench-gpu: checks and times what table.cc lists, on one GPU. It needs nothing but a driver, and
// goes on where it stopped: what the file of results has is not run again.
//
//   bench-gpu [--out=FILE] [--seconds=S] [--only=TEXT] [--sizes=N,..] [--steps=T] [--runs=R] [--reference=DIR] [--list]
//
// Exits with 0 when all is done, 75 when time was up before, 1 if a result was wrong, 2 if it cannot run.
#include <algorithm>
#include <chrono>
#include <map>
#include <string>
#include <vector>
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "config.h"
#include "hash.h"

#define TRY(call) check((int)(call), #call, __LINE__)

static void check(int error, const char *call, int line)
{
  if (error == 0)
    return;
  fprintf(stderr, "bench-gpu: line %d: %s: %s\n", line, call, cudaGetErrorString((cudaError_t)error));
  exit(2);
}

template <class T> struct same { typedef T type; };

template <class... P>
static void launch(void (*kernel)(P...), size_t blocks, typename same<P>::type... arguments)
{
  void *list[] = {(void *)&arguments..., NULL};
  TRY(cudaLaunchKernel<void(P...)>(kernel, dim3((unsigned)blocks), dim3(256), list, 0, NULL));
}

static size_t blocks(size_t n) { return std::min<size_t>((n + 255) / 256, 1 << 20); }

#define EACH(k, n) \
  for (size_t k = (size_t)blockIdx.x * blockDim.x + threadIdx.x; k < (n); k += (size_t)gridDim.x * blockDim.x)

template <class real> __global__ void fill(real *a, size_t count, size_t plane, int array)
{
  EACH(k, count)
    a[k] = (real)initial(array, k % plane);
}

// One thread sums a slice of a chunk, so that no atomics are needed.
enum { SLICES = 256 };
template <class real> __global__ void hash(const real *a, size_t count, word *sums, size_t slices)
{
  EACH(s, slices) {
    size_t chunk = s / SLICES * CHUNK, end = chunk + CHUNK < count ? chunk + CHUNK : count;
    word sum = 0;
    for (size_t k = chunk + s % SLICES; k < end; k += SLICES) {
      word bits = 0;
      memcpy(&bits, &a[k], sizeof(real));
      sum += hashed(bits, k);
    }
    sums[s] = sum;
  }
}

__global__ void compare(const unsigned *a, const unsigned *b, size_t words, word *differ, size_t threads)
{
  EACH(t, threads) {
    word n = 0;
    for (size_t k = t; k < words; k += threads)
      n += a[k] != b[k];
    differ[t] = n;
  }
}

__global__ void copy(const float4 *from, float4 *to, size_t n)
{
  EACH(k, n)
    to[k] = from[k];
}

#ifndef SHIM_CUDA_RUNTIME_H
// spin counts clocks for about so many of them.
__global__ void spin(long long *clocks, long long n)
{
  long long start = clock64();
  while (clock64() - start < n)
    ;
  if (threadIdx.x == 0)
    *clocks = clock64() - start;
}
#endif

struct Options {
  std::string out = "bench-gpu.json", only, reference = "reference";
  double seconds = 1e9;
  std::vector<int> sizes;
  int steps = 1000, runs = 5, check_steps = CHECK_STEPS;
  bool list = false;
};

// A Timer measures on the device.
struct Timer {
  cudaEvent_t from, to;
  Timer() { TRY(cudaEventCreate(&from)); TRY(cudaEventCreate(&to)); }
  ~Timer() { TRY(cudaEventDestroy(from)); TRY(cudaEventDestroy(to)); }
  void start() { TRY(cudaEventRecord(from, NULL)); }
  double stop()
  {
    float ms;
    TRY(cudaEventRecord(to, NULL));
    TRY(cudaEventSynchronize(to));
    TRY(cudaEventElapsedTime(&ms, from, to));
    return ms;
  }
};

static double now()
{
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

static std::string quoted(const std::string &s)
{
  std::string out = "\"";
  for (char c : s)
    if ((unsigned char)c >= ' ')
      out += c == '"' || c == '\\' ? std::string("\\") + c : std::string(1, c);
  return out + "\"";
}

static std::string number(double x)
{
  char text[40];
  snprintf(text, sizeof text, "%.6g", x);
  return text;
}

// Results are the lines of a JSON file: a head, then a record for each thing measured.
struct Results {
  std::string path, head;
  std::vector<std::string> lines;
  std::map<std::string, std::string> by_key;

  void read()
  {
    FILE *f = fopen(path.c_str(), "r");
    if (f == NULL)
      return;
    std::string line;
    for (int c; (c = fgetc(f)) != EOF;) {
      if (c != '\n') {
        line += (char)c;
        continue;
      }
      if (line.compare(0, 8, "{\"key\":\"") == 0) {
        if (line.back() == ',')
          line.pop_back();
        keep(line);
      }
      line.clear();
    }
    fclose(f);
  }
  void keep(const std::string &line)
  {
    lines.push_back(line);
    by_key[line.substr(8, line.find('"', 8) - 8)] = line;
  }
  bool has(const std::string &key) const { return by_key.count(key) > 0; }
  double value(const std::string &key, const std::string &field) const
  {
    auto found = by_key.find(key);
    if (found == by_key.end())
      return 0;
    size_t at = found->second.find("\"" + field + "\":");
    return at == std::string::npos ? 0 : atof(found->second.c_str() + at + field.size() + 3);
  }
  void add(const std::string &key, const std::string &fields)
  {
    keep("{\"key\":\"" + key + "\"," + fields + "}");
    std::string temp = path + ".tmp";
    FILE *f = fopen(temp.c_str(), "w");
    if (f == NULL) {
      perror(temp.c_str());
      exit(2);
    }
    fprintf(f, "{%s,\n\"records\":[\n", head.c_str());
    for (size_t i = 0; i < lines.size(); i++)
      fprintf(f, "%s%s\n", lines[i].c_str(), i + 1 < lines.size() ? "," : "");
    fprintf(f, "]}\n");
    if (fclose(f) != 0 || rename(temp.c_str(), path.c_str()) != 0) {
      perror(path.c_str());
      exit(2);
    }
  }
};

struct Machine {
  std::string name = "shim";
  int sms = 1, clock_khz = 0;
  double mhz = 0; // measured
};

#ifdef SHIM_CUDA_RUNTIME_H
static Machine machine() { return Machine(); }
#else
static Machine machine()
{
  Machine m;
  cudaDeviceProp p;
  TRY(cudaGetDeviceProperties(&p, 0));
  m.name = p.name;
  m.sms = p.multiProcessorCount;
  TRY(cudaDeviceGetAttribute(&m.clock_khz, cudaDevAttrClockRate, 0));
  long long *clocks, n = 0;
  TRY(cudaMalloc(&clocks, sizeof n));
  Timer timer;
  for (int i = 0; i < 3; i++) { // the first ones wake the clocks up
    timer.start();
    launch(spin, (size_t)m.sms, clocks, 400000000LL);
    double ms = timer.stop();
    TRY(cudaMemcpy(&n, clocks, sizeof n, cudaMemcpyDeviceToHost));
    m.mhz = n / ms / 1e3;
  }
  TRY(cudaFree(clocks));
  return m;
}
#endif

static std::string said(const char *command)
{
  std::string out;
  if (FILE *f = popen(command, "r")) {
    for (int c; (c = fgetc(f)) != EOF;)
      out += (char)c;
    pclose(f);
  }
  while (!out.empty() && out.back() == '\n')
    out.pop_back();
  return out;
}

static std::string head(const Machine &m)
{
  char date[40];
  time_t t = time(NULL);
  strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%SZ", gmtime(&t));
  int driver = 0, runtime = 0;
#ifndef SHIM_CUDA_RUNTIME_H
  TRY(cudaDriverGetVersion(&driver));
  TRY(cudaRuntimeGetVersion(&runtime));
#endif
  return "\"date\":" + quoted(date) + ",\"device\":" + quoted(m.name) + ",\"multiprocessors\":" + number(m.sms) +
      ",\"clock_mhz\":" + number(m.clock_khz / 1e3) + ",\"clock_mhz_measured\":" + number(m.mhz) + ",\"driver\":" + number(driver) +
      ",\"runtime\":" + number(runtime) + ",\"built\":" + quoted(BUILT) + ",\"nvidia_smi\":" +
      quoted(said("nvidia-smi --query-gpu=name,driver_version,clocks.sm,clocks.mem,clocks.max.sm,power.draw,temperature.gpu "
                  "--format=csv,noheader 2>/dev/null"));
}

static double median(std::vector<double> v)
{
  std::sort(v.begin(), v.end());
  return v[v.size() / 2];
}

// A Grid is the arrays of a benchmark at one size: those that are computed on, and the right results.
struct Grid {
  const Benchmark &b;
  int n;
  size_t plane, count;
  std::vector<void *> work, right;
  word *sums;
  enum { COMPARERS = 1 << 18 };

  Grid(const Benchmark &b, int n) : b(b), n(n), plane(1)
  {
    for (int d = 0; d < b.dims; d++)
      plane *= n;
    count = plane * b.planes;
    for (int i = 0; i < b.arrays; i++) {
      void *w = NULL, *r = NULL;
      TRY(cudaMalloc(&w, bytes()));
      TRY(cudaMalloc(&r, bytes()));
      work.push_back(w);
      right.push_back(r);
    }
    sums = NULL;
    TRY(cudaMalloc(&sums, std::max<size_t>(slices(), COMPARERS) * sizeof(word)));
  }
  ~Grid()
  {
    for (int i = 0; i < b.arrays; i++) {
      TRY(cudaFree(work[i]));
      TRY(cudaFree(right[i]));
    }
    TRY(cudaFree(sums));
  }
  size_t bytes() const { return count * b.bytes; }
  size_t slices() const { return (count + CHUNK - 1) / CHUNK * SLICES; }
  double updates(int steps) const
  {
    double points = 1;
    for (int d = 0; d < b.dims; d++)
      points *= n - b.halo;
    return points * steps;
  }
  void reset()
  {
    for (int i = 0; i < b.arrays; i++)
      if (b.bytes == 4)
        launch(fill<float>, blocks(count), (float *)work[i], count, plane, i);
      else
        launch(fill<double>, blocks(count), (double *)work[i], count, plane, i);
  }
  // The hashes of all chunks of all arrays.
  std::vector<word> hashes()
  {
    std::vector<word> all, part(slices());
    for (int i = 0; i < b.arrays; i++) {
      if (b.bytes == 4)
        launch(hash<float>, blocks(slices()), (const float *)work[i], count, sums, slices());
      else
        launch(hash<double>, blocks(slices()), (const double *)work[i], count, sums, slices());
      TRY(cudaMemcpy(part.data(), sums, part.size() * sizeof(word), cudaMemcpyDeviceToHost));
      for (size_t s = 0; s < part.size(); s += SLICES) {
        word sum = 0;
        for (int k = 0; k < SLICES; k++)
          sum += part[s + k];
        all.push_back(sum);
      }
    }
    return all;
  }
  void keep()
  {
    for (int i = 0; i < b.arrays; i++)
      TRY(cudaMemcpyAsync(right[i], work[i], bytes(), cudaMemcpyDeviceToDevice, NULL));
  }
  // How many words of 32 bits differ from those that were kept.
  word differ()
  {
    word n = 0;
    size_t words = bytes() / 4, threads = std::min<size_t>(COMPARERS, words);
    std::vector<word> part(threads);
    for (int i = 0; i < b.arrays; i++) {
      launch(compare, blocks(threads), (const unsigned *)work[i], (const unsigned *)right[i], words, sums, threads);
      TRY(cudaMemcpy(part.data(), sums, threads * sizeof(word), cudaMemcpyDeviceToHost));
      for (word k : part)
        n += k;
    }
    return n;
  }
};

static int wrong; // results

// reference_of returns the hashes that the original program leaves, empty if there are none.
static std::vector<word> reference_of(const Options &o, const Grid &g)
{
  std::vector<word> all;
  std::string path = o.reference + "/" + g.b.name + "-" + g.b.type + "-" + std::to_string(g.n) + "-" + std::to_string(o.check_steps);
  if (FILE *f = fopen(path.c_str(), "rb")) {
    for (word w; fread(&w, sizeof w, 1, f) == 1;)
      all.push_back(w);
    fclose(f);
  }
  return all;
}

// original says whether a run of few steps leaves what the original program leaves.
static std::string original(const Options &o, Grid &g, const Config &c, const std::vector<word> &want)
{
  if (want.empty())
    return "no reference";
  g.reset();
  TRY(c.run(o.check_steps, g.n, g.work.data(), NULL));
  std::vector<word> got = g.hashes();
  size_t differ = want.size() != got.size();
  for (size_t i = 0; i < std::min(want.size(), got.size()); i++)
    differ += want[i] != got[i];
  if (differ == 0)
    return "equal";
  wrong++;
  return "DIFFERENT: " + std::to_string(differ) + " of " + std::to_string(want.size()) + " parts";
}

static std::vector<double> timed(const Options &o, Grid &g, const Config &c, int steps)
{
  std::vector<double> ms;
  Timer timer;
  for (int r = 0; r < o.runs; r++) {
    g.reset();
    TRY(cudaDeviceSynchronize());
    timer.start();
    TRY(c.run(steps, g.n, g.work.data(), NULL));
    ms.push_back(timer.stop());
  }
  return ms;
}

// The bandwidth of a copy on the device, read and written bytes by second, in GB/s.
static double copied(const Options &o, Grid &g)
{
  std::vector<double> by_call, by_kernel;
  Timer timer;
  for (int r = 0; r < o.runs + 1; r++) { // the first does not count
    timer.start();
    TRY(cudaMemcpyAsync(g.right[0], g.work[0], g.bytes(), cudaMemcpyDeviceToDevice, NULL));
    double ms = timer.stop();
    timer.start();
    launch(copy, blocks(g.bytes() / 16), (const float4 *)g.work[0], (float4 *)g.right[0], g.bytes() / 16);
    double kernel = timer.stop();
    if (r > 0)
      by_call.push_back(ms), by_kernel.push_back(kernel);
  }
  return 2.0 * g.bytes() / std::min(median(by_call), median(by_kernel)) / 1e6;
}

// transfers returns the time of copies of all arrays to the device and back, in ms, from memory that is pinned if it can be.
static std::pair<double, double> transfers(Grid &g)
{
  void *host = malloc(g.bytes());
  if (host == NULL)
    return {0, 0};
  memset(host, 1, g.bytes());
  Timer timer;
  timer.start();
  for (int i = 0; i < g.b.arrays; i++)
    TRY(cudaMemcpy(g.work[i], host, g.bytes(), cudaMemcpyHostToDevice));
  double in = timer.stop();
  timer.start();
  for (int i = 0; i < g.b.arrays; i++)
    TRY(cudaMemcpy(host, g.work[i], g.bytes(), cudaMemcpyDeviceToHost));
  double out = timer.stop();
  free(host);
  return {in, out};
}

// record measures one configuration.
static void record(const Options &o, const Machine &m, Grid &g, const Config &c, const std::string &key, Results &results,
    const std::vector<word> &want, double bandwidth, bool first)
{
  std::string against = original(o, g, c, want);
  std::vector<double> ms = timed(o, g, c, o.steps);
  std::string same = "kept";
  if (first)
    g.keep();
  else if (word n = g.differ()) {
    same = "DIFFERENT: " + std::to_string(n) + " words";
    wrong++;
  } else
    same = "equal";
  double rate = g.updates(o.steps) / median(ms) / 1e6; // GStencil/s
  double clocks = m.sms * (m.mhz > 0 ? m.mhz : m.clock_khz / 1e3) * 1e6;
  struct { const char *name; double limit; } limits[] = {
    {"global memory", c.global > 0 ? bandwidth / c.global : 0},
    {"shared memory", c.shared > 0 ? clocks * 128 / c.shared / 1e9 : 0},
    {"operations", c.operations > 0 ? clocks * (g.b.bytes == 4 ? 128 : 64) / c.operations / 1e9 : 0},
  };
  const char *binding = "";
  double least = 0;
  for (auto &l : limits)
    if (l.limit > 0 && (least == 0 || l.limit < least))
      binding = l.name, least = l.limit;
  std::string times;
  for (double x : ms)
    times += (times.empty() ? "" : ",") + number(x);
  results.add(key, "\"benchmark\":" + quoted(g.b.name) + ",\"type\":" + quoted(g.b.type) + ",\"n\":" + number(g.n) + ",\"steps\":" +
      number(o.steps) + ",\"config\":" + quoted(c.name) + ",\"tile\":" + quoted(c.tile) + ",\"ms\":[" + times + "],\"ms_median\":" +
      number(median(ms)) + ",\"gstencils\":" + number(rate) + ",\"gflops\":" + number(rate * g.b.flops) + ",\"limit\":" +
      number(least) + ",\"binding\":" + quoted(binding) + ",\"share\":" + number(least > 0 ? rate / least : 0) +
      ",\"original\":" + quoted(against) + ",\"untiled\":" + quoted(same));
  printf("%-40s %9.3f ms %9.2f GStencil/s %5.1f %% of %s; original %s, untiled %s\n", key.c_str(), median(ms), rate,
      least > 0 ? 100 * rate / least : 0, binding, against.c_str(), same.c_str());
  fflush(stdout);
}

static bool untiled(const Config &c) { return strncmp(c.name, "untiled", 7) == 0; }

// measure runs what is missing of one benchmark at one size; false: time was up.
static bool measure(const Options &o, const Machine &m, const Benchmark &b, int n, Results &results, double end)
{
  std::vector<const Config *> plain, tiled;
  for (int i = 0; i < config_count; i++)
    if (configs[i].benchmark == &b)
      (untiled(configs[i]) ? plain : tiled).push_back(&configs[i]);
  std::string base = std::string(b.name) + "/" + b.type + "/" + std::to_string(n);
  auto key = [&](const Config *c) { return base + "/" + c->name; };
  auto chosen = [&](const Config *c) { return o.only.empty() || key(c).find(o.only) != std::string::npos; };
  tiled.erase(std::remove_if(tiled.begin(), tiled.end(), [&](const Config *c) { return results.has(key(c)) || !chosen(c); }), tiled.end());
  std::string baseline = base + "/untiled";
  if (tiled.empty() && (results.has(baseline) || plain.empty() || base.find(o.only) == std::string::npos))
    return true;
  if (now() > end)
    return false;
  Grid g(b, n);
  g.reset();
  if (!results.has(base + "/copy")) {
    double bandwidth = copied(o, g);
    auto [in, out] = transfers(g);
    results.add(base + "/copy", "\"bytes\":" + number((double)g.bytes() * b.arrays) + ",\"gbs\":" + number(bandwidth) + ",\"to_device_ms\":" +
        number(in) + ",\"from_device_ms\":" + number(out));
    printf("%-40s %9.1f GB/s; transfers %.1f ms to the device, %.1f ms back\n", (base + "/copy").c_str(), bandwidth, in, out);
  }
  double bandwidth = results.value(base + "/copy", "gbs");
  std::vector<word> want = reference_of(o, g);
  // The best untiled kernel by a short trial runs in full; its results are those to compare with.
  const Config *best = NULL;
  double least = 0;
  Options trial = o;
  trial.runs = 2;
  for (const Config *c : plain) {
    double ms = timed(trial, g, *c, std::min(o.steps, 20))[1];
    if (best == NULL || ms < least)
      best = c, least = ms;
  }
  if (best != NULL) {
    if (!results.has(baseline))
      record(o, m, g, *best, baseline, results, want, bandwidth, true);
    else {
      g.reset();
      TRY(best->run(o.steps, n, g.work.data(), NULL));
      g.keep();
    }
  }
  for (const Config *c : tiled) {
    if (now() > end)
      return false;
    record(o, m, g, *c, key(c), results, want, bandwidth, best == NULL && c == tiled[0]);
  }
  return true;
}

static Options options(int argc, char **argv)
{
  Options o;
  for (int i = 1; i < argc; i++) {
    std::string arg = argv[i], value;
    size_t at = arg.find('=');
    if (at != std::string::npos)
      value = arg.substr(at + 1), arg = arg.substr(0, at);
    if (arg == "--out") o.out = value;
    else if (arg == "--only") o.only = value;
    else if (arg == "--reference") o.reference = value;
    else if (arg == "--seconds") o.seconds = atof(value.c_str());
    else if (arg == "--steps") o.steps = atoi(value.c_str());
    else if (arg == "--runs") o.runs = std::max(1, atoi(value.c_str()));
    else if (arg == "--check-steps") o.check_steps = atoi(value.c_str());
    else if (arg == "--list") o.list = true;
    else if (arg == "--sizes")
      for (const char *p = value.c_str(); *p; p += *p == ',')
        o.sizes.push_back((int)strtol(p, (char **)&p, 10));
    else {
      fprintf(stderr, "bench-gpu: no option %s\n", argv[i]);
      exit(2);
    }
  }
  return o;
}

int main(int argc, char **argv)
{
  double start = now();
  Options o = options(argc, argv);
  if (o.list) {
    for (int i = 0; i < config_count; i++)
      printf("%s/%s %s %s\n", configs[i].benchmark->name, configs[i].benchmark->type, configs[i].name, configs[i].tile);
    return 0;
  }
  Machine m = machine();
  Results results;
  results.path = o.out;
  results.head = head(m);
  results.read();
  bool done = true;
  for (int i = 0; i < benchmark_count && done; i++) {
    std::vector<int> sizes = o.sizes;
    if (sizes.empty())
      sizes = benchmarks[i].dims == 2 ? std::vector<int>{16384, 2048} : std::vector<int>{512, 256};
    for (int n : sizes)
      done = done && measure(o, m, benchmarks[i], n, results, start + o.seconds);
  }
  printf("%zu records in %s; %s\n", results.lines.size(), o.out.c_str(), done ? "all done" : "time is up: run again to go on");
  return wrong > 0 ? 1 : done ? 0 : 75;
}
