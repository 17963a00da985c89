
#define HEXCC_MOST_CHAINS (1LL << 18) // in a launch, if that is a time tile or more: 8 MiB of flags

// hexcc_no_tiles returns an order of none, with one along axes that there are not.
static inline struct hexcc_order hexcc_no_tiles()
{
  const struct hexcc_order none = {NULL, 0, 0, {0, 0, 0}, {1, 1, 1}};
  return none;
}

// hexcc_widen has an order, in count of which bits say along which axes it has some, hold the tiles from lo to hi along an axis, up to last.
static inline void hexcc_widen(struct hexcc_order *order, long long *last, int axis, long long lo, long long hi)
{
  const bool none = (order->count >> axis & 1) == 0;
  if (lo > hi)
    return;
  order->first[axis] = none || lo < order->first[axis] ? lo : order->first[axis];
  last[axis] = none || hi > last[axis] ? hi : last[axis];
  order->count |= 1ULL << axis;
}

// hexcc_some_tiles says whether there are any, and how many along each axis.
static inline bool hexcc_some_tiles(struct hexcc_order *order, const long long *last, int axes)
{
  for (int axis = 0; axis < axes; axis++)
    order->width[axis] = (unsigned long long)(last[axis] - order->first[axis]) + 1;
  return order->count + 1 == 1ULL << axes;
}

// hexcc_flags allocates flags for as many time tiles as *most will say.
static inline cudaError_t hexcc_flags(struct hexcc_order *order, int phases, long long time_tiles, long long *most, cudaStream_t stream)
{
  const double tiles = (double)order->width[0] * (double)order->width[1] * (double)order->width[2] * phases;
  if (tiles > 1e15)
    return cudaErrorMemoryAllocation;
  const long long each = (long long)(order->width[0] * order->width[1] * order->width[2]) * phases;
  *most = each > HEXCC_MOST_CHAINS ? 1 : HEXCC_MOST_CHAINS / each;
  *most = *most > time_tiles ? time_tiles : *most;
  void *chain = NULL;
  const cudaError_t error = cudaMallocAsync(&chain, (size_t)(*most * each + 1) * sizeof *order->chain, stream);
  order->chain = error == cudaSuccess ? (struct hexcc_chain *)chain : NULL;
  return error;
}

// hexcc_from lets no chain of the next launch be taken, nor have a flag.
static inline cudaError_t hexcc_from(struct hexcc_order *order, int phases, long long last, long long most, cudaStream_t stream)
{
  const long long left = last - order->begin + 1;
  order->count = order->width[0] * order->width[1] * order->width[2] * (unsigned)phases * (unsigned long long)(left < most ? left : most);
  return cudaMemsetAsync(order->chain, 0, (size_t)(order->count + 1) * sizeof *order->chain, stream);
}

// hexcc_at_once says how many blocks of a kernel are of use: as many as run at once, and no more than there are chains.
template <class... P>
static cudaError_t hexcc_at_once(void (*kernel)(P...), int threads, size_t shared, unsigned long long chains, dim3 *blocks)
{
  int device = 0, processors = 0, each = 0;
  cudaError_t error = cudaGetDevice(&device);
  if (error == cudaSuccess)
    error = cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device);
  if (error == cudaSuccess)
    error = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&each, kernel, threads, shared);
  const unsigned long long most = each < 1 || processors < 1 ? 1 : (unsigned long long)each * (unsigned)processors;
  *blocks = dim3((unsigned)(chains < most ? chains : most));
  return error;
}
