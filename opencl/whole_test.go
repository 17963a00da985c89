package opencl_test

import (
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc"
	"github.com/hexcc/hexcc/internal/oracle"
	"github.com/hexcc/hexcc/scop"
)

var runLine = regexp.MustCompile(`(?m)^// RUN (.*)$`)

// TestIdioms builds each program of testdata/idioms as it is, and with its region
// on the device: both print the same.
func TestIdioms(t *testing.T) {
	needDevice(t)
	paths, err := filepath.Glob("../testdata/idioms/*.c")
	require.NoError(t, err)
	require.NotEmpty(t, paths)
	for _, path := range paths {
		base := strings.TrimSuffix(filepath.Base(path), ".c")
		t.Run(base, func(t *testing.T) {
			t.Parallel()
			text, err := os.ReadFile(path)
			require.NoError(t, err)
			plain, ours := programs(t, base, string(text), hexcc.Options{NoAlias: true})
			runs := strings.Split(string(runLine.FindSubmatch(text)[1]), "|")
			for _, run := range runs[:min(3, len(runs))] {
				want, _, _ := output(t, plain, nil, strings.Fields(run)...)
				got, errs, status := output(t, ours, nil, strings.Fields(run)...)
				require.Equal(t, want, got, run)
				require.Zero(t, status, errs)
			}
		})
	}
}

// programs builds a program as it is and translated.
func programs(t *testing.T, base, text string, o hexcc.Options) (plain, ours string) {
	tr := translate(t, base, text, o)
	dir := tr.write(t)
	source := filepath.Join(dir, base+".c")
	require.NoError(t, os.WriteFile(source, []byte(text), 0o666))
	plain, ours = filepath.Join(dir, "plain"), filepath.Join(dir, "ours")
	flags := []string{"-std=gnu11", "-O2", "-ffp-contract=off", "-Wall", "-Wextra", "-Werror", "-Wno-unknown-pragmas", "-I", dir}
	tool(t, "gcc", append(flags, source, "-lm", "-o", plain)...)
	tool(t, "gcc", append(flags, filepath.Join(dir, tr.names.HostFile()), tr.object(t, dir), "-lOpenCL", "-lm", "-o", ours)...)
	return plain, ours
}

// output runs a program and returns what it prints, on stdout and on stderr.
func output(t *testing.T, program string, env []string, args ...string) (stdout, stderr string, status int) {
	var out, errs strings.Builder
	cmd := exec.Command(program, args...)
	cmd.Stdout, cmd.Stderr = &out, &errs
	cmd.Env = append(os.Environ(), env...)
	if err := cmd.Run(); err != nil {
		require.ErrorAs(t, err, new(*exec.ExitError))
	}
	return out.String(), errs.String(), cmd.ProcessState.ExitCode()
}

// TestSeveral runs two regions whose indices have different types, with an array
// name and helpers in common, and the ways in which a run can fail.
func TestSeveral(t *testing.T) {
	needDevice(t)
	plain, ours := programs(t, "several", several, hexcc.Options{NoAlias: true})
	want, _, _ := output(t, plain, nil)
	got, errs, status := output(t, ours, nil)
	require.Equal(t, want, got)
	require.Empty(t, errs)
	require.Zero(t, status)

	_, errs, status = output(t, ours, []string{"HEXCC_OPENCL_DEVICE=nowhere"})
	require.NotZero(t, status)
	require.Regexp(t, `several.hex_kernel.c:\d+: HEXCC_OPENCL_DEVICE=nowhere names none of the OpenCL devices\n`, errs)
	require.Contains(t, errs, "  0  ")
	_, errs, status = output(t, ours, []string{"HEXCC_OPENCL_OPTIONS=-DT=(("})
	require.NotZero(t, status)
	require.Regexp(t, `several.hex_kernel.c:\d+: clBuildProgram: CL_BUILD_PROGRAM_FAILURE`, errs)
	require.Contains(t, errs, "error: ") // the log

	_, ours = programs(t, "several", several, hexcc.Options{NoAlias: true, WithoutDevice: true})
	got, errs, status = output(t, ours, []string{"HEXCC_OPENCL_DEVICE=nowhere"})
	require.Equal(t, want, got)
	require.Zero(t, status)
	require.Contains(t, errs, "the original loops run instead")
}

