package ptx_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc"
	"github.com/hexcc/hexcc/ctext"
	"github.com/hexcc/hexcc/internal/cases"
	"github.com/hexcc/hexcc/internal/tool"
	"github.com/hexcc/hexcc/internal/whole"
	"github.com/hexcc/hexcc/ptx"
)

// A pair is a program with a main: as it is, and translated.
type pair struct {
	original, ours string
	files          *hexcc.Result
}

// buildWhole compiles C text with the C compiler in both ways; or translated only,
// with the files of C that have its main.
func buildWhole(t *testing.T, base, text string, o hexcc.Options, mains ...string) pair {
	t.Helper()
	tools := llvm(t, "sm_80")
	o.Target, o.LLC = hexcc.PTX, tools.LLC
	res := whole.Compile(t, base, text, o)
	dir := whole.Write(t, append(res.PTX.Named(base), ctext.File{Name: base + ".c", Text: text})...)
	path := func(name string) string { return filepath.Join(dir, name) }
	if len(mains) == 0 {
		tool.Run(t, "gcc", "-O1", "-ffp-contract=off", "-Wno-unknown-pragmas", path(base+".c"), "-o", path("original"), "-lm")
	}
	for _, std := range []string{"-std=c99", "-std=gnu17"} {
		tool.Run(t, "gcc", std, "-O1", "-Wall", "-Wextra", "-Werror", "-c", path(ptx.LoaderFile(base)), "-o", path("kernel.o"))
	}
	args := []string{"-O1", "-ffp-contract=off", "-Wall", "-Wextra", "-Werror", "-I", dir, path(ptx.HostFile(base)), path("kernel.o"), driverObject(t)}
	for i, text := range mains {
		main := path(fmt.Sprintf("main%d.c", i))
		require.NoError(t, os.WriteFile(main, []byte(text), 0o666))
		args = append(args, main)
	}
	tool.Run(t, "gcc", append(args, "-o", path("ours"), "-lm")...)
	return pair{path("original"), path("ours"), res}
}

// TestSeveralRegions runs a program with regions in two functions, with indices of
// two types, against a driver that runs the PTX: it prints what the original prints.
func TestSeveralRegions(t *testing.T) {
	w := buildWhole(t, "several", cases.Several, hexcc.Options{})
	want := tool.Run(t, w.original)
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
	w := buildWhole(t, "fail", cases.Failing, hexcc.Options{}, failingMain)
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

// TestNoDevice makes the driver refuse to begin, and to load the kernels, as one that is older than the PTX
// does: the original loops run where the host may, with a remark; else the program stops.
func TestNoDevice(t *testing.T) {
	going := buildWhole(t, "extent", cases.Extent, hexcc.Options{WithoutDevice: true})
	strict := buildWhole(t, "extent", cases.Extent, hexcc.Options{})
	want := tool.Run(t, going.original, "9", "90")
	for call := 1; call <= 7; call++ { // up to the functions of the module
		env := []string{fmt.Sprintf("DRIVER_FAIL=%d+", call)}
		got, errs, status, g := runProgram(t, going.ours, env, "9", "90")
		require.Zero(t, status, errs)
		require.Equal(t, want, got)
		require.Regexp(t, `^\S*extent.hex_kernel.c:\d+: cu\w+\(.*\): CUDA_ERROR_TEST: as told: the kernels cannot run here\n$`, errs, "call %d", call)
		require.Zero(t, g.asked[launchKernel])
		require.Empty(t, g.arrays)
		got, errs, status, g = runProgram(t, strict.ours, env, "9", "90")
		require.NotZero(t, status)
		require.Empty(t, got)
		require.Contains(t, errs, "CUDA_ERROR_TEST: as told", "call %d", call)
		require.Zero(t, g.asked[launchKernel])
	}
}

// TestOutsideOfFacts runs a program for which what is assumed does not hold: then
// the original loops run, and the driver is not asked.
func TestOutsideOfFacts(t *testing.T) {
	w := buildWhole(t, "extent", cases.Extent, hexcc.Options{})
	want := tool.Run(t, w.original, "1", "101")
	got, errs, status, g := runProgram(t, w.ours, nil, "1", "101")
	require.Equal(t, want, got)
	require.Contains(t, errs, "n <= 100: the original loops run instead of the kernels")
	require.Zero(t, status)
	require.Zero(t, g.asked[launchKernel])
}

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
