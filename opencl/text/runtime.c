// hexcc_error_name returns the name that OpenCL 1.2 gives an error.
static const char *hexcc_error_name(cl_int error)
{
  static const char *const names[] = { // from 0 down
    "CL_SUCCESS", "CL_DEVICE_NOT_FOUND", "CL_DEVICE_NOT_AVAILABLE", "CL_COMPILER_NOT_AVAILABLE",
    "CL_MEM_OBJECT_ALLOCATION_FAILURE", "CL_OUT_OF_RESOURCES", "CL_OUT_OF_HOST_MEMORY",
    "CL_PROFILING_INFO_NOT_AVAILABLE", "CL_MEM_COPY_OVERLAP", "CL_IMAGE_FORMAT_MISMATCH",
    "CL_IMAGE_FORMAT_NOT_SUPPORTED", "CL_BUILD_PROGRAM_FAILURE", "CL_MAP_FAILURE",
    "CL_MISALIGNED_SUB_BUFFER_OFFSET", "CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST",
    "CL_COMPILE_PROGRAM_FAILURE", "CL_LINKER_NOT_AVAILABLE", "CL_LINK_PROGRAM_FAILURE",
    "CL_DEVICE_PARTITION_FAILED", "CL_KERNEL_ARG_INFO_NOT_AVAILABLE",
  };
  static const char *const invalid[] = { // from -30 down
    "CL_INVALID_VALUE", "CL_INVALID_DEVICE_TYPE", "CL_INVALID_PLATFORM", "CL_INVALID_DEVICE",
    "CL_INVALID_CONTEXT", "CL_INVALID_QUEUE_PROPERTIES", "CL_INVALID_COMMAND_QUEUE", "CL_INVALID_HOST_PTR",
    "CL_INVALID_MEM_OBJECT", "CL_INVALID_IMAGE_FORMAT_DESCRIPTOR", "CL_INVALID_IMAGE_SIZE",
    "CL_INVALID_SAMPLER", "CL_INVALID_BINARY", "CL_INVALID_BUILD_OPTIONS", "CL_INVALID_PROGRAM",
    "CL_INVALID_PROGRAM_EXECUTABLE", "CL_INVALID_KERNEL_NAME", "CL_INVALID_KERNEL_DEFINITION",
    "CL_INVALID_KERNEL", "CL_INVALID_ARG_INDEX", "CL_INVALID_ARG_VALUE", "CL_INVALID_ARG_SIZE",
    "CL_INVALID_KERNEL_ARGS", "CL_INVALID_WORK_DIMENSION", "CL_INVALID_WORK_GROUP_SIZE",
    "CL_INVALID_WORK_ITEM_SIZE", "CL_INVALID_GLOBAL_OFFSET", "CL_INVALID_EVENT_WAIT_LIST", "CL_INVALID_EVENT",
    "CL_INVALID_OPERATION", "CL_INVALID_GL_OBJECT", "CL_INVALID_BUFFER_SIZE", "CL_INVALID_MIP_LEVEL",
    "CL_INVALID_GLOBAL_WORK_SIZE", "CL_INVALID_PROPERTY", "CL_INVALID_IMAGE_DESCRIPTOR",
    "CL_INVALID_COMPILER_OPTIONS", "CL_INVALID_LINKER_OPTIONS", "CL_INVALID_DEVICE_PARTITION_COUNT",
  };
  if (error <= 0 && error > -20)
    return names[-error];
  if (error <= -30 && error > -69)
    return invalid[-error - 30];
  return error == -1001 ? "CL_PLATFORM_NOT_FOUND_KHR" : "unknown error";
}

// The last failure in this thread: file, line, call and error.
static __thread char hexcc_message[600] = "nothing failed";

// hexcc_fail keeps what failed, and returns the error.
static cl_int hexcc_fail(cl_int error, int line, const char *format, ...)
{
  int n = snprintf(hexcc_message, sizeof hexcc_message, "%s:%d: ", __FILE__, line);
  va_list arguments;
  va_start(arguments, format);
  if (n >= 0 && n < (int)sizeof hexcc_message)
    vsnprintf(hexcc_message + n, sizeof hexcc_message - (size_t)n, format, arguments);
  va_end(arguments);
  return error;
}

// hexcc_check keeps which call failed, if it did.
static cl_int hexcc_check(cl_int error, const char *call, int line)
{
  return error == CL_SUCCESS ? error : hexcc_fail(error, line, "%.300s: %s (%d)", call, hexcc_error_name(error), (int)error);
}

