package ptx

import (
	_ "embed" // the text of orders
	"fmt"

	"github.com/hexcc/hexcc/kerneltext"
)

// This file holds the text of the loader that does not depend on the program:
// what it needs of the CUDA driver, and how failures are kept and told.

// driver declares the functions of libcuda that are called, under the names that
// the library has: no header of CUDA is needed. They have not changed since CUDA 4.
const driver = `
// What is used of the CUDA driver API, as libcuda.so exports it.
typedef int CUresult; // 0: no error
typedef unsigned long long CUdeviceptr;
typedef struct CUctx_st *CUcontext;
typedef struct CUmod_st *CUmodule;
typedef struct CUfunc_st *CUfunction;
typedef struct CUstream_st *CUstream;
typedef struct CUevent_st *CUevent;
CUresult cuInit(unsigned flags);
CUresult cuDeviceGet(int *device, int ordinal);
CUresult cuDevicePrimaryCtxRetain(CUcontext *context, int device);
CUresult cuCtxGetCurrent(CUcontext *context);
CUresult cuCtxSetCurrent(CUcontext context);
CUresult cuGetErrorName(CUresult error, const char **name);
CUresult cuGetErrorString(CUresult error, const char **text);
CUresult cuModuleLoadData(CUmodule *module, const void *image);
CUresult cuModuleUnload(CUmodule module);
CUresult cuModuleGetFunction(CUfunction *function, CUmodule module, const char *name);
CUresult cuFuncSetAttribute(CUfunction function, int attribute, int value);
CUresult cuMemAlloc_v2(CUdeviceptr *pointer, size_t bytes);
CUresult cuMemFree_v2(CUdeviceptr pointer);
CUresult cuMemcpyHtoDAsync_v2(CUdeviceptr to, const void *from, size_t bytes, CUstream stream);
CUresult cuMemcpyDtoHAsync_v2(void *to, CUdeviceptr from, size_t bytes, CUstream stream);
CUresult cuStreamSynchronize(CUstream stream);
CUresult cuEventCreate(CUevent *event, unsigned flags);
CUresult cuEventRecord(CUevent event, CUstream stream);
CUresult cuEventElapsedTime(float *milliseconds, CUevent start, CUevent end);
CUresult cuEventDestroy_v2(CUevent event);
CUresult cuLaunchKernel(CUfunction function, unsigned blocks_x, unsigned blocks_y, unsigned blocks_z,
    unsigned threads_x, unsigned threads_y, unsigned threads_z, unsigned shared, CUstream stream, void **arguments, void **extra);
`

// chainDriver declares what is called besides where tiles wait for each other: since CUDA 11.2.
const chainDriver = `CUresult cuCtxGetDevice(int *device);
CUresult cuDeviceGetAttribute(int *value, int attribute, int device);
CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, CUfunction function, int threads, size_t shared);
CUresult cuMemAllocAsync(CUdeviceptr *pointer, size_t bytes, CUstream stream);
CUresult cuMemFreeAsync(CUdeviceptr pointer, CUstream stream);
CUresult cuMemsetD8Async(CUdeviceptr to, unsigned char value, size_t bytes, CUstream stream);
`

// orders is what hosts do with orders of chains by the driver.
//
//go:embed text/orders.c
var orders string

