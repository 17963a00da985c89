package cuda_test

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
	"github.com/hexcc/hexcc/schedule"
)

// drive compiles a C driver with the translation tr, whose kernels run on the CPU.
func (tr translation) drive(t *testing.T, driver string) (program string) {
	dir := tr.write(t)
	source := filepath.Join(dir, "main.c")
	program = filepath.Join(dir, "main")
	require.NoError(t, os.WriteFile(source, []byte(driver), 0o666))
	tool.Run(t, "gcc", "-x", "c", "-std=c11", "-Wall", "-Wextra", "-Werror", "-I", dir, "-I", "shim", source, "-x", "none",
		tr.buildOnCPU(t, dir), "-lstdc++", "-lm", "-o", program)
	return program
}

// TestFailures makes each call of the CUDA runtime fail in turn, with arrays of the
// host and of the device, timed and not: the function says which, returns its
// error, frees everything, and leaves the arrays as they were, unless the copy back was made before.
func TestFailures(t *testing.T) {
	program := translate(t, "fail", cases.Failing, staged).drive(t, failingMain)
	for way, calls := range map[string]int{"host": 10, "timed": 20} {
		for call := 1; ; call++ {
			require.Less(t, call, 100)
			cmd := exec.Command(program, way)
			cmd.Env = append(os.Environ(), fmt.Sprintf("SHIM_FAIL=%d", call))
			out, err := cmd.CombinedOutput()
			if cmd.ProcessState.ExitCode() == 98 {
				require.Greater(t, call, calls)
				break // there are fewer calls
			}
			require.Error(t, err)
			require.Equal(t, 1, cmd.ProcessState.ExitCode(), "%s", out)
			require.Regexp(t, `^\S*fail.hex_kernel.cu:\d+: (cuda|hexcc_launch)[\w]*(\(.*\)): cudaErrorShim: as told\n$`, string(out))
		}
	}
}

const failingMain = `
#include <stdio.h>
#include <string.h>
#include "fail.hex.h"
int main(int argc, char **argv)
{
  float a[100] = {1}, b[100];
  struct hexcc_times times;
  for (int i = 0; i < 100; i++)
    b[i] = 2;
  int status = argc > 1 && argv[1][0] == 't' ? hexcc_fail_0_timed(3, 100, a, b, &times) : hexcc_fail_0(3, 100, a, b);
  int old = 1, late = status != 0 && (strstr(hexcc_fail_error(), "Synchronize") || strstr(hexcc_fail_error(), "Event") || strstr(hexcc_fail_error(), "Free"));
  for (int i = 1; i < 100; i++)
    old = old && a[i] == 0;
  for (int i = 1; i < 99; i++)
    if (!(status == 0 || late) ? !old : !(old && late) && a[i] != 6) // the copy back is whole, if it was made
      return 2;
  if (status != 0)
    fprintf(stderr, "%s\n", hexcc_fail_error());
  return status != 0;
}
`

// TestNothingToDo checks that without an iteration nothing is called: with every
// call failing, no step and no point succeed.
func TestNothingToDo(t *testing.T) {
	program := translate(t, "fail", cases.Failing, staged).drive(t, `
#include <stdlib.h>
#include "fail.hex.h"
int main(int argc, char **argv)
{
  struct hexcc_times times = {1, 1, 1, 1};
  int T = atoi(argv[argc - 2]), n = atoi(argv[argc - 1]);
  float a[10] = {1}, b[10] = {2};
  return hexcc_fail_0(T, n, a, b) != 0 || hexcc_fail_0_timed(T, n, a, b, &times) != 0 || times.total != 0 ||
         hexcc_fail_0_device(T, n, a, b, 0) != 0;
}
`)
	for args, status := range map[string]int{"0 10": 0, "-3 10": 0, "5 2": 0, "5 0": 0, "0 0": 0, "1 3": 1} {
		cmd := exec.Command(program, strings.Fields(args)...)
		cmd.Env = append(os.Environ(), "SHIM_NO_DEVICE=1")
		out, _ := cmd.CombinedOutput()
		require.Equal(t, status, cmd.ProcessState.ExitCode(), "%s: %s", args, out)
	}
}

