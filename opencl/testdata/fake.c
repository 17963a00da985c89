/* Stands between a program and the OpenCL library REAL: counts calls and what they make, lets one call fail, and
   makes the machine poorer than it is. In the environment:

     FAKE_FAIL=N           call number N fails with CL_OUT_OF_RESOURCES; calls are numbered from 1
     FAKE_NO_PLATFORM=1    there is no platform
     FAKE_NO_DEVICE=1      there is no device
     FAKE_GROUP=N          CL_DEVICE_MAX_WORK_GROUP_SIZE
     FAKE_ITEMS=N          CL_DEVICE_MAX_WORK_ITEM_SIZES along the first axis
     FAKE_LOCAL=N          CL_DEVICE_LOCAL_MEM_SIZE
     FAKE_KERNEL_GROUP=N   CL_KERNEL_WORK_GROUP_SIZE
     FAKE_NO_DOUBLES=1     CL_DEVICE_DOUBLE_FP_CONFIG is 0
     FAKE_BUILD=1          clBuildProgram fails

   FAKE_CHECK=1: what is not released at the end, or FAKE_FAIL beyond the last call, ends the program with status 97 or 98. */
#define CL_TARGET_OPENCL_VERSION 120
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static int calls, alive;

static long number(const char *name, long otherwise)
{
  const char *text = getenv(name);
  return text != NULL && *text != 0 ? atol(text) : otherwise;
}

static void at_end(void)
{
  if (alive != 0) {
    fprintf(stderr, "fake OpenCL: %d objects are not released\n", alive);
    _exit(97);
  }
  if (number("FAKE_FAIL", 0) > calls)
    _exit(98);
}

static void *real(const char *name)
{
  static void *library;
  void *found;
  if (library == NULL) {
    library = dlopen(REAL, RTLD_NOW | RTLD_LOCAL);
    if (number("FAKE_CHECK", 0))
      atexit(at_end);
  }
  found = library != NULL ? dlsym(library, name) : NULL;
  if (found == NULL) {
    fprintf(stderr, "fake OpenCL: %s has no %s\n", REAL, name);
    _exit(96);
  }
  return found;
}

/* Each call counts, and reports whether it is the one to fail. */
static int fails(void) { return ++calls == number("FAKE_FAIL", 0); }

