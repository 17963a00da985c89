package opencl_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc"
	"github.com/hexcc/hexcc/internal/cases"
	"github.com/hexcc/hexcc/internal/tool"
	"github.com/hexcc/hexcc/opencl"
)

// These tests run the functions of a translation where calls of OpenCL fail and devices are too small.

// fake returns testdata/fake.c, compiled: linked in place of the OpenCL library, it stands before that.
func fake(t *testing.T, flags ...string) (object string) {
	needDevice(t)
	library, err := exec.Command("gcc", "-print-file-name=libOpenCL.so.1").Output()
	require.NoError(t, err)
	object = filepath.Join(t.TempDir(), "fake.o")
	args := append([]string{"-std=c11", "-Wall", "-Wextra", "-Werror", "-O1", "-DREAL=\"" + strings.TrimSpace(string(library)) + "\""}, flags...)
	tool.Quiet(t, "gcc", append(args, "-c", "testdata/fake.c", "-o", object)...)
	return object
}

// drive builds a driver in C with tr, and in C++: each with the older standards.
func (tr translation) drive(t *testing.T, driver string) (programs []string) {
	dir, library := tr.write(t), fake(t)
	tool.CXX(t)
	for _, way := range [][]string{{"gcc", "main.c", "-std=c99"}, {"g++", "main.cc", "-std=c++11"}} {
		source, program := filepath.Join(dir, way[1]), filepath.Join(dir, way[1]+".exe")
		require.NoError(t, os.WriteFile(source, []byte(driver), 0o666))
		tool.Quiet(t, way[0], way[2], "-Wall", "-Wextra", "-Wconversion", "-pedantic", "-Werror", "-I", dir, source, tr.object(t, dir), library, "-ldl", "-o", program)
		programs = append(programs, program)
	}
	return programs
}

// TestFailures makes each call of OpenCL fail in turn, with arrays of the host, timed and not, and with
// buffers in a queue of the caller: the function returns the error and tells of the call with file and line,
// nothing stays behind, arrays are as they were, and the next call succeeds. From C++ all is the same.
func TestFailures(t *testing.T) {
	programs := translate(t, "fail", cases.Failing, hexcc.Options{}).drive(t, failingMain)
	for way, calls := range map[string]int{"host": 30, "timed": 40, "buffers": 30} {
		t.Run(way, func(t *testing.T) {
			t.Parallel()
			out, errs, status := tool.OutputWith(t, []string{"FAKE_CHECK=1"}, programs[1], way)
			require.Zero(t, status, errs)
			require.Empty(t, out)
			for call := 1; ; call++ {
				require.Less(t, call, 200)
				out, errs, status := tool.OutputWith(t, []string{"FAKE_CHECK=1", fmt.Sprintf("FAKE_FAIL=%d", call)}, programs[0], way)
				if status == 98 {
					require.Greater(t, call, calls)
					return // there are fewer calls
				}
				require.Zero(t, status, "call %d: %s%s", call, out, errs)
				if strings.HasPrefix(out, "own") {
					continue // a call of the driver itself
				}
				require.Regexp(t, `^\S*fail.hex_kernel.c:\d+: cl\w+(\(.*\))?: CL_OUT_OF_RESOURCES \(-5\)\n$`, out, "call %d: %s", call, errs)
			}
		})
	}
}

// failingMain is C and C++. It calls a function, once more if it fails, and compares.
const failingMain = `
#define CL_TARGET_OPENCL_VERSION 120
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>
#include <stdio.h>
#include <string.h>
#include "fail.hex.h"
enum { N = 100 };
static float a[N], b[N];
static struct hexcc_times times;
static int own(const char *call) { return printf("own %s\n", call), 0; }

static int on_buffers(void)
{
  cl_platform_id platform;
  cl_device_id device;
  cl_int error = 0;
  int status = 0;
  if (clGetPlatformIDs(1, &platform, NULL) != 0 || clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL) != 0)
    return own("device");
  cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &error);
  cl_command_queue queue = context ? clCreateCommandQueue(context, device, 0, &error) : NULL;
  cl_mem A = queue ? clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, sizeof a, a, &error) : NULL;
  cl_mem B = A ? clCreateBuffer(context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, sizeof b, b, &error) : NULL;
  if (B != NULL) {
    status = hexcc_fail_0_device(3, N, A, B, queue);
    if (status == 0)
      status = hexcc_fail_0_device(2, N, A, B, queue);
    else if (clEnqueueWriteBuffer(queue, A, CL_TRUE, 0, sizeof a, a, 0, NULL, NULL) != 0)
      own("write");
    if (status == 0 && clEnqueueReadBuffer(queue, A, CL_TRUE, 0, sizeof a, a, 0, NULL, NULL) != 0)
      own("read");
  }
  error = B == NULL;
  error |= B != NULL && clReleaseMemObject(B) != 0;
  error |= A != NULL && clReleaseMemObject(A) != 0;
  error |= queue != NULL && clReleaseCommandQueue(queue) != 0;
  error |= context != NULL && clReleaseContext(context) != 0;
  if (error)
    own("call");
  return status;
}

static int late(const char *message)
{
  return strstr(message, "clFinish") || strstr(message, "clRelease") || strstr(message, "Marker") || strstr(message, "Profiling");
}

static int on_host(int timed)
{
  return timed ? hexcc_fail_0_timed(5, N, a, b, &times) : hexcc_fail_0(5, N, a, b);
}

int main(int argc, char **argv)
{
  const int timed = argc > 1 && argv[1][0] == 't', buffers = argc > 1 && argv[1][0] == 'b';
  float want[N];
  for (int i = 0; i < N; i++) {
    want[i] = a[i] = (float)i;
    b[i] = (float)(i % 7);
  }
  for (int i = 1; i < N - 1; i++)
    for (int t = 0; t < 5; t++)
      want[i] = want[i] + 0.5f * b[i - 1] * b[i + 1];
  const int status = buffers ? on_buffers() : on_host(timed);
  if (status != 0)
    printf("%s\n", hexcc_fail_error());
  if (status != 0 && !buffers) {
    int old = 1; /* unless the kernels ran, and what failed came after them */
    for (int i = 0; i < N; i++)
      old = old && a[i] == (float)i;
    if (!old && (memcmp(a, want, sizeof a) != 0 || !late(hexcc_fail_error())))
      return 2;
    for (int i = 0; i < N; i++)
      a[i] = (float)i;
    if (on_host(timed) != 0) /* one call failed: now there are all */
      return 3;
    if (memcmp(a, want, sizeof a) != 0)
      return 4;
  }
  if (hexcc_fail_release() != 0)
    printf("%s\n", hexcc_fail_error());
  return 0;
}
`

