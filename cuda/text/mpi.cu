
// What a rank does on its GPU: tiles at its sides, and messages, in a stream of their own, which goes first; the other tiles in another one.
// What fails is kept, and from then on the GPU does nothing: messages go on, since other ranks wait for them.
struct hexcc_gpu {
  cudaStream_t side, rest;
  cudaEvent_t sides, others, packed; // the side stream has come so far, or the other one; a message is packed
  int before, direct;                // the device that was current; the MPI takes pointers of the device
  cudaError_t error;
};

#define HEXCC_GPU(call) \
  do { \
    if (gpu->error == cudaSuccess) \
      gpu->error = hexcc_check((call), #call, __LINE__); \
  } while (0)
// of what is freed, whatever failed
#define HEXCC_GPU_END(call) \
  do { \
    const cudaError_t end = (call); \
    if (gpu->error == cudaSuccess) \
      gpu->error = hexcc_check(end, #call, __LINE__); \
  } while (0)

// Returns 1 where p is memory of a device, whose number it is then.
static int hexcc_on_device(const void *p, int *device)
{
  cudaPointerAttributes a;
  if (!p || cudaPointerGetAttributes(&a, p) != cudaSuccess) {
    cudaGetLastError(); // no CUDA: it is memory of the host
    return 0;
  }
  if (a.type != cudaMemoryTypeDevice && a.type != cudaMemoryTypeManaged)
    return 0;
  *device = a.device;
  return 1;
}

// Whether the MPI takes pointers of the device: HEXCC_MPI_CUDA says so, or that it does not; else the library, if it can.
static int hexcc_takes_device(void)
{
  const char *said = getenv("HEXCC_MPI_CUDA");
  if (said && *said)
    return strcmp(said, "0") != 0;
#if defined(MPIX_CUDA_AWARE_SUPPORT)
  return MPIX_Query_cuda_support();
#else
  return 0;
#endif
}

// Chooses a device: that of device pointers, or HEXCC_DEVICE, a number or "current"; else ranks of one machine take one after the other.
static void hexcc_gpu_open(struct hexcc_gpu *gpu, MPI_Comm comm, const char *function, void *const *objects, int count)
{
  static int told;
  const char *said = getenv("HEXCC_DEVICE");
  int device = -1, devices = 0, rank, ranks, place, least, most;
  MPI_Comm near;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &ranks);
  MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &near);
  MPI_Comm_rank(near, &place);
  MPI_Comm_free(&near);
  memset(gpu, 0, sizeof *gpu);
  gpu->direct = hexcc_takes_device();
  HEXCC_GPU(cudaGetDeviceCount(&devices));
  HEXCC_GPU(cudaGetDevice(&gpu->before));
  device = said && *said ? strcmp(said, "current") == 0 ? gpu->before : atoi(said) : devices > 0 ? place % devices : 0;
  for (int k = 0; k < count; k++)
    if (hexcc_on_device(objects[k], &device))
      break;
  HEXCC_GPU(cudaSetDevice(device));
  HEXCC_GPU(cudaDeviceGetStreamPriorityRange(&least, &most));
  HEXCC_GPU(cudaStreamCreateWithPriority(&gpu->side, cudaStreamNonBlocking, most));
  HEXCC_GPU(cudaStreamCreateWithPriority(&gpu->rest, cudaStreamNonBlocking, least));
  HEXCC_GPU(cudaEventCreateWithFlags(&gpu->sides, cudaEventDisableTiming));
  HEXCC_GPU(cudaEventCreateWithFlags(&gpu->others, cudaEventDisableTiming));
  HEXCC_GPU(cudaEventCreateWithFlags(&gpu->packed, cudaEventDisableTiming));
  HEXCC_GPU(cudaDeviceSynchronize()); // what the program has in other streams
  if (rank == 0 && ranks > 1 && !gpu->direct && !told) {
    told = 1;
    fprintf(stderr, "%s: messages pass through memory of the host, since the MPI library does not say that it takes pointers of CUDA; HEXCC_MPI_CUDA=1 says that it does\n", function);
  }
}

// Waits for all that the GPU does.
static void hexcc_gpu_wait(struct hexcc_gpu *gpu)
{
  HEXCC_GPU_END(cudaStreamSynchronize(gpu->side));
  HEXCC_GPU_END(cudaStreamSynchronize(gpu->rest));
}

