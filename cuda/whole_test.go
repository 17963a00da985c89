package cuda_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc"
	"github.com/hexcc/hexcc/cuda"
)

// A whole is a program with a main, built as it is, at -O0 and at -O2, and
// translated, its kernels on the CPU.
type whole struct {
	original, fast, ours string
	files                cuda.Files
}

// buildWhole compiles C text in both ways, with more files and flags for the C compiler.
func buildWhole(t *testing.T, base, text string, o hexcc.Options, more ...string) whole {
	o.Base = base
	res, err := hexcc.Compile(hexcc.Source{Name: base + ".c", Text: []byte(text)}, o)
	require.NoError(t, err)
	tr := translation{scop: res.Scop, names: cuda.Names{Base: base}, files: res.Files}
	dir := tr.write(t)
	source := filepath.Join(dir, base+".c")
	require.NoError(t, os.WriteFile(source, []byte(text), 0o666))
	w := whole{filepath.Join(dir, "original"), filepath.Join(dir, "fast"), filepath.Join(dir, "ours"), res.Files}
	for _, d := range o.Defines {
		more = append(more, "-D"+d)
	}
	for _, d := range o.IncludeDirs {
		more = append(more, "-I", d)
	}
	gcc := func(args ...string) {
		tool(t, "gcc", slices.Concat([]string{"-std=gnu11", "-ffp-contract=off", "-Wno-unused-parameter", "-x", "c"}, args, more, []string{"-lm"})...)
	}
	gcc("-O0", "-w", source, "-o", w.original)
	gcc("-O2", "-w", source, "-o", w.fast)
	more = append(more, "-x", "none", tr.buildOnCPU(t, dir), "-lstdc++")
	gcc("-O1", "-Wall", "-Wextra", "-Werror", "-Wno-unused-but-set-variable", "-I", dir, filepath.Join(dir, tr.names.HostFile()), "-o", w.ours)
	return w
}

// output runs a program and returns what it prints, on stdout and on stderr.
func output(t *testing.T, program string, args ...string) (stdout, stderr string, status int) {
	var out, errs strings.Builder
	cmd := exec.Command(program, args...)
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil {
		require.ErrorAs(t, err, new(*exec.ExitError))
	}
	return out.String(), errs.String(), cmd.ProcessState.ExitCode()
}

// TestSeveralRegions runs a file with regions in two functions, with indices of
// two types and two arrays of one name.
func TestSeveralRegions(t *testing.T) {
	w := buildWhole(t, "several", several, hexcc.Options{})
	want, _, _ := output(t, w.original)
	got, errs, status := output(t, w.ours)
	require.Equal(t, want, got)
	require.Empty(t, errs)
	require.Zero(t, status)
	require.NotEmpty(t, want)
	for _, function := range []string{"hexcc_several_0", "hexcc_several_1", "hexcc_several_2", "hexcc_several_3"} {
		require.Contains(t, w.files.Header, " "+function+"(")
		require.Contains(t, w.files.Host, "("+function+"(")
	}
}

// TestSeveralRegionsCompile compiles the kernel file of several regions with real compilers.
func TestSeveralRegionsCompile(t *testing.T) {
	nvcc := nvcc(t)
	res, err := hexcc.Compile(hexcc.Source{Name: "several.c", Text: []byte(several)}, hexcc.Options{})
	require.NoError(t, err)
	tr := translation{scop: res.Scop, names: cuda.Names{Base: "several"}, files: res.Files}
	dir := tr.write(t)
	kernel := filepath.Join(dir, tr.names.KernelFile())
	tool(t, nvcc, "-O3", "-Werror", "all-warnings", "-Xcompiler", "-Wall,-Wextra,-Werror", "-arch=sm_80", "-c", kernel,
		"-o", filepath.Join(dir, "kernel.o"))
	tool(t, nvrtc(t, nvcc), kernel, "--gpu-architecture=sm_80")
}

const several = `
#include <stdio.h>
static float A[2][90][90];
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
  static double D[2][50][51];
  double s = 0;
  int t, i;
  long m = 377;
  for (i = 0; i < 90 * 90; i++)
    A[0][i / 90][i % 90] = A[1][i / 90][i % 90] = i % 31;
  for (i = 0; i < 400; i++)
    B[i] = i % 17;
  for (i = 0; i < 50 * 51; i++)
    D[0][i / 51][i % 51] = D[1][i / 51][i % 51] = i % 13;
  heat(17, 83);
  other(9, 50, D);
#pragma scop
  for (t = 0; t < 21; t++) {
    for (i = 1; i < m; i++)
      C[i] = 0.5 * (B[i - 1] + B[i + 1]);
    for (i = 1; i < m; i++)
      B[i] = C[i];
  }
#pragma endscop
#pragma scop
  for (t = 0; t < 3; t++)
    for (i = 0; i < 300; i++)
      B[i] = B[i] / 3;
#pragma endscop
  for (i = 0; i < 90 * 90; i++)
    s += A[0][i / 90][i % 90] * i;
  for (i = 0; i < 400; i++)
    s += B[i] * i;
  for (i = 0; i < 50 * 51; i++)
    s += D[1][i / 51][i % 51] * i;
  printf("%.17g\n", s);
  return 0;
}
`

