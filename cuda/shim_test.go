package cuda_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/internal/oracle"
	"github.com/hexcc/hexcc/scop"
)

// launches finds the launches of a kernel file: name<<<config>>>(args).
var launches = regexp.MustCompile(`(?s)(\w+)<<<(.*?)>>>\((.*?)\);`)

// onCPU returns the kernel file in C++: all of it as it is, but for the launches,
// and the declaration of the shared memory that the launch gives. In CUDA that
// may stand in a namespace and needs no definition; the shim has one outside.
func onCPU(kernel string) string {
	kernel = strings.ReplaceAll(kernel, "extern __shared__ __align__(16) unsigned char hexcc_shared[];", "")
	return launches.ReplaceAllString(kernel, "shim::launch($2, [&] { $1($3); });")
}

// write puts the files of tr into a new folder and returns it.
func (tr translation) write(t *testing.T) string {
	dir := t.TempDir()
	for name, text := range map[string]string{
		tr.names.HeaderFile(): tr.files.Header,
		tr.names.HostFile():   tr.files.Host,
		tr.names.KernelFile(): tr.files.Kernel,
	} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666))
	}
	return dir
}

// buildOnCPU compiles the kernel file with g++ and returns the object file.
// Without g++ the test is skipped, except in CI, where it fails.
func (tr translation) buildOnCPU(t *testing.T, dir string) string {
	if _, err := exec.LookPath("g++"); err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatal("g++ is missing")
		}
		t.Skip("no g++: the printed text is not run on the CPU")
	}
	shim, err := filepath.Abs("testdata/shim")
	require.NoError(t, err)
	source := filepath.Join(dir, "kernel.cc")
	require.NoError(t, os.WriteFile(source, []byte(onCPU(tr.files.Kernel)), 0o666))
	object := filepath.Join(dir, "kernel.o")
	tool(t, "g++", "-std=c++17", "-O1", "-ffp-contract=off", "-Wall", "-Wextra", "-Werror", "-Wno-unknown-pragmas",
		"-fsanitize=bounds,signed-integer-overflow,shift", "-fsanitize-undefined-trap-on-error",
		"-I", shim, "-I", dir, "-c", source, "-o", object)
	return object
}

// tool runs a program that must succeed and say nothing wrong, and returns what it prints.
func tool(t *testing.T, name string, args ...string) string {
	t.Helper()
	out, err := exec.Command(name, args...).CombinedOutput()
	require.NoError(t, err, "%s %v\n%s", name, args, out)
	return string(out)
}

// deep are the cases of three and more dimensions, by the names of their files.
var deep = regexp.MustCompile(`-[34]d\b`)

// TestTextRunsOnCPU compiles what is printed, host file and kernels, and the
// original program with the C compiler of the machine, runs both, and compares all
// arrays bit for bit.
func TestTextRunsOnCPU(t *testing.T) {
	eachCase(t, func(t *testing.T, path string) {
		t.Parallel()
		if name := filepath.Base(path); os.Getenv("CI") != "true" && deep.MatchString(name) && name != "heat-3d.txtar" {
			t.Skip("takes long to compile and run: with CI=true only")
		}
		compareOnCPU(t, load(t, path, staged), 6)
	})
	for _, o := range others {
		t.Run(filepath.Base(o.path)+"/"+o.name, func(t *testing.T) {
			t.Parallel()
			compareOnCPU(t, load(t, o.path, o.variant), 3)
		})
	}
}

// TestSpaceOnlyRunsOnCPU does so with tiles of space alone, of one nest and of several.
func TestSpaceOnlyRunsOnCPU(t *testing.T) {
	for _, name := range []string{"jacobi-1d", "em-2d", "fdtd-2d", "diffusion-2d"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			compareOnCPU(t, load(t, "../testdata/"+name+".txtar", variant{name: "space", spaceOnly: true}), 6)
		})
	}
}

// compareOnCPU runs tr and its original at several sizes.
func compareOnCPU(t *testing.T, tr translation, sizes int) {
	dir := tr.write(t)
	translated := *tr.scop
	translated.Source = []byte(tr.files.Host)
	ours := oracle.CompileC(t, &translated, "-I", dir, tr.buildOnCPU(t, dir), "-lstdc++")
	original := oracle.CompileC(t, tr.scop)
	rng := rand.New(rand.NewPCG(1, 2))
	for i := range sizes {
		params := oracle.RandomParams(tr.scop, rng, i)
		mem, err := scop.NewMemory(tr.scop, params, uint64(i))
		require.NoError(t, err)
		want, got := original.Run(t, mem), ours.Run(t, mem)
		diff := want.Compare(got)
		require.Zero(t, diff.Differ, "%s: %d of %d elements differ; first %s: want %s, got %s",
			mem.Sizes(), diff.Differ, diff.Elements, diff.First, diff.A, diff.B)
	}
}

// TestFailures makes each call of the CUDA runtime fail in turn: the function
// says which, returns its error, and frees everything.
func TestFailures(t *testing.T) {
	tr := translate(t, "fail", failing, staged)
	dir := tr.write(t)
	driver := filepath.Join(dir, "main.c")
	require.NoError(t, os.WriteFile(driver, []byte(failingMain), 0o666))
	program := filepath.Join(dir, "main")
	tool(t, "gcc", "-x", "c", "-std=c11", "-Wall", "-Wextra", "-Werror", "-I", dir, driver, "-x", "none",
		tr.buildOnCPU(t, dir), "-lstdc++", "-lm", "-o", program)
	for call := 1; ; call++ {
		require.Less(t, call, 100)
		cmd := exec.Command(program)
		cmd.Env = append(os.Environ(), fmt.Sprintf("SHIM_FAIL=%d", call))
		out, err := cmd.CombinedOutput()
		if cmd.ProcessState.ExitCode() == 98 {
			require.Greater(t, call, 10)
			return // there are fewer calls
		}
		require.Error(t, err)
		require.Equal(t, 1, cmd.ProcessState.ExitCode(), "%s", out)
		require.Regexp(t, `^\S*kernel.cc:\d+: cuda\w+(\(.*\)): cudaErrorShim: as told\n$`, string(out))
	}
}

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
#include "fail.hex.h"
int main(void)
{
  float a[100] = {1}, b[100] = {2};
  return hexcc_fail_0(3, 100, a, b) != 0;
}
`
