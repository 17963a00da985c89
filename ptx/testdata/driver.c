/* A CUDA driver for tests: it hands what is asked of it to the test, over file
   descriptors 3 and 4, where PTX runs instruction by instruction. What is not given
   back is told at exit. DRIVER_FAIL=n makes call number n fail, DRIVER_FAIL=n+
   all from that one on. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LOAD = 1, FUNCTION, ALLOC, FREE, TO, FROM, LAUNCH, SET };
struct function { uint32_t number, parameters, size[64]; };
static struct function functions[64];
static int calls, held, modules, loaded;

/* leaks tells of what was taken and not given back. A module that was loaded with
   all its kernels, as it was when memory or an event is asked for, stays. */
static void leaks(void)
{
  if (held != 0 || modules != loaded)
    fprintf(stderr, "driver: %d things were not given back\n", held + modules - loaded);
}

/* call counts a call and returns whether it is to fail. */
static int call(void)
{
  const char *fail = getenv("DRIVER_FAIL");
  if (calls++ == 0)
    atexit(leaks);
  return fail != NULL && (calls == atoi(fail) || (strchr(fail, '+') != NULL && calls > atoi(fail)));
}

static void out(const void *p, size_t n)
{
  for (ssize_t k; n > 0; p = (const char *)p + k, n -= (size_t)k)
    if ((k = write(3, p, n)) <= 0)
      exit(97);
}

static void in(void *p, size_t n)
{
  for (ssize_t k; n > 0; p = (char *)p + k, n -= (size_t)k)
    if ((k = read(4, p, n)) <= 0)
      exit(96);
}

static void ask(uint32_t what, uint64_t a, uint64_t n)
{
  out(&what, 4);
  out(&a, 8);
  out(&n, 8);
}

static int status(void)
{
  uint32_t s;
  in(&s, 4);
  return (int)s;
}

#define FAILS if (call()) return 999

int cuInit(unsigned flags) { FAILS; return flags != 0; }
int cuDeviceGet(int *d, int n) { FAILS; *d = 7; return n != 0; }
int cuDevicePrimaryCtxRetain(void **c, int d) { FAILS; *c = functions; return d != 7; }
static __thread void *current;
int cuCtxGetCurrent(void **c) { FAILS; *c = current; return 0; }
int cuCtxSetCurrent(void *c) { FAILS; current = c; return 0; }
int cuGetErrorName(int e, const char **s) { *s = e == 999 ? "CUDA_ERROR_TEST" : "CUDA_ERROR"; return 0; }
int cuGetErrorString(int e, const char **s) { *s = e == 999 ? "as told" : "wrong"; return 0; }
int cuModuleLoadData(void **m, const void *text) { FAILS; ask(LOAD, 0, strlen(text)); out(text, strlen(text)); *m = functions; modules++; return status(); }
int cuModuleUnload(void *m) { modules -= m == functions; return 0; }

int cuModuleGetFunction(void **f, void *m, const char *name)
{
  FAILS;
  static int count;
  struct function *new = &functions[count++ % 64];
  (void)m;
  ask(FUNCTION, 0, strlen(name));
  out(name, strlen(name));
  in(new, 8);
  in(new->size, 4 * new->parameters);
  *f = new;
  return status();
}

int cuFuncSetAttribute(void *f, int attribute, int value) { FAILS; (void)f; return attribute != 8 || value <= 48 << 10; }
int cuMemAlloc_v2(uint64_t *p, size_t n) { loaded = 1; FAILS; ask(ALLOC, 0, n); in(p, 8); held++; return status(); }
int cuMemFree_v2(uint64_t p) { held--; FAILS; ask(FREE, p, 0); return status(); }
int cuMemAllocAsync(uint64_t *p, size_t n, void *s) { (void)s; return cuMemAlloc_v2(p, n); }
int cuMemFreeAsync(uint64_t p, void *s) { (void)s; return cuMemFree_v2(p); }
int cuMemsetD8Async(uint64_t to, unsigned char value, size_t n, void *s) { FAILS; (void)s; ask(SET, to, n); return value != 0 ? 1 : status(); }
int cuCtxGetDevice(int *d) { FAILS; *d = 7; return 0; }
int cuDeviceGetAttribute(int *value, int attribute, int d) { FAILS; *value = 3; return attribute != 16 || d != 7; }
int cuOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, void *f, int threads, size_t shared) { FAILS; *blocks = 2; return f == NULL || threads < 1 || shared < 8; }
int cuMemcpyHtoDAsync_v2(uint64_t to, const void *p, size_t n, void *s) { FAILS; (void)s; ask(TO, to, n); out(p, n); return status(); }

int cuMemcpyDtoHAsync_v2(void *p, uint64_t from, size_t n, void *s)
{
  FAILS;
  (void)s;
  ask(FROM, from, n);
  int e = status();
  if (e == 0)
    in(p, n);
  return e;
}

int cuStreamSynchronize(void *s) { FAILS; (void)s; return 0; }
int cuEventCreate(void **e, unsigned flags) { loaded = 1; FAILS; *e = functions; held++; return flags != 0; }
int cuEventRecord(void *e, void *s) { FAILS; (void)e; (void)s; return 0; }
int cuEventElapsedTime(float *ms, void *a, void *b) { FAILS; (void)a; (void)b; *ms = 0.5f; return 0; }
int cuEventDestroy_v2(void *e) { held--; FAILS; (void)e; return 0; }

int cuLaunchKernel(void *f, unsigned bx, unsigned by, unsigned bz, unsigned x, unsigned y, unsigned z, unsigned shared, void *s, void **args, void **extra)
{
  FAILS;
  struct function *k = f;
  uint32_t shape[7] = {bx, by, bz, x, y, z, shared};
  (void)s;
  ask(LAUNCH, k->number, k->parameters);
  out(shape, sizeof shape);
  for (uint32_t i = 0; i < k->parameters; i++) {
    uint64_t value = 0;
    memcpy(&value, args[i], k->size[i]);
    out(&value, 8);
  }
  return extra != NULL || args[k->parameters] != NULL ? 1 : status();
}
