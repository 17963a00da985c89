
// hexcc_flags allocates flags for as many time tiles as *most will say.
static inline CUresult hexcc_flags(struct hexcc_order *order, int phases, long long time_tiles, long long *most, CUstream stream)
{
  CUdeviceptr chain = 0;
  *most = hexcc_most(order, phases, time_tiles);
  if (*most == 0)
    return 2; // CUDA_ERROR_OUT_OF_MEMORY
  const CUresult error = cuMemAllocAsync(&chain, hexcc_flag_bytes(order, phases, *most), stream);
  order->chain = error == 0 ? (struct hexcc_chain *)chain : NULL;
  return error;
}

// hexcc_from lets no chain of the next launch be taken, nor have a flag.
static inline CUresult hexcc_from(struct hexcc_order *order, int phases, long long last, long long most, CUstream stream)
{
  const size_t bytes = hexcc_next(order, phases, last, most);
  return cuMemsetD8Async((CUdeviceptr)order->chain, 0, bytes, stream);
}

// hexcc_at_once says how many blocks of a kernel are of use.
static inline CUresult hexcc_at_once(CUfunction kernel, int threads, size_t shared, const struct hexcc_order *order, unsigned *blocks)
{
  int device = 0, processors = 0, each = 0;
  CUresult error = cuCtxGetDevice(&device);
  if (error == 0)
    error = cuDeviceGetAttribute(&processors, 16, device); // MULTIPROCESSOR_COUNT
  if (error == 0)
    error = cuOccupancyMaxActiveBlocksPerMultiprocessor(&each, kernel, threads, shared);
  *blocks = hexcc_blocks(order, processors, each);
  return error;
}
