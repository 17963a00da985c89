package ptx_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc"
)

// A whole is a program with a main: as it is, and translated.
type whole struct {
	original, ours string
	files          *hexcc.Result
}

// buildWhole compiles C text with the C compiler in both ways; or translated only,
// with the files of C that have its main.
func buildWhole(t *testing.T, base, text string, o hexcc.Options, mains ...string) whole {
	tools := llvm(t, "sm_80")
	o.Base, o.Target, o.LLC = base, hexcc.PTX, tools.LLC
	res, err := hexcc.Compile(hexcc.Source{Name: base + ".c", Text: []byte(text)}, o)
	require.NoError(t, err)
	dir := t.TempDir()
	path := func(name string) string { return filepath.Join(dir, name) }
	for name, text := range map[string]string{
		base + ".c": text, base + ".hex_host.c": res.PTX.Host, base + ".hex_kernel.c": res.PTX.Loader, base + ".hex.h": res.PTX.Header,
	} {
		require.NoError(t, os.WriteFile(path(name), []byte(text), 0o666))
	}
	if len(mains) == 0 {
		tool(t, "gcc", "-O1", "-ffp-contract=off", "-Wno-unknown-pragmas", path(base+".c"), "-o", path("original"), "-lm")
	}
	for _, std := range []string{"-std=c99", "-std=gnu17"} {
		tool(t, "gcc", std, "-O1", "-Wall", "-Wextra", "-Werror", "-c", path(base+".hex_kernel.c"), "-o", path("kernel.o"))
	}
	args := []string{"-O1", "-ffp-contract=off", "-Wall", "-Wextra", "-Werror", "-I", dir, path(base + ".hex_host.c"), path("kernel.o"), driverObject(t)}
	for i, text := range mains {
		main := path(fmt.Sprintf("main%d.c", i))
		require.NoError(t, os.WriteFile(main, []byte(text), 0o666))
		args = append(args, main)
	}
	tool(t, "gcc", append(args, "-o", path("ours"), "-lm")...)
	return whole{path("original"), path("ours"), res}
}

// TestSeveralRegions runs a program with regions in two functions, with indices of
// two types, against a driver that runs the PTX: it prints what the original prints.
func TestSeveralRegions(t *testing.T) {
	w := buildWhole(t, "several", several, hexcc.Options{})
	want := tool(t, w.original)
	got, errs, status, g := runProgram(t, w.ours, nil)
	require.Empty(t, g.faults)
	require.Empty(t, errs)
	require.Zero(t, status)
	require.Equal(t, want, got)
	require.NotEmpty(t, want)
	require.Equal(t, 1, g.asked[loadModule], "kernels are loaded once")
	require.Empty(t, g.arrays, "all arrays are freed")
}

// TestFailures makes each call of the driver fail in turn: the function says which,
// returns its error, and gives back all that it took.
func TestFailures(t *testing.T) {
	w := buildWhole(t, "fail", failing, hexcc.Options{}, failingMain)
	for call := 1; ; call++ {
		require.Less(t, call, 100)
		_, errs, status, g := runProgram(t, w.ours, []string{fmt.Sprintf("DRIVER_FAIL=%d", call)})
		require.Empty(t, g.faults)
		if status == 0 {
			require.Greater(t, call, 30)
			require.Empty(t, errs)
			return // there are fewer calls
		}
		require.Equal(t, 1, status, "%s", errs)
		require.Regexp(t, `^\S*fail.hex_kernel.c:\d+: cu\w+\(.*\): CUDA_ERROR_TEST: as told\n$`, errs, "call %d", call)
	}
}

// TestOutsideOfFacts runs a program for which what is assumed does not hold: then
// the original loops run, and the driver is not asked.
func TestOutsideOfFacts(t *testing.T) {
	w := buildWhole(t, "facts", facts, hexcc.Options{})
	want := tool(t, w.original)
	got, errs, status, g := runProgram(t, w.ours, nil)
	require.Equal(t, want, got)
	require.Contains(t, errs, "n <= 100: the original loops run instead of the kernels")
	require.Zero(t, status)
	require.Zero(t, g.asked[launchKernel])
}

const several = `
#include <stdio.h>
static float A[2][70][70];
static double B[400], C[400];
static void heat(int T, int n)
{
#pragma scop
  for (int t = 0; t < T; t++)
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        A[(t + 1) % 2][i][j] = 0.25f * (A[t % 2][i - 1][j] + A[t % 2][i + 1][j] + A[t % 2][i][j - 1] + A[t % 2][i][j + 1]);
#pragma endscop
}
static void other(unsigned T, long n, float w, double A[restrict 2][n][n + 1])
{
#pragma scop
  for (unsigned t = 0; t < T; t++)
    for (long i = 1; i < n - 1; i++)
      for (long j = 1; j < n - 1; j++)
        A[(t + 1) % 2][i][j] = w * (A[t % 2][i - 1][j] + A[t % 2][i][j + 1]);
#pragma endscop
}
int main(void)
{
  static double D[2][30][31];
  double s = 0;
  int t, i;
  long m = 377;
  for (i = 0; i < 70 * 70; i++)
    A[0][i / 70][i % 70] = A[1][i / 70][i % 70] = i % 31;
  for (i = 0; i < 400; i++)
    B[i] = i % 17;
  for (i = 0; i < 30 * 31; i++)
    D[0][i / 31][i % 31] = D[1][i / 31][i % 31] = i % 13;
  heat(13, 67);
  other(9, 30, 0.3f, D);
#pragma scop
  for (t = 0; t < 21; t++) {
    for (i = 1; i < m; i++)
      C[i] = 0.5 * (B[i - 1] + B[i + 1]);
    for (i = 1; i < m; i++)
      B[i] = C[i];
  }
#pragma endscop
  for (i = 0; i < 70 * 70; i++)
    s += A[0][i / 70][i % 70] * i;
  for (i = 0; i < 400; i++)
    s += B[i] * i;
  for (i = 0; i < 30 * 31; i++)
    s += D[1][i / 31][i % 31] * i;
  printf("%.17g\n", s);
  return 0;
}
`

const failing = `
void f(int T, int n, float A[restrict n], const float B[restrict n]) {
#pragma scop
  for (int t = 0; t < T; t++)
    for (int i = 1; i < n - 1; i++)
      A[i] = A[i] + 0.5f * B[i - 1] * B[i + 1];
#pragma endscop
}
`

const failingMain = `
#include <stdio.h>
#include "fail.hex.h"
int main(void)
{
  static float a[100] = {1}, b[100] = {2};
  struct hexcc_times times;
  if (hexcc_fail_0_timed(3, 100, a, b, &times) != 0)
    return fprintf(stderr, "%s\n", hexcc_fail_error()), 1;
  return times.kernels != 0.5f;
}
`

const facts = `
#include <stdio.h>
static float A[2][100], B[300];
static void f(int T, int n)
{
  int t, i;
#pragma scop
  for (t = 0; t < T; t++)
    for (i = 1; i < n - 1; i++)
      A[(t + 1) % 2][i] = 0.5f * (A[t % 2][i - 1] + A[t % 2][i + 1]);
#pragma endscop
}
int main(int argc, char **argv)
{
  (void)argv;
  for (int i = 0; i < 100; i++)
    A[0][i] = A[1][i] = i % 7;
  f(1, 100 + argc);
  for (int i = 0; i < 100; i++)
    B[0] += A[0][i] * i + A[1][i];
  printf("%.9g\n", B[0]);
  return 0;
}
`
