
// Copies to shared memory that threads do not wait for. One that hexcc_fetch begins may be made at any time until it has arrived. To other threads
// it is a plain load by the thread that begins it, and a store before its wait (cp.async.wait_all or wait_group).
#ifndef HEXCC_FLAGS // the header of hexcc shim has its own
template <class T> static __device__ __forceinline__ void hexcc_fetch(T *to, const T *from)
{
#if __CUDA_ARCH__ >= 800
  if (sizeof(T) == 4)
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" : : "r"((unsigned)__cvta_generic_to_shared(to)), "l"(__cvta_generic_to_global(from)) : "memory");
  else if (sizeof(T) == 8)
    asm volatile("cp.async.ca.shared.global [%0], [%1], 8;" : : "r"((unsigned)__cvta_generic_to_shared(to)), "l"(__cvta_generic_to_global(from)) : "memory");
  else
#endif
    *to = __ldcg(from);
}

// Waits for all copies that the thread has begun.
static __device__ __forceinline__ void hexcc_arrived()
{
#if __CUDA_ARCH__ >= 800
  asm volatile("cp.async.wait_all;" : : : "memory");
#endif
}
#endif