// HEXCC_TRY leaves the function at done if the call fails.
#define HEXCC_TRY(call) \
  do { \
    error = hexcc_check((call), #call, __LINE__); \
    if (error != CL_SUCCESS) \
      goto done; \
  } while (0)

// HEXCC_OURS does so for a function of this file, which has kept what failed.
#define HEXCC_OURS(call) \
  do { \
    error = (call); \
    if (error != CL_SUCCESS) \
      goto done; \
  } while (0)

// HEXCC_MAKE does so for a call that makes something and sets error.
#define HEXCC_MAKE(made, call) \
  do { \
    made = call; \
    if (hexcc_check(error, #call, __LINE__) != CL_SUCCESS) \
      goto done; \
  } while (0)

// HEXCC_RELEASE releases what was made, if it was, and keeps the first error there was.
#define HEXCC_RELEASE(release, made) \
  do { \
    cl_int released = made ? hexcc_check(release(made), #release "(" #made ")", __LINE__) : CL_SUCCESS; \
    made = NULL; \
    if (error == CL_SUCCESS) \
      error = released; \
  } while (0)

// What is made once and kept: a device and a context, and for each context that
// was used the program.
struct hexcc_built {
  struct hexcc_built *next;
  cl_context context;
  cl_device_id device;
  cl_program program;
};
static struct {
  pthread_mutex_t lock;
  cl_device_id device;
  cl_context context;
  struct hexcc_built *built;
  int ready, said; // kernels are known to run there; it was said that they do not
} hexcc_kept = {PTHREAD_MUTEX_INITIALIZER, NULL, NULL, NULL, 0, 0};

enum { HEXCC_MOST = 64 }; // platforms, and devices of each, that are looked at

// hexcc_describe gives "PLATFORM: DEVICE", and how good the device is where none is asked for.
static cl_int hexcc_describe(cl_platform_id platform, cl_device_id device, char text[520], int *rank)
{
  cl_int error = CL_SUCCESS;
  char names[2][256] = {"", ""};
  cl_device_type type = 0;
  HEXCC_TRY(clGetPlatformInfo(platform, CL_PLATFORM_NAME, sizeof names[0], names[0], NULL));
  HEXCC_TRY(clGetDeviceInfo(device, CL_DEVICE_NAME, sizeof names[1], names[1], NULL));
  HEXCC_TRY(clGetDeviceInfo(device, CL_DEVICE_TYPE, sizeof type, &type, NULL));
  snprintf(text, 520, "%s: %s", names[0], names[1]);
  *rank = type & CL_DEVICE_TYPE_GPU ? 3 : type & CL_DEVICE_TYPE_ACCELERATOR ? 2 : 1;
done:
  return error;
}

// hexcc_look finds the device that is asked for by its number or a part of its
// name; if none is, the first GPU, else the first accelerator, else the first of
// all. With list it says on stderr what there is.
static cl_int hexcc_look(const char *asked, int list, cl_device_id *chosen)
{
  cl_int error;
  cl_platform_id platforms[HEXCC_MOST];
  cl_device_id devices[HEXCC_MOST];
  cl_uint n = 0, m, p, d;
  int number = 0, best = 0, rank = 0;
  char text[520], digits[16];
  error = clGetPlatformIDs(HEXCC_MOST, platforms, &n);
  if (error == -1001) // there is none
    error = CL_SUCCESS, n = 0;
  HEXCC_OURS(hexcc_check(error, "clGetPlatformIDs", __LINE__));
  for (p = 0; p < n && p < HEXCC_MOST; p++) {
    m = 0;
    error = clGetDeviceIDs(platforms[p], CL_DEVICE_TYPE_ALL, HEXCC_MOST, devices, &m);
    if (error == CL_DEVICE_NOT_FOUND)
      error = CL_SUCCESS, m = 0;
    HEXCC_OURS(hexcc_check(error, "clGetDeviceIDs", __LINE__));
    for (d = 0; d < m && d < HEXCC_MOST; d++, number++) {
      HEXCC_OURS(hexcc_describe(platforms[p], devices[d], text, &rank));
      if (list)
        fprintf(stderr, "  %d  %s\n", number, text);
      snprintf(digits, sizeof digits, "%d", number);
      if (asked != NULL)
        rank = strcmp(asked, digits) == 0 ? 2 : strstr(text, asked) != NULL;
      if (rank > best) {
        best = rank;
        *chosen = devices[d];
      }
    }
  }
done:
  return error;
}

// hexcc_choose chooses the device. HEXCC_OPENCL_DEVICE in the environment asks for one.
static cl_int hexcc_choose(cl_device_id *device)
{
  cl_int error;
  cl_device_id first;
  const char *asked = getenv("HEXCC_OPENCL_DEVICE");
  if (asked != NULL && *asked == 0)
    asked = NULL;
  *device = NULL;
  HEXCC_OURS(hexcc_look(asked, 0, device));
  if (*device == NULL && asked == NULL)
    error = hexcc_fail(CL_DEVICE_NOT_FOUND, __LINE__, "there is no OpenCL device; on Debian, pocl-opencl-icd makes one of the CPU");
  if (*device == NULL && asked != NULL) {
    fprintf(stderr, "%s: these are the OpenCL devices:\n", __FILE__);
    HEXCC_OURS(hexcc_look(NULL, 1, &first));
    error = hexcc_fail(CL_DEVICE_NOT_FOUND, __LINE__, "HEXCC_OPENCL_DEVICE=%.200s names none of the OpenCL devices", asked);
  }
done:
  return error;
}

// hexcc_start gives the device and the context that are kept; at first it makes them.
static cl_int hexcc_start(cl_device_id *device, cl_context *context)
{
  cl_int error = CL_SUCCESS;
  pthread_mutex_lock(&hexcc_kept.lock);
  if (hexcc_kept.context == NULL) {
    HEXCC_OURS(hexcc_choose(&hexcc_kept.device));
    HEXCC_MAKE(hexcc_kept.context, clCreateContext(NULL, 1, &hexcc_kept.device, NULL, NULL, &error));
  }
  *device = hexcc_kept.device;
  *context = hexcc_kept.context;
done:
  pthread_mutex_unlock(&hexcc_kept.lock);
  return error;
}

// hexcc_build_log says why the program could not be built.
static void hexcc_build_log(cl_program program, cl_device_id device)
{
  size_t size = 0;
  char *log = NULL;
  if (clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, 0, NULL, &size) == CL_SUCCESS)
    log = (char *)malloc(size + 1);
  if (log != NULL && clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, size, log, NULL) == CL_SUCCESS) {
    log[size] = 0;
    fprintf(stderr, "%s\n", log);
  }
  free(log);
}

// hexcc_usual gives the options that a device needs where nobody chooses others.
// The optimiser of PoCL, version 3.1, makes wrong code around barriers.
static cl_int hexcc_usual(cl_device_id device, const char **options)
{
  cl_int error = CL_SUCCESS;
  cl_platform_id platform = NULL;
  char name[256] = "";
  HEXCC_TRY(clGetDeviceInfo(device, CL_DEVICE_PLATFORM, sizeof platform, &platform, NULL));
  HEXCC_TRY(clGetPlatformInfo(platform, CL_PLATFORM_NAME, sizeof name, name, NULL));
  *options = strcmp(name, "Portable Computing Language") == 0 ? "-cl-opt-disable" : "";
done:
  return error;
}

// hexcc_standard gives the OpenCL C to build for: sub-groups are of a later one.
static cl_int hexcc_standard(cl_device_id device, const char **name)
{
  cl_int error = CL_SUCCESS;
  char version[256] = "";
  *name = "CL1.2";
  if (HEXCC_LANES) {
    HEXCC_TRY(clGetDeviceInfo(device, CL_DEVICE_VERSION, sizeof version, version, NULL));
    *name = strncmp(version, "OpenCL 1", 8) == 0 ? "CL1.2" : strncmp(version, "OpenCL 2", 8) == 0 ? "CL2.0" : "CL3.0";
  }
done:
  return error;
}

// hexcc_options gives the options to build with. HEXCC_OPENCL_OPTIONS in the
// environment gives others than usual. What the device cannot compute as C does is said on stderr.
static cl_int hexcc_options(cl_device_id device, char *options, size_t size)
{
  cl_int error = CL_SUCCESS;
  cl_device_fp_config config = 0;
  const char *more = getenv("HEXCC_OPENCL_OPTIONS"), *standard;
  int n;
  HEXCC_OURS(hexcc_standard(device, &standard));
  if (more == NULL)
    HEXCC_OURS(hexcc_usual(device, &more));
  HEXCC_TRY(clGetDeviceInfo(device, CL_DEVICE_SINGLE_FP_CONFIG, sizeof config, &config, NULL));
  n = snprintf(options, size, "-cl-std=%s%s %s", standard,
      config & CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT ? " -cl-fp32-correctly-rounded-divide-sqrt" : "", more);
  if (n < 0 || (size_t)n >= size) {
    error = hexcc_fail(CL_INVALID_BUILD_OPTIONS, __LINE__, "HEXCC_OPENCL_OPTIONS is longer than %zu bytes", size - 100);
    goto done;
  }
  if (HEXCC_DIVIDES && !(config & CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT))
    fprintf(stderr, "%s: note: the device does not round quotients and square roots of floats as C does: last bits may differ\n", __FILE__);
  if (HEXCC_FLOATS && !(config & CL_FP_DENORM))
    fprintf(stderr, "%s: note: the device takes floats below 1.2e-38 for 0, which C does not\n", __FILE__);
done:
  return error;
}

// hexcc_compile builds the program for a device and retains its context.
static cl_int hexcc_compile(cl_context context, cl_device_id device, struct hexcc_built *built)
{
  cl_int error;
  cl_program program = NULL;
  char options[1024];
  const char *source[sizeof hexcc_source / sizeof hexcc_source[0]];
  memcpy(source, hexcc_source, sizeof source);
  HEXCC_OURS(hexcc_options(device, options, sizeof options));
  HEXCC_MAKE(program, clCreateProgramWithSource(context, sizeof source / sizeof source[0], source, NULL, &error));
  error = hexcc_check(clBuildProgram(program, 1, &device, options, NULL, NULL), "clBuildProgram", __LINE__);
  if (error != CL_SUCCESS) {
    hexcc_build_log(program, device);
    goto done;
  }
  HEXCC_TRY(clRetainContext(context));
  built->context = context;
  built->device = device;
  built->program = program;
  program = NULL;
done:
  HEXCC_RELEASE(clReleaseProgram, program);
  return error;
}

// hexcc_build gives the program for a context; at first it builds it.
static cl_int hexcc_build(cl_context context, cl_device_id device, cl_program *program)
{
  cl_int error = CL_SUCCESS;
  struct hexcc_built *b;
  pthread_mutex_lock(&hexcc_kept.lock);
  for (b = hexcc_kept.built; b != NULL && (b->context != context || b->device != device);)
    b = b->next;
  if (b == NULL) {
    b = (struct hexcc_built *)malloc(sizeof *b);
    HEXCC_TRY(b != NULL ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY);
    if ((error = hexcc_compile(context, device, b)) != CL_SUCCESS) {
      free(b);
      goto done;
    }
    b->next = hexcc_kept.built;
    hexcc_kept.built = b;
  }
  *program = b->program;
done:
  pthread_mutex_unlock(&hexcc_kept.lock);
  return error;
}

// What a kernel needs of a device.
struct hexcc_need {
  const char *kernel;
  size_t threads[3];
  cl_ulong local; // bytes of local memory
  size_t lanes; // work-items of a sub-group, which exchange values; 0: none do
};

// hexcc_extended reports whether the device has one of two extensions.
static cl_int hexcc_extended(cl_device_id device, const char *one, const char *other, int *has)
{
  cl_int error = CL_SUCCESS;
  size_t size = 0;
  char *names = NULL;
  *has = 0;
  HEXCC_TRY(clGetDeviceInfo(device, CL_DEVICE_EXTENSIONS, 0, NULL, &size));
  names = (char *)calloc(size + 1, 1);
  HEXCC_TRY(names != NULL ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY);
  HEXCC_TRY(clGetDeviceInfo(device, CL_DEVICE_EXTENSIONS, size, names, NULL));
  *has = strstr(names, one) != NULL || strstr(names, other) != NULL;
done:
  free(names);
  return error;
}

// hexcc_lanes says so if the device does not run a kernel in sub-groups of the size that it needs.
static cl_int hexcc_lanes(cl_kernel kernel, cl_device_id device, const struct hexcc_need *need)
{
  typedef cl_int (CL_API_CALL *info)(cl_kernel, cl_device_id, cl_uint, size_t, const void *, size_t, void *, size_t *);
  cl_int error = CL_SUCCESS;
  cl_platform_id platform = NULL;
  size_t threads = need->threads[0] * need->threads[1] * need->threads[2], size = 0, count = 0;
  union {
    void *found;
    info call;
  } f;
  HEXCC_TRY(clGetDeviceInfo(device, CL_DEVICE_PLATFORM, sizeof platform, &platform, NULL));
  f.found = clGetExtensionFunctionAddressForPlatform(platform, "clGetKernelSubGroupInfoKHR");
  if (f.found == NULL) {
    error = hexcc_fail(CL_INVALID_DEVICE, __LINE__, "the device does not say how large sub-groups of %.99s are; hexcc --kernel=tiles makes kernels that need none", need->kernel);
    goto done;
  }
  HEXCC_TRY(f.call(kernel, device, 0x2033, sizeof need->threads, need->threads, sizeof size, &size, NULL)); // CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE_KHR
  HEXCC_TRY(f.call(kernel, device, 0x2034, sizeof need->threads, need->threads, sizeof count, &count, NULL)); // CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE_KHR
  if (size != need->lanes || count != threads / need->lanes)
    error = hexcc_fail(CL_INVALID_DEVICE, __LINE__, "the device runs %.99s in sub-groups of %zu, and it needs %zu; hexcc --kernel=tiles makes kernels that need none",
        need->kernel, size, need->lanes);
done:
  return error;
}

// hexcc_fits says what the device lacks, if it lacks anything.
static cl_int hexcc_fits(cl_device_id device, const struct hexcc_need *need)
{
  cl_int error = CL_SUCCESS;
  size_t threads = need->threads[0] * need->threads[1] * need->threads[2], most = 0, each[16] = {0};
  cl_ulong local = 0;
  cl_device_fp_config doubles = 0;
  int axis, exchanges = 1;
  HEXCC_TRY(clGetDeviceInfo(device, CL_DEVICE_MAX_WORK_GROUP_SIZE, sizeof most, &most, NULL));
  HEXCC_TRY(clGetDeviceInfo(device, CL_DEVICE_MAX_WORK_ITEM_SIZES, sizeof each, each, NULL));
  HEXCC_TRY(clGetDeviceInfo(device, CL_DEVICE_LOCAL_MEM_SIZE, sizeof local, &local, NULL));
  if (threads > most)
    error = hexcc_fail(CL_INVALID_WORK_GROUP_SIZE, __LINE__, "%.99s needs work-groups of %zu, and the device has %zu", need->kernel, threads, most);
  for (axis = 0; axis < 3; axis++)
    if (need->threads[axis] > each[axis])
      error = hexcc_fail(CL_INVALID_WORK_ITEM_SIZE, __LINE__, "%.99s needs %zu work-items along axis %d, and the device has %zu",
          need->kernel, need->threads[axis], axis, each[axis]);
  if (need->local > local)
    error = hexcc_fail(CL_OUT_OF_RESOURCES, __LINE__, "%.99s needs %llu bytes of local memory, and the device has %llu",
        need->kernel, (unsigned long long)need->local, (unsigned long long)local);
  if (HEXCC_DOUBLES && (clGetDeviceInfo(device, CL_DEVICE_DOUBLE_FP_CONFIG, sizeof doubles, &doubles, NULL) != CL_SUCCESS || doubles == 0))
    error = hexcc_fail(CL_INVALID_DEVICE, __LINE__, "%.99s needs doubles, and the device has none (cl_khr_fp64)", need->kernel);
  if (need->lanes > 0)
    HEXCC_OURS(hexcc_extended(device, "cl_khr_subgroup_shuffle", "cl_intel_subgroups", &exchanges));
  if (!exchanges)
    error = hexcc_fail(CL_INVALID_DEVICE, __LINE__, "%.99s needs sub-groups that exchange values, and the device has none "
        "(cl_khr_subgroup_shuffle or cl_intel_subgroups); hexcc --kernel=tiles makes kernels that need none", need->kernel);
done:
  return error;
}

// hexcc_kernels makes n kernels for a device, if they fit it. The caller releases
// those that are not NULL, also where an error is returned.
static cl_int hexcc_kernels(cl_context context, cl_device_id device, const struct hexcc_need *needs, int n, cl_kernel *kernels)
{
  cl_int error = CL_SUCCESS;
  cl_program program = NULL;
  size_t most = 0;
  int i;
  for (i = 0; i < n; i++)
    HEXCC_OURS(hexcc_fits(device, &needs[i]));
  HEXCC_OURS(hexcc_build(context, device, &program));
  for (i = 0; i < n; i++) {
    HEXCC_MAKE(kernels[i], clCreateKernel(program, needs[i].kernel, &error));
    HEXCC_TRY(clGetKernelWorkGroupInfo(kernels[i], device, CL_KERNEL_WORK_GROUP_SIZE, sizeof most, &most, NULL));
    if (most < needs[i].threads[0] * needs[i].threads[1] * needs[i].threads[2]) {
      error = hexcc_fail(CL_INVALID_WORK_GROUP_SIZE, __LINE__, "the device runs %.99s in work-groups of %zu at most", needs[i].kernel, most);
      goto done;
    }
    if (needs[i].lanes > 0)
      HEXCC_OURS(hexcc_lanes(kernels[i], device, &needs[i]));
  }
done:
  return error;
}

// hexcc_make makes n kernels for the device of a queue, as hexcc_kernels does. The queue must run in order: each
// kernel reads what those before it wrote.
static cl_int hexcc_make(cl_command_queue queue, const struct hexcc_need *needs, int n, cl_kernel *kernels)
{
  cl_int error = CL_SUCCESS;
  cl_context context = NULL;
  cl_device_id device = NULL;
  cl_command_queue_properties properties = 0;
  HEXCC_TRY(clGetCommandQueueInfo(queue, CL_QUEUE_CONTEXT, sizeof context, &context, NULL));
  HEXCC_TRY(clGetCommandQueueInfo(queue, CL_QUEUE_DEVICE, sizeof device, &device, NULL));
  HEXCC_TRY(clGetCommandQueueInfo(queue, CL_QUEUE_PROPERTIES, sizeof properties, &properties, NULL));
  if (properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE) {
    error = hexcc_fail(CL_INVALID_QUEUE_PROPERTIES, __LINE__, "the kernels need a queue that runs in order");
    goto done;
  }
  error = hexcc_kernels(context, device, needs, n, kernels);
done:
  return error;
}

// hexcc_can reports whether the device that is kept runs n kernels, of which it makes one after the other.
// If not, it says so on stderr, once.
static int hexcc_can(const struct hexcc_need *const *needs, int n)
{
  cl_int error = CL_SUCCESS;
  cl_device_id device = NULL;
  cl_context context = NULL;
  cl_kernel kernel = NULL;
  int i, ready, said = 1;
  pthread_mutex_lock(&hexcc_kept.lock);
  ready = hexcc_kept.ready;
  pthread_mutex_unlock(&hexcc_kept.lock);
  if (ready)
    return 1;
  HEXCC_OURS(hexcc_start(&device, &context));
  for (i = 0; i < n; i++) {
    HEXCC_OURS(hexcc_kernels(context, device, needs[i], 1, &kernel));
    HEXCC_RELEASE(clReleaseKernel, kernel);
  }
done:
  HEXCC_RELEASE(clReleaseKernel, kernel);
  pthread_mutex_lock(&hexcc_kept.lock);
  if (error == CL_SUCCESS) {
    hexcc_kept.ready = 1;
  } else {
    said = hexcc_kept.said;
    hexcc_kept.said = 1;
  }
  pthread_mutex_unlock(&hexcc_kept.lock);
  if (!said)
    fprintf(stderr, "%s: the kernels cannot run here\n", hexcc_message);
  return error == CL_SUCCESS;
}

// hexcc_release_all releases what is kept.
static cl_int hexcc_release_all(void)
{
  cl_int error = CL_SUCCESS;
  struct hexcc_built *b;
  pthread_mutex_lock(&hexcc_kept.lock);
  while ((b = hexcc_kept.built) != NULL) {
    hexcc_kept.built = b->next;
    HEXCC_RELEASE(clReleaseProgram, b->program);
    HEXCC_RELEASE(clReleaseContext, b->context);
    free(b);
  }
  HEXCC_RELEASE(clReleaseContext, hexcc_kept.context);
  hexcc_kept.ready = 0;
  pthread_mutex_unlock(&hexcc_kept.lock);
  return error;
}

// hexcc_mark adds an event to the queue, if times are asked for.
static cl_int hexcc_mark(cl_command_queue queue, int timed, cl_event *event)
{
  cl_int error = CL_SUCCESS;
  if (timed)
    HEXCC_TRY(clEnqueueMarkerWithWaitList(queue, 0, NULL, event));
done:
  return error;
}

// hexcc_elapsed gives the time between two events in milliseconds.
static cl_int hexcc_elapsed(cl_event start, cl_event end, float *milliseconds)
{
  cl_int error = CL_SUCCESS;
  cl_ulong from = 0, to = 0;
  HEXCC_TRY(clGetEventProfilingInfo(start, CL_PROFILING_COMMAND_END, sizeof from, &from, NULL));
  HEXCC_TRY(clGetEventProfilingInfo(end, CL_PROFILING_COMMAND_END, sizeof to, &to, NULL));
  *milliseconds = (float)(to - from) * 1e-6f;
done:
  return error;
}