// TestDevice calls the function on arrays of the device, in a stream, from C++: two calls follow
// each other without a copy between them, and the planes of pointers that rotate
// lie where the header says.
func TestDevice(t *testing.T) {
	tr := translate(t, "turn", turning, staged)
	require.Contains(t, tr.files.Header, "q to q[N % 3], r to q[(N + 1) % 3], p to q[(N + 2) % 3], where N is T, or 0 if that is less.")
	require.Contains(t, tr.files.Header, "q[0] is what q points to, q[1] is what r points to, q[2] is what p points to.")
	dir := tr.write(t)
	source, program := filepath.Join(dir, "main.cc"), filepath.Join(dir, "main")
	require.NoError(t, os.WriteFile(source, []byte(turningMain), 0o666))
	object := tr.buildOnCPU(t, dir)
	tool.Run(t, "g++", "-std=c++17", "-Wall", "-Wextra", "-Werror", "-U_FORTIFY_SOURCE", "-I", dir, "-I", shimDir(t), source, object, "-o", program)
	tool.Run(t, program)
}

const turning = `
void f(int T, int n, float *restrict p, float *restrict q, float *restrict r)
{
#pragma scop
  for (int t = 0; t < T; t++) {
    for (int i = 1; i < n - 1; i++)
      r[i] = q[i - 1] * 0.5f + p[i] + q[i + 1];
    float *x = p;
    p = q;
    q = r;
    r = x;
  }
#pragma endscop
}
`

const turningMain = `
#include <cuda_runtime.h>
#include "turn.hex.h"
const int n = 77;
static void original(int T, float *p, float *q, float *r)
{
  for (int t = 0; t < T; t++) {
    for (int i = 1; i < n - 1; i++)
      r[i] = q[i - 1] * 0.5f + p[i] + q[i + 1];
    std::swap(p, q);
    std::swap(q, r);
  }
}
int main()
{
  static float a[3][n], b[3][n];
  for (int i = 0; i < 3 * n; i++)
    a[i / n][i % n] = b[i / n][i % n] = i % 17 / 32.0f;
  original(6, a[2], a[0], a[1]);
  float *A = NULL;
  cudaStream_t s;
  if (cudaStreamCreate(&s) != cudaSuccess || cudaMalloc(&A, sizeof b) != cudaSuccess ||
      cudaMemcpyAsync(A, b, sizeof b, cudaMemcpyHostToDevice, s) != cudaSuccess)
    return 1;
  if (hexcc_turn_0_device(3, n, A, s) != 0 || hexcc_turn_0_device(3, n, A, s) != 0) // 3 steps: the planes are back
    return 2;
  if (cudaMemcpyAsync(b, A, sizeof b, cudaMemcpyDeviceToHost, s) != cudaSuccess || cudaStreamSynchronize(s) != cudaSuccess)
    return 3;
  if (cudaFree(A) != cudaSuccess || cudaStreamDestroy(s) != cudaSuccess)
    return 4;
  return memcmp(a, b, sizeof a) == 0 ? 0 : 5;
}
`

