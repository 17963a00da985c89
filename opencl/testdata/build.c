/* Builds the kernels of a file for the first OpenCL device and prints the log. */
#include <CL/cl.h>
#include <stdio.h>
int main(void)
{
  static char text[1 << 20], log[1 << 16];
  const char *source = text;
  cl_platform_id platform;
  cl_device_id device;
  cl_int error;
  FILE *file = fopen(KERNELS, "r");
  text[file ? fread(text, 1, sizeof text - 1, file) : 0] = 0;
  if (clGetPlatformIDs(1, &platform, NULL) != 0 || clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL) != 0)
    return 2;
  cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &error);
  cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, &error);
  error = clBuildProgram(program, 1, &device, "-cl-std=CL1.2 -cl-opt-disable -Werror", NULL, NULL);
  clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, sizeof log, log, NULL);
  if (error != 0)
    fprintf(stderr, "%s\n", log);
  return error != 0;
}
