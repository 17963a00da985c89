package cuda_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc"
	"github.com/hexcc/hexcc/cuda"
	"github.com/hexcc/hexcc/internal/cases"
	"github.com/hexcc/hexcc/internal/tool"
)

// A pair is a program with a main, built as it is, and translated, its kernels on the CPU.
type pair struct {
	original, ours string
	files          cuda.Files
}

// original builds C text as it is at a level of optimization, with more files and flags for the C compiler.
func original(t *testing.T, base, text, level string, more ...string) (program string) {
	t.Helper()
	dir := t.TempDir()
	source, program := filepath.Join(dir, base+".c"), filepath.Join(dir, "original")
	require.NoError(t, os.WriteFile(source, []byte(text), 0o666))
	buildC(t, slices.Concat([]string{level, "-w", source, "-o", program}, more)...)
	return program
}

func buildC(t *testing.T, args ...string) {
	t.Helper()
	tool.Run(t, "gcc", slices.Concat([]string{"-std=gnu11", "-ffp-contract=off", "-Wno-unused-parameter", "-x", "c"}, args, []string{"-lm"})...)
}

// flagsOf returns the flags for the C compiler that say what o says.
func flagsOf(o hexcc.Options) (flags []string) {
	for _, d := range o.Defines {
		flags = append(flags, "-D"+d)
	}
	for _, d := range o.IncludeDirs {
		flags = append(flags, "-I", d)
	}
	return flags
}

// buildWhole compiles C text in both ways, with more files for the C compiler.
func buildWhole(t *testing.T, base, text string, o hexcc.Options, more ...string) pair {
	t.Helper()
	w := buildOurs(t, base, text, o, more...)
	w.original = original(t, base, text, "-O0", slices.Concat(more, flagsOf(o))...)
	return w
}

// buildOurs is buildWhole without the original.
func buildOurs(t *testing.T, base, text string, o hexcc.Options, more ...string) pair {
	t.Helper()
	tr := compiled(t, base, text, o)
	dir := tr.write(t)
	w := pair{ours: filepath.Join(dir, "ours"), files: tr.files}
	buildC(t, slices.Concat([]string{"-O1", "-Wall", "-Wextra", "-Werror", "-Wno-unused-but-set-variable", "-I", dir,
		filepath.Join(dir, cuda.HostFile(tr.names.Base)), "-o", w.ours}, more, flagsOf(o), []string{"-x", "none", tr.buildOnCPU(t, dir), "-lstdc++"})...)
	return w
}

// TestSeveralRegions runs a file with several regions.
func TestSeveralRegions(t *testing.T) {
	w := buildWhole(t, "several", cases.Several, hexcc.Options{})
	require.Empty(t, tool.SameOutput(t, w.original, w.ours))
	for _, function := range []string{"hexcc_several_0", "hexcc_several_1", "hexcc_several_2", "hexcc_several_3"} {
		require.Contains(t, w.files.Header, " "+function+"(")
		require.Contains(t, w.files.Host, "("+function+"(")
	}
}

// TestSeveralRegionsCompile compiles the kernel file of several regions with real compilers.
func TestSeveralRegionsCompile(t *testing.T) {
	nvcc := tool.NVCC(t)
	tr := compiled(t, "several", cases.Several, hexcc.Options{})
	dir := tr.write(t)
	kernel := filepath.Join(dir, cuda.KernelFile(tr.names.Base))
	tool.Run(t, nvcc, "-O1", "-Werror", "all-warnings", "-Xcompiler", "-Wall,-Wextra,-Werror", "-arch=sm_80", "-Xptxas", "-O0", "-c", kernel,
		"-o", filepath.Join(dir, "kernel.o")) // other tests look at how well
	tool.Run(t, nvrtc(t, nvcc), kernel, "--gpu-architecture=compute_80")
}

// TestFacts runs programs for which what is assumed holds, and for which it does
// not: then the original loops run, or the program stops.
func TestFacts(t *testing.T) {
	type runs map[string]string // arguments -> what is violated
	for _, c := range []struct {
		name, text string
		o          hexcc.Options
		runs
	}{
		{"extent", cases.Extent, hexcc.Options{}, runs{
			"9 100": "", "9 77": "", "9 0": "", "0 2000000000": "n <= 100", // no step: no access
		}},
		{"stated", cases.Stated, hexcc.Options{Assume: []string{"n >= 50 and m <= n and n <= 100", "n >= 1000000000*m - 50000000000"}}, runs{
			"9 60 50": "", "9 49 40": "n >= 50", "9 60 51": "n >= 1000000000*m - 50000000000",
		}},
		{"assert", cases.Assert, hexcc.Options{}, runs{"9 60": ""}},
		{"apart", cases.Apart, hexcc.Options{NoAlias: true}, runs{
			"9 100 100": "", "9 100 105": "", "9 100 99": "arrays A and B do not overlap", "9 100 0": "arrays A and B do not overlap",
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			w := buildWhole(t, c.name, c.text, c.o)
			c.o.Refuse = true
			refusing := buildOurs(t, c.name, c.text, c.o)
			for args, violated := range c.runs {
				w.compare(t, c.name, args, violated)
				if violated != "" {
					got, errs, status := tool.Output(t, refusing.ours, strings.Fields(args)...)
					require.Empty(t, got)
					require.Contains(t, errs, violated+": the program stops\n")
					require.NotZero(t, status)
				}
			}
			c.o.Refuse, c.o.Unchecked = false, true
			files := compiled(t, c.name, c.text, c.o).files
			require.NotContains(t, files.Host+files.Header, "_fits")
		})
	}
}

// compare runs w both ways: the output is the same, and stderr says what is violated.
func (w pair) compare(t *testing.T, name, args, violated string) {
	errs := tool.SameOutput(t, w.original, w.ours, strings.Fields(args)...)
	if violated == "" {
		require.Empty(t, errs, args)
	} else {
		require.Regexp(t, `^`+name+`\.c:\d+: hexcc: it does not hold that `+regexp.QuoteMeta(violated)+`: the original loops run instead of the kernels\n$`, errs)
	}
}