// TestOutOfOrder gives the function on buffers a queue whose commands may overtake each other: it refuses.
func TestOutOfOrder(t *testing.T) {
	driver := strings.Replace(failingMain, "clCreateCommandQueue(context, device, 0,", "clCreateCommandQueue(context, device, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE,", 1)
	require.NotEqual(t, failingMain, driver)
	for _, program := range translate(t, "fail", cases.Failing, hexcc.Options{}).drive(t, driver) {
		out, errs, status := tool.OutputWith(t, []string{"FAKE_CHECK=1"}, program, "buffers")
		require.Zero(t, status, errs)
		require.Regexp(t, `^\S*fail.hex_kernel.c:\d+: the kernels need a queue that runs in order\n$`, out)
	}
}

// TestPoor runs a translation on devices that lack something: it says what, in numbers, and stops, or runs the
// original loops, as --on-no-device says.
func TestPoor(t *testing.T) {
	library := fake(t)
	build := func(withoutDevice bool) string {
		tr := translate(t, "poor", poor, hexcc.Options{NoAlias: true, WithoutDevice: withoutDevice})
		dir := tr.write(t)
		return tool.Build(t, "gcc", filepath.Join(dir, "poor"), "-O1", "-I", dir, filepath.Join(dir, opencl.HostFile(tr.names.Base)), tr.object(t, dir), library, "-ldl")
	}
	refusing, going := build(false), build(true)
	want, errs, status := tool.OutputWith(t, []string{"FAKE_CHECK=0"}, refusing)
	require.Zero(t, status, errs)
	for env, says := range map[string]string{
		"FAKE_NO_PLATFORM=1":       `there is no OpenCL device; on Debian, pocl-opencl-icd makes one of the CPU`,
		"FAKE_NO_DEVICE=1":         `there is no OpenCL device; on Debian, pocl-opencl-icd makes one of the CPU`,
		"OCL_ICD_VENDORS=/nowhere": `there is no OpenCL device; on Debian, pocl-opencl-icd makes one of the CPU`,
		"FAKE_GROUP=8":             `hexcc_poor_0_phase\d needs work-groups of \d+, and the device has 8`,
		"POCL_MAX_WORK_GROUP_SIZE=8": `hexcc_poor_0_phase\d needs work-groups of \d+, and the device has 8|` +
			`hexcc_poor_0_phase\d needs \d+ work-items along axis 0, and the device has 8`,
		"FAKE_ITEMS=4":        `hexcc_poor_0_phase\d needs \d+ work-items along axis 0, and the device has 4`,
		"FAKE_LOCAL=64":       `hexcc_poor_0_phase\d needs \d+ bytes of local memory, and the device has 64`,
		"FAKE_NO_DOUBLES=1":   `hexcc_poor_0_phase\d needs doubles, and the device has none \(cl_khr_fp64\)`,
		"FAKE_KERNEL_GROUP=2": `the device runs hexcc_poor_0_phase\d in work-groups of 2 at most`,
		"HEXCC_OPENCL_OPTIONS=-D" + strings.Repeat("x", 1000): `HEXCC_OPENCL_OPTIONS is longer than 924 bytes`,
		"FAKE_BUILD=1": `clBuildProgram: CL_BUILD_PROGRAM_FAILURE \(-11\)`,
	} {
		t.Run(env, func(t *testing.T) {
			t.Parallel()
			out, errs, status := tool.OutputWith(t, []string{env}, refusing)
			require.NotZero(t, status)
			require.Empty(t, out)
			require.Regexp(t, `(?m)^\S*poor.hex_kernel.c:\d+: (`+says+`)$`, errs)

			out, errs, status = tool.OutputWith(t, []string{env}, going)
			require.Zero(t, status, errs)
			require.Equal(t, want, out)
			require.Regexp(t, `(?m)^\S*poor.hex_kernel.c:\d+: (`+says+`): the kernels cannot run here$`, errs)
			require.Equal(t, 1, strings.Count(errs, "the kernels cannot run here"), "it is said once")
		})
	}
}

const poor = `
#include <stdio.h>
static void f(int T, int n, double A[restrict 2][n])
{
#pragma scop
  for (int t = 0; t < T; t++)
    for (int i = 1; i < n - 1; i++)
      A[(t + 1) % 2][i] = 0.5 * (A[t % 2][i - 1] + A[t % 2][i + 1]);
#pragma endscop
}
int main(void)
{
  static double A[2][300];
  double s = 0;
  for (int i = 0; i < 300; i++)
    A[0][i] = A[1][i] = i % 31;
  f(11, 300, A);
  f(3, 300, A);
  for (int i = 0; i < 300; i++)
    s += A[1][i] * i;
  printf("%.17g\n", s);
  return 0;
}
`
