// Checks and times the ways to run one program, those that table.cu lists, on one GPU. It needs nothing but a driver, and goes on where it
// stopped: what the file of results has is not run again.
//
//   PROGRAM [--out=FILE] [--head] [--seconds=S] [--only=TEXT] [--grid=TEXT] [--steps=T] [--runs=R] [--each=S] [--hang=S] [--reference=DIR] [--list]
//
// Exits with 0 when all is done, 75 when time was up before, 1 if a result was wrong, 2 if it cannot run, and 3 when a way failed or hung, after
// which nothing else can run in this process: the results say so, and the next run goes on with the others.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <functional>
#include <map>
#include <string>
#include <thread>
#include <vector>
#include <cuda_runtime.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include "config.h"
#include "hash.h"

#define TRY(call) check((int)(call), #call, __LINE__)

static void failed(const std::string &why);

static void check(int error, const char *call, int line)
{
  if (error != 0)
    failed("line " + std::to_string(line) + ": " + call + ": " + cudaGetErrorString((cudaError_t)error));
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

// Programs on integers often compare with 0 and 1.
__global__ void fill_integers(int *a, size_t count, size_t plane, int array)
{
  EACH(k, count)
    a[k] = mix(k % plane * 8 + (word)array) % 5 < 2;
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

// apart finds how far elements are from the right ones at most, and how large those are, in pairs.
template <class real> __global__ void apart(const real *a, const real *b, size_t count, double *most, size_t threads)
{
  EACH(t, threads) {
    double far = 0, large = 0;
    for (size_t k = t; k < count; k += threads) {
      double d = fabs((double)a[k] - (double)b[k]), x = fabs((double)b[k]);
      far = d > far || d != d ? d : far;
      large = x > large ? x : large;
    }
    most[2 * t] = far;
    most[2 * t + 1] = large;
  }
}

// strange counts elements that are infinite or no numbers.
template <class real> __global__ void strange(const real *a, size_t count, word *found, size_t threads)
{
  EACH(t, threads) {
    word n = 0;
    for (size_t k = t; k < count; k += threads)
      n += !((double)a[k] - (double)a[k] == 0);
    found[t] = n;
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
  std::string out = "results.json", only, grid, reference = "reference";
  double seconds = 1e9, each = 1, hang = 20;
  int steps = 0, runs = 5, check_steps = CHECK_STEPS; // steps 0: those of the grid
  bool list = false, head = false;
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
  std::string path, head; // the head is kept unless there is a new one
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
      if (head.empty() && line.compare(0, 8, "{\"date\":") == 0)
        head = line.substr(1, line.size() - 2);
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
  double in_head(const std::string &field) const
  {
    size_t at = head.find("\"" + field + "\":");
    return at == std::string::npos ? 0 : atof(head.c_str() + at + field.size() + 3);
  }
};

static Results results;
static std::string current; // the key of the way that runs, "" if none does
static std::atomic<double> deadline; // for it; 0: none

// failed notes that the way that runs cannot, and ends the process, whose state on the device is not to be relied on.
static void failed(const std::string &why)
{
  fprintf(stderr, "%s: %s\n", current.empty() ? program_name : current.c_str(), why.c_str());
  if (current.empty())
    _exit(2);
  results.add(current, "\"failed\":" + quoted(why));
  remove((results.path + ".began").c_str());
  _exit(3);
}

// begin notes that a way begins, so that the next process knows of it should this one crash.
static void begin(const std::string &key, double limit)
{
  current = key;
  if (FILE *f = fopen((results.path + ".began").c_str(), "w")) {
    fputs(key.c_str(), f);
    fclose(f);
  }
  deadline = now() + limit;
}

// in_time ends the process if the way that ran took too long: it may have ended before the thread that watches saw that.
static void in_time()
{
  double d = deadline.exchange(0);
  while (d == 0) // that thread has seen it, and ends the process
    pause();
  if (now() > d)
    failed("it takes too long");
}

static void end()
{
  current.clear();
  remove((results.path + ".began").c_str());
}

// crashed notes the way during which a process before this one ended.
static void crashed()
{
  std::string key;
  if (FILE *f = fopen((results.path + ".began").c_str(), "r")) {
    for (int c; (c = fgetc(f)) != EOF;)
      key += (char)c;
    fclose(f);
    if (!key.empty() && !results.has(key))
      results.add(key, "\"failed\":\"the process ended\"");
    remove((results.path + ".began").c_str());
  }
}

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

// The Memory of a program on a grid: its arrays, those that are computed on and the right results of those that change.
struct Memory {
  const Grid &grid;
  std::vector<void *> work, right;
  word *sums;
  enum { COMPARERS = 1 << 18 };

  Memory(const Grid &grid) : grid(grid), sums(NULL)
  {
    size_t slices = COMPARERS * 2;
    for (int i = 0; i < array_count; i++) {
      void *w = NULL, *r = NULL;
      TRY(cudaMalloc(&w, std::max<size_t>(bytes(i), 16)));
      if (results_of(i))
        TRY(cudaMalloc(&r, std::max<size_t>(bytes(i), 16)));
      work.push_back(w);
      right.push_back(r);
      slices = std::max(slices, this->slices(i));
    }
    TRY(cudaMalloc(&sums, slices * sizeof(word)));
  }
  ~Memory()
  {
    for (int i = 0; i < array_count; i++) {
      TRY(cudaFree(work[i]));
      if (right[i] != NULL)
        TRY(cudaFree(right[i]));
    }
    TRY(cudaFree(sums));
  }
  static bool results_of(int i) { return !arrays[i].local && !arrays[i].constant; }
  size_t count(int i) const { return arrays[i].count(grid.values); }
  size_t bytes(int i) const { return count(i) * (arrays[i].type == 'd' ? 8 : 4); }
  size_t slices(int i) const { return (count(i) + CHUNK - 1) / CHUNK * SLICES; }
  void reset()
  {
    for (int i = 0; i < array_count; i++) {
      const Array &a = arrays[i];
      size_t n = count(i), plane = std::max<size_t>(a.plane(grid.values), 1);
      if (a.type == 'd')
        launch(fill<double>, blocks(n), (double *)work[i], n, plane, a.number);
      else if (a.type == 'f')
        launch(fill<float>, blocks(n), (float *)work[i], n, plane, a.number);
      else
        launch(fill_integers, blocks(n), (int *)work[i], n, plane, a.number);
    }
  }
  // run puts a way into the stream, with so many steps; 0: those of the grid.
  void run(const Way &w, long steps)
  {
    std::vector<long> p(grid.values, grid.values + param_count);
    for (int i = 0; i < param_count; i++)
      if (param_times[i] && steps > 0)
        p[i] = steps;
    std::vector<void *> a;
    for (int i = 0; i < array_count; i++)
      a.push_back(work[w.arrays[i]]);
    TRY(w.run(p.data(), a.data(), NULL));
  }
  // The hashes of all chunks of the arrays that the original program has too: local ones are copies that some way makes.
  std::vector<word> hashes()
  {
    std::vector<word> all;
    for (int i = 0; i < array_count; i++) {
      if (arrays[i].local)
        continue;
      std::vector<word> part(slices(i));
      if (arrays[i].type == 'd')
        launch(hash<double>, blocks(part.size()), (const double *)work[i], count(i), sums, part.size());
      else
        launch(hash<float>, blocks(part.size()), (const float *)work[i], count(i), sums, part.size());
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
    for (int i = 0; i < array_count; i++)
      if (right[i] != NULL)
        TRY(cudaMemcpyAsync(right[i], work[i], bytes(i), cudaMemcpyDeviceToDevice, NULL));
  }
  // How many words of 32 bits differ from those that were kept.
  word differ()
  {
    word n = 0;
    for (int i = 0; i < array_count; i++) {
      if (right[i] == NULL)
        continue;
      size_t words = bytes(i) / 4, threads = std::min<size_t>(COMPARERS, words);
      std::vector<word> part(threads);
      launch(compare, blocks(threads), (const unsigned *)work[i], (const unsigned *)right[i], words, sums, threads);
      TRY(cudaMemcpy(part.data(), sums, threads * sizeof(word), cudaMemcpyDeviceToHost));
      for (word k : part)
        n += k;
    }
    return n;
  }
  // The largest distance from what was kept, where the largest element of an array is 1.
  double distance()
  {
    double worst = 0;
    for (int i = 0; i < array_count; i++) {
      if (right[i] == NULL || arrays[i].type == 'i')
        continue;
      size_t n = count(i), threads = std::min<size_t>(COMPARERS, n);
      std::vector<double> part(2 * threads);
      if (arrays[i].type == 'd')
        launch(apart<double>, blocks(threads), (const double *)work[i], (const double *)right[i], n, (double *)sums, threads);
      else
        launch(apart<float>, blocks(threads), (const float *)work[i], (const float *)right[i], n, (double *)sums, threads);
      TRY(cudaMemcpy(part.data(), sums, part.size() * sizeof(double), cudaMemcpyDeviceToHost));
      double far = 0, large = 0;
      for (size_t t = 0; t < part.size(); t += 2) {
        far = part[t] > far || part[t] != part[t] ? part[t] : far;
        large = std::max(large, part[t + 1]);
      }
      double d = far == 0 ? 0 : far / large;
      worst = d > worst || d != d ? d : worst;
    }
    return worst;
  }
  // How many elements of results are infinite or no numbers.
  word strange_ones()
  {
    word n = 0;
    for (int i = 0; i < array_count; i++) {
      if (right[i] == NULL || arrays[i].type == 'i')
        continue;
      size_t threads = std::min<size_t>(COMPARERS, count(i));
      std::vector<word> part(threads);
      if (arrays[i].type == 'd')
        launch(strange<double>, blocks(threads), (const double *)work[i], count(i), sums, threads);
      else
        launch(strange<float>, blocks(threads), (const float *)work[i], count(i), sums, threads);
      TRY(cudaMemcpy(part.data(), sums, threads * sizeof(word), cudaMemcpyDeviceToHost));
      for (word k : part)
        n += k;
    }
    return n;
  }
};

static int wrong; // results

static double median(std::vector<double> v)
{
  std::sort(v.begin(), v.end());
  return v[v.size() / 2];
}

// steps_of returns how many steps a grid has; 0: there is no time loop whose bound is a parameter.
static long steps_of(const Options &o, const Grid &g)
{
  for (int i = 0; i < param_count; i++)
    if (param_times[i])
      return o.steps > 0 ? o.steps : g.values[i];
  return 0;
}

// reference_of returns the hashes that the original program leaves, empty if there are none.
static std::vector<word> reference_of(const Options &o, const Grid &g)
{
  std::vector<word> all;
  long n = 0;
  for (int i = 0; i < param_count; i++)
    if (strcmp(param_names[i], "n") == 0)
      n = g.values[i];
  std::string path = o.reference + "/" + program_name + "-" + program_kind + "-" + std::to_string(n) + "-" + std::to_string(o.check_steps);
  if (FILE *f = fopen(path.c_str(), "rb")) {
    for (word w; fread(&w, sizeof w, 1, f) == 1;)
      all.push_back(w);
    fclose(f);
  }
  return all;
}

// original says whether a run of few steps leaves what the original program leaves.
static std::string original(const Options &o, Memory &m, const Way &w, const std::vector<word> &want)
{
  if (want.empty())
    return "no reference";
  m.reset();
  m.run(w, o.check_steps);
  std::vector<word> got = m.hashes();
  if (want.size() != got.size()) {
    wrong++;
    return "DIFFERENT: the reference has " + std::to_string(want.size()) + " parts, not " + std::to_string(got.size());
  }
  size_t differ = 0;
  for (size_t i = 0; i < want.size(); i++)
    differ += want[i] != got[i];
  if (differ == 0)
    return "equal";
  wrong++;
  return "DIFFERENT: " + std::to_string(differ) + " of " + std::to_string(want.size()) + " parts";
}

// deep calls f where the stack is large: original programs may have all their arrays there, more than the 8 MB that a process has at first.
static void deep(const std::function<void()> &f)
{
  pthread_attr_t attributes;
  pthread_t thread;
  if (pthread_attr_init(&attributes) != 0 || pthread_attr_setstacksize(&attributes, (size_t)1 << 30) != 0 ||
      pthread_create(&thread, &attributes, [](void *f) -> void * { (*(const std::function<void()> *)f)(); return NULL; }, (void *)&f) != 0)
    failed("no thread with a stack of 1 GB");
  pthread_join(thread, NULL);
  pthread_attr_destroy(&attributes);
}

// small says whether a way computes what the original program does on the CPU, on a small grid with random values.
static std::string small(const Way &w)
{
  if (w.check == NULL)
    return "not made";
  std::vector<std::string> text = {program_name};
  for (int i = 0; i < param_count; i++)
    text.push_back(std::string(param_names[i]) + "=" + std::to_string(check_values[i]));
  std::vector<char *> argv;
  for (std::string &t : text)
    argv.push_back(&t[0]);
  argv.push_back(NULL);
  int status = -1;
  deep([&] { status = w.check((int)text.size(), argv.data()); });
  if (status == 0)
    return "equal";
  wrong++;
  return "DIFFERENT: status " + std::to_string(status);
}

// timed returns the milliseconds of runs with so many steps, as many as there are to be, or fewer if they take long.
static std::vector<double> timed(Memory &m, const Way &w, long steps, int runs, double seconds)
{
  std::vector<double> ms;
  Timer timer;
  for (double end = now() + seconds; (int)ms.size() < runs && (ms.empty() || now() < end);) {
    m.reset();
    TRY(cudaDeviceSynchronize());
    timer.start();
    m.run(w, steps);
    ms.push_back(timer.stop());
  }
  return ms;
}

// The bandwidth of a copy on the device, read and written bytes by second, in GB/s.
static double copied(const Options &o, Memory &m)
{
  int i = 0;
  for (int k = 0; k < array_count; k++)
    if (m.right[k] != NULL)
      i = k;
  std::vector<double> by_call, by_kernel;
  Timer timer;
  for (int r = 0; m.right[i] != NULL && r < o.runs + 1; r++) { // the first does not count
    timer.start();
    TRY(cudaMemcpyAsync(m.right[i], m.work[i], m.bytes(i), cudaMemcpyDeviceToDevice, NULL));
    double ms = timer.stop();
    timer.start();
    launch(copy, blocks(m.bytes(i) / 16), (const float4 *)m.work[i], (float4 *)m.right[i], m.bytes(i) / 16);
    double kernel = timer.stop();
    if (r > 0)
      by_call.push_back(ms), by_kernel.push_back(kernel);
  }
  return by_call.empty() ? 0 : 2.0 * m.bytes(i) / std::min(median(by_call), median(by_kernel)) / 1e6;
}

// A Run is what is common to the ways on a grid.
struct Run {
  const Options &o;
  const Grid &grid;
  std::string base; // of keys
  Memory &m;
  std::vector<word> want; // of the original program
  double bandwidth;
  bool kept; // the results of a way are there to compare with
};

// against compares the results with those that were kept, and keeps them if there are none.
static std::string against(Run &r)
{
  if (!r.kept) {
    r.m.keep();
    r.kept = true;
    return "kept";
  }
  word n = r.m.differ();
  if (n == 0)
    return "equal";
  if (program_fused) { // whose sums are rounded otherwise
    double d = r.m.distance();
    if (d < 1e-3)
      return "within " + number(d);
    wrong++;
    return "DIFFERENT: by " + number(d);
  }
  wrong++;
  return "DIFFERENT: " + std::to_string(n) + " words";
}

// record measures one way.
static void record(Run &r, const Way &w, const std::string &key)
{
  const Options &o = r.o;
  long all = steps_of(o, r.grid), steps = all;
  bool first = &r.grid == &grids[0];
  begin(key, o.hang);
  std::string on_cpu = first ? small(w) : "not asked";
  std::string parts = original(o, r.m, w, r.want);
  // A short run says how long all steps take; it also wakes the device up.
  double limit = 4 * o.each;
  if (all > 0) {
    long few = std::max(1L, all / 25);
    double ms = timed(r.m, w, few, 1, 0)[0];
    if (ms / few * all > limit * 1e3)
      steps = std::max(few, (long)(few * limit * 1e3 / ms / 2));
  } else
    timed(r.m, w, 0, 1, 0);
  std::vector<double> ms = timed(r.m, w, steps, all > 0 ? o.runs : 4 * o.runs, o.each);
  std::string same = steps == all ? against(r) : "not compared: fewer steps";
  word strange = r.m.strange_ones();
  double instances = r.grid.instances;
  for (int i = 0; i < param_count; i++)
    if (param_times[i])
      instances *= (double)steps / r.grid.values[i];
  double rate = instances / median(ms) / 1e6;
  double clocks = results.in_head("multiprocessors") * results.in_head("clock_mhz_measured") * 1e6;
  bool doubles = false;
  for (int i = 0; i < array_count; i++)
    doubles = doubles || arrays[i].type == 'd';
  struct { const char *name; double limit; } limits[] = {
    {"global memory", w.global > 0 ? r.bandwidth / w.global : 0},
    {"shared memory", w.shared > 0 ? clocks * 128 / w.shared / 1e9 : 0},
    {"operations", w.operations > 0 ? clocks * (doubles ? 64 : 128) / w.operations / 1e9 : 0},
  };
  const char *binding = "";
  double least = 0;
  for (auto &l : limits)
    if (l.limit > 0 && (least == 0 || l.limit < least))
      binding = l.name, least = l.limit;
  std::string times;
  for (double x : ms)
    times += (times.empty() ? "" : ",") + number(x);
  double expected = first ? w.expected / 1e9 : 0;
  in_time();
  results.add(key, "\"program\":" + quoted(program_name) + ",\"kind\":" + quoted(program_kind) + ",\"grid\":" + quoted(r.grid.name) + ",\"way\":" + quoted(w.name) +
      ",\"steps\":" + number((double)steps) + ",\"tile\":" + quoted(w.tile) + ",\"registers\":" + number(w.registers) + ",\"blocks\":" + number(w.blocks) + ",\"ms\":[" + times +
      "],\"ms_median\":" + number(median(ms)) + ",\"rate\":" + number(rate) + ",\"expected\":" + number(expected) + ",\"limit\":" + number(least) + ",\"binding\":" +
      quoted(binding) + ",\"share\":" + number(least > 0 ? rate / least : 0) + ",\"cpu\":" + quoted(on_cpu) + ",\"original\":" + quoted(parts) + ",\"others\":" + quoted(same) +
      ",\"strange\":" + number((double)strange));
  end();
  printf("%-60s %9.3f ms %8.1f e9/s, expected %6.0f; original: %s, %s; others: %s%s\n", key.c_str(), median(ms), rate, expected, on_cpu.c_str(), parts.c_str(), same.c_str(),
      strange > 0 ? "; not all results are numbers" : "");
  fflush(stdout);
}

// by_hand says whether a way is one of several shapes, of which the fastest counts.
static bool by_hand(const Way &w) { return strncmp(w.name, "by hand", 7) == 0; }

// measure runs what is missing on one grid; false: time was up.
static bool measure(const Options &o, const Grid &grid, double until)
{
  std::string base = std::string(program_name) + "/" + program_kind + "/" + grid.name + "/";
  std::vector<std::pair<const Way *, std::string>> missing;
  bool hand = false;
  for (int i = 0; i < way_count; i++) {
    const Way &w = ways[i];
    std::string key = base + (by_hand(w) ? "by hand" : w.name);
    if (results.has(key) || key.find(o.only) == std::string::npos || by_hand(w) && hand)
      continue;
    hand = hand || by_hand(w);
    if (w.run != NULL)
      missing.push_back({&w, key});
    else if (w.same != NULL)
      results.add(key, "\"program\":" + quoted(program_name) + ",\"kind\":" + quoted(program_kind) + ",\"grid\":" + quoted(grid.name) + ",\"way\":" + quoted(w.name) + ",\"same\":" + quoted(w.same));
    else
      results.add(key, "\"program\":" + quoted(program_name) + ",\"kind\":" + quoted(program_kind) + ",\"grid\":" + quoted(grid.name) + ",\"way\":" + quoted(w.name) + ",\"refused\":" + quoted(w.refused));
  }
  if (missing.empty())
    return true;
  if (now() > until)
    return false;
  Memory m(grid);
  m.reset();
  if (!results.has(base + "copy")) {
    double bandwidth = copied(o, m), bytes = 0;
    for (int i = 0; i < array_count; i++)
      bytes += (double)m.bytes(i);
    results.add(base + "copy", "\"bytes\":" + number(bytes) + ",\"gbs\":" + number(bandwidth));
    printf("%-60s %9.1f GB/s\n", (base + "copy").c_str(), bandwidth);
  }
  Run r{o, grid, base, m, reference_of(o, grid), results.value(base + "copy", "gbs"), false};
  // Where the way that comes first has been measured before, its results are made again.
  for (int i = 0; i < way_count && !r.kept; i++)
    if (ways[i].run != NULL && missing[0].first != &ways[i] && results.has(base + ways[i].name) && results.value(base + ways[i].name, "steps") == steps_of(o, grid)) {
      m.reset();
      m.run(ways[i], steps_of(o, grid));
      m.keep();
      r.kept = true;
    }
  for (auto &[w, key] : missing) {
    if (now() > until)
      return false;
    const Way *best = w;
    double least = 0;
    for (int i = 0; by_hand(*w) && i < way_count; i++)
      if (by_hand(ways[i])) {
        double ms = timed(m, ways[i], std::min(steps_of(o, grid), 20L), 2, 1).back();
        if (least == 0 || ms < least)
          best = &ways[i], least = ms;
      }
    record(r, *best, key);
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
    else if (arg == "--grid") o.grid = value;
    else if (arg == "--reference") o.reference = value;
    else if (arg == "--seconds") o.seconds = atof(value.c_str());
    else if (arg == "--each") o.each = atof(value.c_str());
    else if (arg == "--hang") o.hang = atof(value.c_str());
    else if (arg == "--steps") o.steps = atoi(value.c_str());
    else if (arg == "--runs") o.runs = std::max(1, atoi(value.c_str()));
    else if (arg == "--list") o.list = true;
    else if (arg == "--head") o.head = true;
    else {
      fprintf(stderr, "%s: no option %s\n", program_name, argv[i]);
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
    for (int i = 0; i < way_count; i++)
      printf("%s/%s/%s %s\n", program_name, program_kind, ways[i].name, ways[i].refused != NULL ? ways[i].refused : ways[i].same != NULL ? ways[i].same : ways[i].tile);
    return 0;
  }
  results.path = o.out;
  results.read();
  if (o.head || results.head.empty())
    results.head = head(machine());
  crashed();
  atexit([] { // the comparison with the original program ends the process where it cannot run
    if (!current.empty())
      failed("it ended the process");
  });
  std::thread([&] {
    for (;;) {
      usleep(100000);
      double d = deadline;
      if (d > 0 && now() > d && deadline.compare_exchange_strong(d, 0))
        failed("it takes too long");
    }
  }).detach();
  bool done = true;
  for (int i = 0; i < grid_count && done; i++)
    if (std::string(grids[i].name).find(o.grid) != std::string::npos)
      done = measure(o, grids[i], start + o.seconds);
  fflush(stdout);
  return !done ? 75 : wrong > 0 ? 1 : 0;
}