static void hexcc_gpu_close(struct hexcc_gpu *gpu)
{
  cudaEvent_t events[] = {gpu->sides, gpu->others, gpu->packed};
  cudaStream_t streams[] = {gpu->side, gpu->rest};
  for (cudaEvent_t event : events)
    if (event != NULL)
      HEXCC_GPU_END(cudaEventDestroy(event));
  for (cudaStream_t stream : streams)
    if (stream != NULL)
      HEXCC_GPU_END(cudaStreamDestroy(stream));
  HEXCC_GPU_END(cudaSetDevice(gpu->before));
}

// Says by which rank it was where something failed on any, and returns 1 then on all.
static int hexcc_gpu_failed(struct hexcc_gpu *gpu, MPI_Comm comm, const char *function)
{
  int rank, first, mine;
  MPI_Comm_rank(comm, &rank);
  mine = gpu->error == cudaSuccess ? INT_MAX : rank;
  MPI_Allreduce(&mine, &first, 1, MPI_INT, MPI_MIN, comm);
  if (first == rank)
    fprintf(stderr, "%s: error: rank %d: %s\n", function, rank, hexcc_message);
  return first != INT_MAX;
}

// Has an array on the device: where it is, if that is one array of the device, else a copy of its objects, one behind the other.
static char *hexcc_gpu_in(struct hexcc_gpu *gpu, void *const *objects, int count, unsigned long long bytes)
{
  int device;
  char *memory = NULL;
  if (count == 1 && hexcc_on_device(objects[0], &device))
    return (char *)objects[0];
  HEXCC_GPU(cudaMalloc(&memory, (size_t)(bytes > 0 ? bytes : 1) * (size_t)count));
  for (int k = 0; k < count && bytes > 0; k++)
    HEXCC_GPU(cudaMemcpyAsync(memory + (unsigned long long)k * bytes, objects[k], (size_t)bytes, cudaMemcpyDefault, gpu->side));
  return memory;
}

// Copies it back, if the region has written it, and frees the copy.
static void hexcc_gpu_out(struct hexcc_gpu *gpu, void *const *objects, int count, unsigned long long bytes, char *memory, int written)
{
  if (memory == (char *)objects[0])
    return;
  for (int k = 0; k < count && written && bytes > 0; k++)
    HEXCC_GPU(cudaMemcpyAsync(objects[k], memory + (unsigned long long)k * bytes, (size_t)bytes, cudaMemcpyDefault, gpu->side));
  HEXCC_GPU_END(cudaStreamSynchronize(gpu->side));
  HEXCC_GPU_END(cudaFree(memory));
}

// The buffer of a message on the device; where the MPI takes no such pointers there is one on the host, too.
static int hexcc_room(struct hexcc_gpu *gpu, struct hexcc_message *m)
{
  HEXCC_GPU(cudaMalloc(&m->packed, (size_t)m->room));
  m->buffer = m->packed;
  if (!gpu->direct) {
    m->buffer = NULL;
    HEXCC_GPU(cudaMallocHost(&m->buffer, (size_t)m->room));
  }
  return gpu->error != cudaSuccess;
}
static void hexcc_room_end(struct hexcc_gpu *gpu, struct hexcc_message *m)
{
  if (m->buffer != NULL && m->buffer != m->packed)
    HEXCC_GPU_END(cudaFreeHost(m->buffer));
  HEXCC_GPU_END(cudaFree(m->packed));
}

// A box of an array, by dimension: how long it is, and how many units lie between its elements.
struct hexcc_boxed {
  int dims, packs;
  long long units, count[8], stride[8];
};

// Copies a box from an array to a buffer, or from there.
template <class T> static __global__ void hexcc_copy_box(const struct hexcc_boxed box, T *buffer, T *array)
{
  const long long step = (long long)gridDim.x * blockDim.x;
  for (long long k = (long long)blockIdx.x * blockDim.x + threadIdx.x; k < box.units; k += step) {
    long long rest = k, at = 0;
    for (int d = box.dims - 1; d >= 0; d--) {
      at += rest % box.count[d] * box.stride[d];
      rest /= box.count[d];
    }
    if (box.packs)
      buffer[k] = array[at];
    else
      array[at] = buffer[k];
  }
}

template <class T> static void hexcc_start_box(struct hexcc_gpu *gpu, const struct hexcc_boxed &box, char *buffer, char *array)
{
  const long long blocks = (box.units + 255) / 256;
  HEXCC_GPU(hexcc_launch(hexcc_copy_box<T>, dim3((unsigned)(blocks < 4096 ? blocks : 4096)), dim3(256), 0, gpu->side, box, (T *)buffer, (T *)array));
}

