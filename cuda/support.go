package cuda

import "fmt"

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
static cudaError_t hexcc_launch(void (*kernel)(P...), dim3 blocks, dim3 threads, size_t shared, cudaStream_t stream,
    typename hexcc_same<P>::type... arguments)
{
  void *list[] = {(void *)&arguments..., NULL};
  return cudaLaunchKernel<void(P...)>(kernel, blocks, threads, list, shared, stream);
}
`

// ready returns the function that tells of no device, and of one whose blocks have too little shared memory. It
// is that of all regions of the file, and stands behind their kernels.
func ready(parts []part) string {
	first := parts[0].host
	text := fmt.Sprintf(`
extern "C" int %s(void)
{
  cudaFuncAttributes attributes;
  cudaError_t error = cudaSuccess;
  HEXCC_TRY(cudaFuncGetAttributes(&attributes, %s));
`, first.names.Functions().Ready(), first.launched()[0].Name)
	for i, p := range parts {
		for _, k := range p.host.launched() {
			name := k.Name
			if i > 0 {
				name = namespace(i) + "::" + name
			}
			if k.Dynamic > 0 {
				text += "  HEXCC_TRY(" + allow(name, k.Dynamic) + ");\n"
			}
		}
	}
	return text + `  return 1;
done:
  static std::atomic<bool> said(false);
  if (!said.exchange(true))
    fprintf(stderr, "%s: the kernels cannot run here\n", hexcc_message);
  return 0;
}
`
}

// allow returns the call that allows a kernel more shared memory than there is by default.
func allow(kernel string, bytes int) string {
	return fmt.Sprintf("cudaFuncSetAttribute(%s, cudaFuncAttributeMaxDynamicSharedMemorySize, %d)", kernel, bytes)
}