#define FORWARD(name, parameters, arguments, before, after) \
  cl_int name parameters \
  { \
    cl_int(*f) parameters = (cl_int(*) parameters)real(#name); \
    cl_int error = fails() ? CL_OUT_OF_RESOURCES : CL_SUCCESS; \
    before \
    if (error == CL_SUCCESS) \
      error = f arguments; \
    after \
    return error; \
  }
/* What is released is gone, also where that fails. */
#define RELEASE(name, type) \
  cl_int name(type object) \
  { \
    cl_int(*f)(type) = (cl_int(*)(type))real(#name); \
    int failing = fails(); \
    alive--; \
    f(object); \
    return failing ? CL_OUT_OF_RESOURCES : CL_SUCCESS; \
  }
#define CREATE(type, name, parameters, arguments) \
  type name parameters \
  { \
    type(*f) parameters = (type(*) parameters)real(#name); \
    type made; \
    if (fails()) { \
      *error = CL_OUT_OF_RESOURCES; \
      return NULL; \
    } \
    made = f arguments; \
    alive += made != NULL; \
    return made; \
  }

FORWARD(clGetPlatformIDs, (cl_uint n, cl_platform_id *ids, cl_uint *got), (n, ids, got),
    if (error == CL_SUCCESS && number("FAKE_NO_PLATFORM", 0)) return -1001;, )
FORWARD(clGetPlatformInfo, (cl_platform_id p, cl_platform_info what, size_t size, void *value, size_t *got), (p, what, size, value, got), , )
void *clGetExtensionFunctionAddressForPlatform(cl_platform_id p, const char *name)
{
  void *(*f)(cl_platform_id, const char *) = (void *(*)(cl_platform_id, const char *))real("clGetExtensionFunctionAddressForPlatform");
  return f(p, name);
}
FORWARD(clGetDeviceIDs, (cl_platform_id p, cl_device_type type, cl_uint n, cl_device_id *ids, cl_uint *got), (p, type, n, ids, got),
    if (error == CL_SUCCESS && number("FAKE_NO_DEVICE", 0)) return CL_DEVICE_NOT_FOUND;, )
FORWARD(clGetDeviceInfo, (cl_device_id d, cl_device_info what, size_t size, void *value, size_t *got), (d, what, size, value, got), , {
  if (error == CL_SUCCESS && value != NULL && what == CL_DEVICE_MAX_WORK_GROUP_SIZE)
    *(size_t *)value = (size_t)number("FAKE_GROUP", (long)*(size_t *)value);
  if (error == CL_SUCCESS && value != NULL && what == CL_DEVICE_MAX_WORK_ITEM_SIZES)
    *(size_t *)value = (size_t)number("FAKE_ITEMS", (long)*(size_t *)value);
  if (error == CL_SUCCESS && value != NULL && what == CL_DEVICE_LOCAL_MEM_SIZE)
    *(cl_ulong *)value = (cl_ulong)number("FAKE_LOCAL", (long)*(cl_ulong *)value);
  if (error == CL_SUCCESS && value != NULL && what == CL_DEVICE_DOUBLE_FP_CONFIG && number("FAKE_NO_DOUBLES", 0))
    *(cl_device_fp_config *)value = 0;
})
CREATE(cl_context, clCreateContext,
    (const cl_context_properties *p, cl_uint n, const cl_device_id *d, void(CL_CALLBACK *notify)(const char *, const void *, size_t, void *),
        void *data, cl_int *error), (p, n, d, notify, data, error))
CREATE(cl_command_queue, clCreateCommandQueue, (cl_context c, cl_device_id d, cl_command_queue_properties p, cl_int *error), (c, d, p, error))
CREATE(cl_mem, clCreateBuffer, (cl_context c, cl_mem_flags flags, size_t size, void *host, cl_int *error), (c, flags, size, host, error))
CREATE(cl_program, clCreateProgramWithSource, (cl_context c, cl_uint n, const char **texts, const size_t *lengths, cl_int *error),
    (c, n, texts, lengths, error))
CREATE(cl_kernel, clCreateKernel, (cl_program p, const char *name, cl_int *error), (p, name, error))
RELEASE(clReleaseContext, cl_context)
RELEASE(clReleaseCommandQueue, cl_command_queue)
RELEASE(clReleaseMemObject, cl_mem)
RELEASE(clReleaseProgram, cl_program)
RELEASE(clReleaseKernel, cl_kernel)
RELEASE(clReleaseEvent, cl_event)
FORWARD(clRetainContext, (cl_context c), (c), , alive += error == CL_SUCCESS;)
FORWARD(clBuildProgram, (cl_program p, cl_uint n, const cl_device_id *d, const char *options, void(CL_CALLBACK *notify)(cl_program, void *), void *data),
    (p, n, d, options, notify, data), if (number("FAKE_BUILD", 0)) return CL_BUILD_PROGRAM_FAILURE;, )
FORWARD(clGetProgramBuildInfo, (cl_program p, cl_device_id d, cl_program_build_info what, size_t size, void *value, size_t *got),
    (p, d, what, size, value, got), , )
FORWARD(clGetKernelWorkGroupInfo, (cl_kernel k, cl_device_id d, cl_kernel_work_group_info what, size_t size, void *value, size_t *got),
    (k, d, what, size, value, got), , {
  if (error == CL_SUCCESS && what == CL_KERNEL_WORK_GROUP_SIZE)
    *(size_t *)value = (size_t)number("FAKE_KERNEL_GROUP", (long)*(size_t *)value);
})
FORWARD(clGetCommandQueueInfo, (cl_command_queue q, cl_command_queue_info what, size_t size, void *value, size_t *got), (q, what, size, value, got), , )
FORWARD(clSetKernelArg, (cl_kernel k, cl_uint i, size_t size, const void *value), (k, i, size, value), , )
FORWARD(clEnqueueWriteBuffer, (cl_command_queue q, cl_mem m, cl_bool wait, size_t at, size_t size, const void *from, cl_uint n, const cl_event *list, cl_event *event),
    (q, m, wait, at, size, from, n, list, event), , )
FORWARD(clEnqueueReadBuffer, (cl_command_queue q, cl_mem m, cl_bool wait, size_t at, size_t size, void *to, cl_uint n, const cl_event *list, cl_event *event),
    (q, m, wait, at, size, to, n, list, event), , )
FORWARD(clEnqueueNDRangeKernel,
    (cl_command_queue q, cl_kernel k, cl_uint axes, const size_t *from, const size_t *items, const size_t *group, cl_uint n, const cl_event *list, cl_event *event),
    (q, k, axes, from, items, group, n, list, event), , )
FORWARD(clEnqueueMarkerWithWaitList, (cl_command_queue q, cl_uint n, const cl_event *list, cl_event *event), (q, n, list, event), ,
    alive += error == CL_SUCCESS && event != NULL;)
FORWARD(clGetEventProfilingInfo, (cl_event e, cl_profiling_info what, size_t size, void *value, size_t *got), (e, what, size, value, got), , )
FORWARD(clFlush, (cl_command_queue q), (q), , )
FORWARD(clFinish, (cl_command_queue q), (q), , )