// support keeps what failed, and loads the kernels. HEXCC_TRY leaves the function at
// done; HEXCC_END is for what is freed there.
const support = `
// The last failure in this thread: file, line, call and error.
static __thread char hexcc_message[400] = "nothing failed";

// hexcc_check keeps what failed and where.
static CUresult hexcc_check(CUresult error, const char *call, int line)
{
  if (error != 0) {
    const char *name = NULL, *text = NULL;
    cuGetErrorName(error, &name);
    cuGetErrorString(error, &text);
    snprintf(hexcc_message, sizeof hexcc_message, "%s:%d: %.200s: %s: %s", __FILE__, line, call,
        name != NULL ? name : "unknown error", text != NULL ? text : "");
  }
  return error;
}

#define HEXCC_TRY(call) \
  do { \
    error = hexcc_check((call), #call, __LINE__); \
    if (error != 0) \
      goto done; \
  } while (0)

// HEXCC_END makes a call whatever failed before, and keeps the first failure.
#define HEXCC_END(call) \
  do { \
    CUresult end = (call); \
    if (error == 0) \
      error = hexcc_check(end, #call, __LINE__); \
  } while (0)

// The kernels as loaded into a context. Those of all contexts are in a list, which
// lives as long as the program.
struct hexcc_loaded {
  CUcontext context;
  CUmodule module;
  CUfunction kernels[sizeof hexcc_names / sizeof *hexcc_names];
  struct hexcc_loaded *next;
};
static struct hexcc_loaded *hexcc_first;
static pthread_mutex_t hexcc_mutex = PTHREAD_MUTEX_INITIALIZER;

// hexcc_context gives the current context; a thread that has none gets that of the
// first device which the CUDA runtime has too.
static CUresult hexcc_context(CUcontext *context)
{
  static CUcontext primary;
  CUresult error = 0;
  int device;
  HEXCC_TRY(cuInit(0));
  HEXCC_TRY(cuCtxGetCurrent(context));
  if (*context != NULL)
    return 0;
  pthread_mutex_lock(&hexcc_mutex);
  if (primary == NULL) {
    error = hexcc_check(cuDeviceGet(&device, 0), "cuDeviceGet(&device, 0)", __LINE__);
    if (error == 0)
      error = hexcc_check(cuDevicePrimaryCtxRetain(&primary, device), "cuDevicePrimaryCtxRetain(&primary, device)", __LINE__);
  }
  *context = primary;
  pthread_mutex_unlock(&hexcc_mutex);
  if (error == 0)
    HEXCC_TRY(cuCtxSetCurrent(*context));
done:
  return error;
}

// hexcc_load makes a new entry of the list.
static CUresult hexcc_load(CUcontext context, struct hexcc_loaded **made)
{
  CUresult error = 0;
  struct hexcc_loaded *new = calloc(1, sizeof *new);
  HEXCC_TRY(new == NULL ? 2 : 0); // CUDA_ERROR_OUT_OF_MEMORY
  new->context = context;
  HEXCC_TRY(cuModuleLoadData(&new->module, hexcc_ptx));
  for (size_t i = 0; i < sizeof hexcc_names / sizeof *hexcc_names; i++) {
    HEXCC_TRY(cuModuleGetFunction(&new->kernels[i], new->module, hexcc_names[i].name));
    if (hexcc_names[i].shared > 0) // more shared memory than there is by default
      HEXCC_TRY(cuFuncSetAttribute(new->kernels[i], 8, hexcc_names[i].shared)); // MAX_DYNAMIC_SHARED_SIZE_BYTES
  }
  *made = new;
  return 0;
done:
  if (new != NULL && new->module != NULL)
    cuModuleUnload(new->module);
  free(new);
  return error;
}

// hexcc_kernels gives the kernels in the current context.
static CUresult hexcc_kernels(CUfunction **kernels)
{
  CUcontext context = NULL;
  struct hexcc_loaded *l = NULL;
  CUresult error = hexcc_context(&context);
  if (error != 0)
    return error;
  pthread_mutex_lock(&hexcc_mutex);
  for (l = hexcc_first; l != NULL && l->context != context; l = l->next)
    ;
  if (l == NULL && (error = hexcc_load(context, &l)) == 0) {
    l->next = hexcc_first;
    hexcc_first = l;
  }
  pthread_mutex_unlock(&hexcc_mutex);
  if (error == 0)
    *kernels = l->kernels;
  return error;
}
`

// aboutFailures returns the functions that tell of failures, and of no device.
// They are those of all regions of the file.
func aboutFailures(n Names) string {
	f := n.Functions()
	return kerneltext.Failures(f, "") + fmt.Sprintf(`
int %s(void)
{
  CUfunction *kernels;
  if (hexcc_kernels(&kernels) == 0)
    return 1;
  static int said;
  if (!__atomic_exchange_n(&said, 1, __ATOMIC_RELAXED))
    fprintf(stderr, "%%s: the kernels cannot run here\n", hexcc_message);
  return 0;
}
`, f.Ready())
}
