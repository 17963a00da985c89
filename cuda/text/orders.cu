
// hexcc_flags allocates flags for as many time tiles as *most will say.
static inline cudaError_t hexcc_flags(struct hexcc_order *order, int phases, long long time_tiles, long long *most, cudaStream_t stream)
{
  *most = hexcc_most(order, phases, time_tiles);
  if (*most == 0)
    return cudaErrorMemoryAllocation;
  void *chain = NULL;
  const cudaError_t error = cudaMallocAsync(&chain, hexcc_flag_bytes(order, phases, *most), stream);
  order->chain = error == cudaSuccess ? (struct hexcc_chain *)chain : NULL;
  return error;
}

// hexcc_from lets no chain of the next launch be taken, nor have a flag.
static inline cudaError_t hexcc_from(struct hexcc_order *order, int phases, long long last, long long most, cudaStream_t stream)
{
  const size_t bytes = hexcc_next(order, phases, last, most);
  return cudaMemsetAsync(order->chain, 0, bytes, stream);
}

// hexcc_at_once says how many blocks of a kernel are of use.
template <class... P>
static cudaError_t hexcc_at_once(void (*kernel)(P...), int threads, size_t shared, const struct hexcc_order *order, dim3 *blocks)
{
  int device = 0, processors = 0, each = 0;
  cudaError_t error = cudaGetDevice(&device);
  if (error == cudaSuccess)
    error = cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device);
  if (error == cudaSuccess)
    error = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&each, kernel, threads, shared);
  *blocks = dim3(hexcc_blocks(order, processors, each));
  return error;
}