// TestNoDevice runs a program where no device is: it stops with a message, or runs
// the original loops, as asked, also where a fact does not hold.
func TestNoDevice(t *testing.T) {
	t.Setenv("SHIM_NO_DEVICE", "1")
	refusing := buildWhole(t, "extent", cases.Extent, hexcc.Options{})
	want, _, _ := tool.Output(t, refusing.original, "9", "100")
	got, errs, status := tool.Output(t, refusing.ours, "9", "100")
	require.Empty(t, got)
	require.Regexp(t, `^\S*extent.hex_kernel.cu:\d+: cudaMalloc\(&dev_A, bytes_A\): cudaErrorNoDevice: no CUDA-capable device is detected\n$`, errs)
	require.NotZero(t, status)

	going := buildOurs(t, "extent", cases.Extent, hexcc.Options{WithoutDevice: true})
	got, errs, status = tool.Output(t, going.ours, "9", "100")
	require.Equal(t, want, got)
	require.Regexp(t, `^\S*extent.hex_kernel.cu:\d+: cudaFuncGetAttributes\(.*\): cudaErrorNoDevice: .*: the kernels cannot run here\n$`, errs)
	require.Zero(t, status)

	strict := buildOurs(t, "extent", cases.Extent, hexcc.Options{WithoutDevice: true, Refuse: true})
	got, _, status = tool.Output(t, strict.ours, "9", "100")
	require.Equal(t, want, got)
	require.Zero(t, status)
	t.Setenv("SHIM_NO_DEVICE", "0")
	got, _, _ = tool.Output(t, strict.ours, "9", "100")
	require.Equal(t, want, got)
	_, errs, status = tool.Output(t, strict.ours, "0", "2000000000")
	require.Contains(t, errs, "it does not hold that n <= 100: the program stops")
	require.NotZero(t, status)
}

// TestSmallDevice runs a program of two regions where a block has less shared memory than the kernels of the
// second ask for: the program stops with a message, or runs the original loops, as asked.
func TestSmallDevice(t *testing.T) {
	tile, err := schedule.ParseSizes("h=3,w0=16,w1=256")
	require.NoError(t, err)
	refusing := buildWhole(t, "large", sharing, hexcc.Options{Tile: tile})
	going := buildOurs(t, "large", sharing, hexcc.Options{Tile: tile, WithoutDevice: true})
	want, _, _ := tool.Output(t, refusing.original)
	for _, w := range []pair{refusing, going} {
		got, errs, status := tool.Output(t, w.ours)
		require.Zero(t, status, errs)
		require.Equal(t, want, got)
	}
	t.Setenv("SHIM_SHARED", "60000")
	_, errs, status := tool.Output(t, refusing.ours)
	call := `^\S*large.hex_kernel.cu:\d+: cudaFuncSetAttribute\(\S*hexcc_large_1_phase0, .*\): cudaErrorShim: as told`
	require.Regexp(t, call+`\n$`, errs)
	require.NotZero(t, status)
	got, errs, status := tool.Output(t, going.ours)
	require.Zero(t, status, errs)
	require.Equal(t, want, got)
	require.Regexp(t, call+`: the kernels cannot run here\n$`, errs, "said once")
}

// sharing has kernels that need 49 to 60 kB of shared memory, and twice that.
const sharing = `
#include <stdio.h>
enum { N = 60 };
static float A[2][N][N];
static double B[2][N][N];
static void first(int T)
{
#pragma scop
  for (int t = 0; t < T; t++)
    for (int i = 1; i < N - 1; i++)
      for (int j = 1; j < N - 1; j++)
        A[(t + 1) % 2][i][j] = 0.25f * (A[t % 2][i - 1][j] + A[t % 2][i + 1][j] + A[t % 2][i][j - 1] + A[t % 2][i][j + 1]);
#pragma endscop
}
static void second(int T)
{
#pragma scop
  for (int t = 0; t < T; t++)
    for (int i = 1; i < N - 1; i++)
      for (int j = 1; j < N - 1; j++)
        B[(t + 1) % 2][i][j] = 0.25 * (B[t % 2][i - 1][j] + B[t % 2][i + 1][j] + B[t % 2][i][j - 1] + B[t % 2][i][j + 1]);
#pragma endscop
}
int main(void)
{
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      A[0][i][j] = A[1][i][j] = (float)(B[0][i][j] = B[1][i][j] = i * j % 17);
  first(8);
  second(9);
  double sum = 0;
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      sum += i * A[0][i][j] + j * B[1][i][j];
  printf("%.17g\n", sum);
  return 0;
}
`
