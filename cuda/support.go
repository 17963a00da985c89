package cuda

import (
	"fmt"

	"github.com/hexcc/hexcc/kerneltext"
)

// This file holds the text that does not depend on the program: how failures are
// kept and told, and how kernels are launched.

// support keeps what failed, and launches kernels. HEXCC_TRY leaves the function at
// done; HEXCC_END is for what is freed there.
const support = `// The last failure in this thread: file, line, call and error.
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
static cudaError_t hexcc_launch(void (*kernel)(P...), unsigned blocks, dim3 threads, size_t shared, cudaStream_t stream,
    typename hexcc_same<P>::type... arguments)
{
  void *list[] = {(void *)&arguments..., NULL};
  return cudaLaunchKernel<void(P...)>(kernel, dim3(blocks), threads, list, shared, stream);
}
`

// aboutFailures prints the functions that tell of failures, and of no device. They
// are those of all regions of the file.
func (h *host) aboutFailures() {
	f := h.names.Functions()
	h.Raw(kerneltext.Failures(f, h.Linkage) + fmt.Sprintf(`
extern "C" int %s(void)
{
  cudaFuncAttributes attributes;
  if (hexcc_check(cudaFuncGetAttributes(&attributes, %s), "cudaFuncGetAttributes", __LINE__) == cudaSuccess)
    return 1;
  static std::atomic<bool> said(false);
  if (!said.exchange(true))
    fprintf(stderr, "%%s: the kernels cannot run here\n", hexcc_message);
  return 0;
}
`, f.Ready(), h.kernels[0].Name))
}