// Has the side stream copy a box, in units as large as elements, or smaller ones where the buffer needs that.
static long long hexcc_box(struct hexcc_gpu *gpu, int mode, char *buffer, char *array, long long element, int dims, const long long *lo, const long long *hi,
    const long long *step, const long long *extent)
{
  long long bytes = element, unit = 8, stride = 1, from = 0;
  struct hexcc_boxed box;
  for (int d = 0; d < dims; d++) {
    if (hi[d] < lo[d])
      return 0;
    bytes *= (hi[d] - lo[d]) / (step ? step[d] : 1) + 1;
  }
  if (mode == HEXCC_COUNT)
    return bytes;
  while (element % unit != 0 || (uintptr_t)buffer % (uintptr_t)unit != 0)
    unit /= 2;
  memset(&box, 0, sizeof box);
  box.dims = dims + 1, box.packs = mode == HEXCC_PACK, box.units = bytes / unit;
  box.count[dims] = element / unit, box.stride[dims] = 1;
  for (int d = dims - 1; d >= 0; d--) {
    const long long by = step ? step[d] : 1;
    box.count[d] = (hi[d] - lo[d]) / by + 1, box.stride[d] = by * stride * (element / unit);
    from += lo[d] * stride;
    stride *= extent[d];
  }
  array = (char *)((uintptr_t)array + (uintptr_t)(from * element));
  if (unit == 8)
    hexcc_start_box<unsigned long long>(gpu, box, buffer, array);
  else if (unit == 4)
    hexcc_start_box<unsigned>(gpu, box, buffer, array);
  else if (unit == 2)
    hexcc_start_box<unsigned short>(gpu, box, buffer, array);
  else
    hexcc_start_box<unsigned char>(gpu, box, buffer, array);
  return bytes;
}

// Has messages that are packed come to where the MPI takes them, or those that it has received to where they are unpacked.
static void hexcc_stage(struct hexcc_gpu *gpu, struct hexcc_message *messages, int in)
{
  for (struct hexcc_message *m = messages; m < messages + 2; m++)
    if (m->bytes > 0 && m->buffer != m->packed)
      HEXCC_GPU(cudaMemcpyAsync(in ? m->packed : m->buffer, in ? m->buffer : m->packed, (size_t)m->bytes, in ? cudaMemcpyHostToDevice : cudaMemcpyDeviceToHost, gpu->side));
}

// Has a stream wait for what the other one has been given so far.
static void hexcc_rest_after_side(struct hexcc_gpu *gpu)
{
  HEXCC_GPU(cudaEventRecord(gpu->sides, gpu->side));
  HEXCC_GPU(cudaStreamWaitEvent(gpu->rest, gpu->sides, 0));
}
static void hexcc_side_after_rest(struct hexcc_gpu *gpu)
{
  HEXCC_GPU(cudaEventRecord(gpu->others, gpu->rest));
  HEXCC_GPU(cudaStreamWaitEvent(gpu->side, gpu->others, 0));
}

// Marks where messages are packed, and says whether that is still to come.
static void hexcc_gpu_mark(struct hexcc_gpu *gpu) { HEXCC_GPU(cudaEventRecord(gpu->packed, gpu->side)); }
static int hexcc_gpu_packs(struct hexcc_gpu *gpu)
{
  if (gpu->error != cudaSuccess)
    return 0;
  const cudaError_t error = cudaEventQuery(gpu->packed);
  if (error == cudaErrorNotReady)
    return 1;
  HEXCC_GPU(error);
  return 0;
}

// A part of an array as memory of the host: a copy, where it is on a device; NULL: there is no memory.
static char *hexcc_to_host(void *part, unsigned long long bytes)
{
  int device;
  if (!hexcc_on_device(part, &device))
    return (char *)part;
  char *host = (char *)malloc((size_t)bytes + 1);
  if (host && bytes > 0 && hexcc_check(cudaMemcpy(host, part, (size_t)bytes, cudaMemcpyDefault), "cudaMemcpy", __LINE__) != cudaSuccess) {
    free(host);
    return NULL;
  }
  return host;
}

// Copies so many bytes of such a copy back, and frees it. Returns 1 where that fails.
static int hexcc_to_device(void *part, char *host, unsigned long long bytes)
{
  int wrong = 0;
  if (host == (char *)part)
    return 0;
  if (host && bytes > 0)
    wrong = hexcc_check(cudaMemcpy(part, host, (size_t)bytes, cudaMemcpyDefault), "cudaMemcpy", __LINE__) != cudaSuccess;
  free(host);
  return wrong;
}