// TestFacts runs programs for which what is assumed holds, and for which it does
// not: then the original loops run, or the program stops.
func TestFacts(t *testing.T) {
	type runs map[string]string // arguments -> what is violated
	for _, c := range []struct {
		name, text string
		o          hexcc.Options
		runs
	}{
		{"extent", extentFact, hexcc.Options{}, runs{
			"9 100": "", "9 77": "", "9 0": "", "0 2000000000": "n <= 100", // no step: no access
		}},
		{"stated", statedFact, hexcc.Options{Assume: []string{"n >= 50 and m <= n and n <= 100", "n >= 1000000000*m - 50000000000"}}, runs{
			"9 60 50": "", "9 49 40": "n >= 50", "9 60 51": "n >= 1000000000*m - 50000000000",
		}},
		{"assert", assertFact, hexcc.Options{}, runs{"9 60": ""}},
		{"apart", apartFact, hexcc.Options{NoAlias: true}, runs{
			"9 100 100": "", "9 100 105": "", "9 100 99": "arrays A and B do not overlap", "9 100 0": "arrays A and B do not overlap",
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			w := buildWhole(t, c.name, c.text, c.o)
			c.o.Refuse = true
			refusing := buildWhole(t, c.name, c.text, c.o)
			for args, violated := range c.runs {
				w.compare(t, c.name, args, violated)
				if violated != "" {
					got, errs, status := output(t, refusing.ours, strings.Fields(args)...)
					require.Empty(t, got)
					require.Contains(t, errs, violated+": the program stops\n")
					require.NotZero(t, status)
				}
			}
			c.o.Refuse, c.o.Unchecked = false, true
			res, err := hexcc.Compile(hexcc.Source{Name: "x.c", Text: []byte(c.text)}, c.o)
			require.NoError(t, err)
			require.NotContains(t, res.Files.Host+res.Files.Header, "_fits")
		})
	}
}

// compare runs w both ways: the output is the same, and stderr says what is violated.
func (w whole) compare(t *testing.T, name, args, violated string) {
	want, _, _ := output(t, w.original, strings.Fields(args)...)
	got, errs, status := output(t, w.ours, strings.Fields(args)...)
	require.Equal(t, want, got, args)
	require.NotEmpty(t, want)
	require.Zero(t, status)
	if violated == "" {
		require.Empty(t, errs, args)
	} else {
		require.Regexp(t, `^`+name+`\.c:\d+: hexcc: it does not hold that `+regexp.QuoteMeta(violated)+`: the original loops run instead of the kernels\n$`, errs)
	}
}

const factMain = `
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
static float A[2][100], B[3000];
static void f(int T, int n, int m, float *A0, float *B0);
int main(int argc, char **argv)
{
  int T = atoi(argv[1]), n = atoi(argv[2]), m = argc > 3 ? atoi(argv[3]) : 0;
  float sum = 0;
  for (int i = 0; i < 100; i++)
    A[0][i] = A[1][i] = i % 7;
  for (int i = 0; i < 3000; i++)
    B[i] = i % 11;
  f(T, n, m, B, B + m);
  f(T, n, m, B, B + m);
  for (int i = 0; i < 100; i++)
    sum += A[0][i] * i;
  for (int i = 0; i < 3000; i++)
    sum += B[i] * i;
  printf("%.9g\n", sum);
  return 0;
}
`

const extentFact = factMain + `
static void f(int T, int n, int m, float *A0, float *B0)
{
  (void)A0;
  (void)B0;
  (void)m;
  int t, i;
#pragma scop
  for (t = 0; t < T; t++)
    for (i = 1; i < n - 1; i++)
      A[(t + 1) % 2][i] = 0.5f * (A[t % 2][i - 1] + A[t % 2][i + 1]);
#pragma endscop
}
`

const statedFact = factMain + `
static void f(int T, int n, int m, float *A0, float *B0)
{
  (void)A0;
  (void)B0;
#pragma scop
  for (int t = 0; t < T; t++)
    for (int i = 1; i < n - 1 && i < m; i++)
      A[(t + 1) % 2][i] = 0.5f * (A[t % 2][i - 1] + A[t % 2][i + 1]);
#pragma endscop
}
`

const assertFact = factMain + `
static void f(int T, int n, int m, float *A0, float *B0)
{
  (void)A0;
  (void)B0;
  (void)m;
  assert(n > 3 && n <= 100);
#pragma scop
  for (int t = 0; t < T; t++)
    for (int i = 1; i < n - 1; i++)
      A[(t + 1) % 2][i] = 0.5f * (A[t % 2][i - 1] + A[t % 2][i + 1]);
#pragma endscop
}
`

const apartFact = factMain + `
static void step(int T, int n, float A[n], float B[n])
{
#pragma scop
  for (int t = 0; t < T; t++) {
    for (int i = 1; i < n - 1; i++)
      B[i] = 0.5f * (A[i - 1] + A[i + 1]);
    for (int i = 1; i < n - 1; i++)
      A[i] = B[i];
  }
#pragma endscop
}
static void f(int T, int n, int m, float *A0, float *B0)
{
  (void)m;
  step(T, n, A0, B0);
}
`
