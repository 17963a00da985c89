// The baseline: untiled kernels, written as well as possible. A thread computes U
// points along the first dimension, whose common operands the compiler keeps in
// registers; blocks are BX points wide along the last one.
#include <cuda_runtime.h>

template <class T> struct same { typedef T type; };

template <class... P>
static int start(void (*kernel)(P...), size_t blocks, dim3 threads, cudaStream_t stream, typename same<P>::type... arguments)
{
  void *list[] = {(void *)&arguments..., NULL};
  return blocks == 0 ? 0 : (int)cudaLaunchKernel<void(P...)>(kernel, dim3((unsigned)blocks), threads, list, 0, stream);
}

static inline size_t ceiling(long n, long d) { return n <= 0 ? 0 : (size_t)((n + d - 1) / d); }