const several = `
#include <stdio.h>
static float A[2][50][50];
static void heat(int T, int n)
{
#pragma scop
  for (int t = 0; t < T; t++)
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        A[(t + 1) % 2][i][j] = 0.25f * (A[t % 2][i - 1][j] + A[t % 2][i + 1][j] + A[t % 2][i][j - 1] + A[t % 2][i][j + 1]);
#pragma endscop
}
static void other(int T, long n, double A[restrict 2][n][n + 1])
{
#pragma scop
  for (int t = 0; t < T; t++)
    for (long i = 1; i < n - 1; i++)
      for (long j = 1; j < n - 1; j++)
        A[(t + 1) % 2][i][j] = 0.5 * (A[t % 2][i - 1][j] + A[t % 2][i][j + 1]);
#pragma endscop
}
int main(void)
{
  static double D[2][37][38];
  double s = 0;
  for (int i = 0; i < 50 * 50; i++)
    A[0][i / 50][i % 50] = A[1][i / 50][i % 50] = i % 31;
  for (int i = 0; i < 37 * 38; i++)
    D[0][i / 38][i % 38] = D[1][i / 38][i % 38] = i % 13;
  heat(11, 47);
  other(9, 37, D);
  for (int i = 0; i < 50 * 50; i++)
    s += A[0][i / 50][i % 50] * i;
  for (int i = 0; i < 37 * 38; i++)
    s += D[1][i / 38][i % 38] * i;
  printf("%.17g\n", s);
  return 0;
}
`

// TestMutants checks that wrong text is noticed: without barriers results differ,
// and in another address space the kernels are not built.
func TestMutants(t *testing.T) {
	needDevice(t)
	right := translate(t, "jacobi-1d", input(t, "../testdata/jacobi-1d.txtar"), hexcc.Options{NoAlias: true})
	original := oracle.CompileC(t, right.scop)
	differ := func(old, new string) (n int64) {
		tr := right
		require.Contains(t, tr.files.Run, old)
		tr.files.Run = strings.ReplaceAll(tr.files.Run, old, new)
		ours, rng := tr.build(t), rand.New(rand.NewPCG(1, 2))
		for i := range 4 {
			mem, err := scop.NewMemory(tr.scop, oracle.RandomParams(tr.scop, rng, i), uint64(i))
			require.NoError(t, err)
			n += int64(original.Run(t, mem).Compare(ours.Run(t, mem)).Differ)
		}
		return n
	}
	require.Zero(t, differ("barrier(", "barrier("))
	require.Positive(t, differ("barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);", ";"))

	wrong := strings.Replace(right.files.Kernel, "__local", "__constant", 1)
	_, errs, status := output(t, buildOnly(t, wrong), nil)
	require.NotZero(t, status)
	require.Contains(t, errs, "error: ")
	_, errs, status = output(t, buildOnly(t, right.files.Kernel), nil)
	require.Zero(t, status, errs)
	require.Empty(t, errs, "the kernels compile without a warning")
}

// buildOnly returns a program that builds a kernel file and prints the log.
func buildOnly(t *testing.T, kernels string) string {
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "kernels.cl"), []byte(kernels), 0o666))
	program := filepath.Join(dir, "build")
	tool(t, "gcc", "-DCL_TARGET_OPENCL_VERSION=120", "-DKERNELS=\""+filepath.Join(dir, "kernels.cl")+"\"", "testdata/build.c", "-lOpenCL", "-o", program)
	return program
}

// TestExample builds the examples for OpenCL as their users do.
func TestExample(t *testing.T) {
	needDevice(t)
	dir := t.TempDir()
	require.NoError(t, os.CopyFS(dir, os.DirFS("../examples")))
	run := func(name string, args ...string) string {
		out, err := exec.Command(name, args...).CombinedOutput()
		require.NoError(t, err, "%s %v\n%s", name, args, out)
		return string(out)
	}
	hexcc := filepath.Join(dir, "hexcc")
	run("go", "build", "-o", hexcc, "../cmd/hexcc")
	run("make", "-C", dir, "HEXCC="+hexcc, "opencl")
	run("gcc", "-O2", "-ffp-contract=off", "-w", filepath.Join(dir, "jacobi-2d.c"), "-o", filepath.Join(dir, "plain"))
	want := run(filepath.Join(dir, "plain"), "70", "20")
	require.Equal(t, want, run(filepath.Join(dir, "jacobi-2d.opencl"), "70", "20"))
	require.FileExists(t, filepath.Join(dir, "opencl", "jacobi-2d.d"))
	require.Contains(t, run("make", "-C", dir, "HEXCC="+hexcc, "opencl/jacobi-2d.hex_check"), "hex_check.c")
	require.Contains(t, run(filepath.Join(dir, "opencl", "jacobi-2d.hex_check"), "n=70", "steps=20"), "all equal")
}
