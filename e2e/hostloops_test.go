package e2e_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/internal/cases"
	"github.com/hexcc/hexcc/internal/gallery"
	"github.com/hexcc/hexcc/internal/tool"
)

var hostRuns = regexp.MustCompile(`(?m)^// RUN (.*)$`)

// TestHostLoops translates each program of testdata/hostloops, whose loops end by values or which gather scalars at each step, for
// the targets whose turn it is (HEXCC_TESTS=all: for all; in CI for programs whose round it is), and runs it: it prints what the original prints, the number of steps and all elements, bit for bit. In
// the last turn hexcc verify runs the kernels, and the program with them.
func TestHostLoops(t *testing.T) {
	hexcc := command(t)
	paths, err := filepath.Glob("../testdata/hostloops/*.c")
	require.NoError(t, err)
	require.NotEmpty(t, paths)
	for i, path := range paths {
		if !cases.Due(i, cases.Rounds) {
			continue
		}
		p := gallery.Program{Name: strings.TrimSuffix(filepath.Base(path), ".c"), Path: path}
		t.Run(p.Name, func(t *testing.T) {
			t.Parallel()
			x := gallerist{T: t, p: p, hexcc: hexcc}.in(i)
			plain := x.build(t.TempDir(), "plain", path)
			text, err := os.ReadFile(path)
			require.NoError(t, err)
			runs := hostRuns.FindStringSubmatch(string(text))
			require.NotNil(t, runs)
			for _, target := range x.targets() {
				program := x.translated(target, nil)
				if program == "" {
					continue
				}
				if target == "openmp" {
					x.noWarnings(path, program)
				}
				for i, run := range strings.Split(runs[1], "|") {
					if i%3 > 0 && !cases.Whole() {
						continue
					}
					errs := tool.SameOutput(t, plain, program, strings.Fields(run)...)
					require.Empty(t, errs, "%s %s", target, run)
				}
			}
			if x.tries(3) {
				all := strings.Split(runs[1], "|")
				tool.Run(t, hexcc, "verify", "-q", "--run="+all[len(all)-1], path)
			}
		})
	}
}

// noWarnings checks that gcc has nothing to warn of in the translation for OpenMP that translated has made program of, if it has not in the original.
func (x gallerist) noWarnings(path, program string) {
	flags := []string{"-std=gnu11", "-fsyntax-only", "-fopenmp", "-Wall", "-Wextra", "-Werror", "-Wno-unknown-pragmas", "-I", filepath.Dir(path)}
	if exec.Command("gcc", append(flags, path)...).Run() != nil {
		return
	}
	made := filepath.Join(filepath.Dir(program), x.p.Name+".hex.c")
	tool.Run(x, "gcc", append(flags, made)...)
}

// TestCheckEvery translates a program whose end #pragma hexcc check has tested after every 16 steps: it runs at most 15 steps more than
// the original, and comes to what the original comes to in as many steps.
func TestCheckEvery(t *testing.T) {
	hexcc := command(t)
	path := "../testdata/hostloops/checked/every.c"
	x := gallerist{T: t, p: gallery.Program{Name: "every", Path: path}, hexcc: hexcc}
	plain := x.build(t.TempDir(), "plain", path)
	steps := func(program string, args ...string) (n int, out string) {
		out, errs, status := tool.OutputWith(t, nil, program, args...)
		require.Zero(t, status, errs)
		require.Empty(t, errs)
		_, err := fmt.Sscanf(out, "%d steps", &n)
		require.NoError(t, err)
		return n, out
	}
	for _, target := range []string{"openmp", "c", "cuda", "opencl"} {
		program := x.translated(target, nil)
		if program == "" {
			continue
		}
		more := 0
		for _, run := range [][3]string{{"0", "20", "0.1"}, {"1", "20", "0.1"}, {"15", "20", "0"}, {"16", "20", "0"}, {"17", "20", "0"}, {"100", "20", "0.004"}, {"100", "33", "0.002"}, {"100", "33", "0.001"}, {"100", "3", "0"}} {
			want, _ := steps(plain, run[:]...)
			got, out := steps(program, run[:]...)
			require.True(t, want <= got && got <= want+15, "%s %v: %d steps, %d in the original", target, run, got, want)
			more += got - want
			_, same := steps(plain, fmt.Sprint(got), run[1], "-1")
			require.True(t, same == out, "%s %v: other elements than after %d steps of the original", target, run, got)
		}
		require.Positive(t, more, "%s: the end was tested after every step", target)
	}
}

// TestSeriesWithoutMemory runs programs whose tables find no memory: the original loops run. Of scalars without a value nothing is read.
func TestSeriesWithoutMemory(t *testing.T) {
	for name, run := range map[string][]string{"time-accumulates": {"25", "33", "4"}, "unset-scalars": {"25", "33"}} {
		path := "../testdata/hostloops/" + name + ".c"
		made := filepath.Join(t.TempDir(), "made")
		tool.Run(t, command(t), "-q", "--target=openmp", "-o", made, path)
		text, err := os.ReadFile(made + ".hex.c")
		require.NoError(t, err)
		require.Contains(t, string(text), "__builtin_realloc(")
		plain := tool.Build(t, "gcc", filepath.Join(t.TempDir(), "plain"), "-w", "-ffp-contract=off", path)
		bare := tool.Build(t, "gcc", filepath.Join(t.TempDir(), "bare"), "-O1", "-Wno-unknown-pragmas", "-Werror=uninitialized", "-ffp-contract=off", "-fopenmp",
			"-D__builtin_realloc(p,n)=((void*)0)", made+".hex.c")
		require.Empty(t, tool.SameOutput(t, plain, bare, run...))
	}
}

// TestPlanesThatAreOne runs a time loop whose variables for numbers of planes begin as two or three of the same: the original nests run.
func TestPlanesThatAreOne(t *testing.T) {
	plain, tiled := builtLoops(t, "zeros-yq-planes-by-index")
	for _, run := range []string{"50 60 3 0 1 1", "50 60 3 1 0 1", "20 30 4 2 2 2"} {
		require.Contains(t, tool.SameOutput(t, plain, tiled, strings.Fields(run)...), "the original loops run", run)
	}
	require.Empty(t, tool.SameOutput(t, plain, tiled, "50", "60", "3", "2", "1", "0"))
}

// builtLoops returns a program of testdata/hostloops as it is, and translated for OpenMP.
func builtLoops(t *testing.T, name string) (plain, tiled string) {
	path := "../testdata/hostloops/" + name + ".c"
	made := filepath.Join(t.TempDir(), "made")
	tool.Run(t, command(t), "-q", "--target=openmp", "-o", made, path)
	plain = tool.Build(t, "gcc", filepath.Join(t.TempDir(), "plain"), "-w", "-ffp-contract=off", path)
	return plain, tool.Build(t, "gcc", filepath.Join(t.TempDir(), "tiled"), "-O2", "-w", "-ffp-contract=off", "-fopenmp", made+".hex.c")
}

// TestSumsInElementsOfAnyPlace runs a program that gathers in elements of arrays where facts do not hold: rows are longer than what is between them, and arrays overlap each other,
// and what is gathered. The original nests run, from what was there before anything was gathered.
func TestSumsInElementsOfAnyPlace(t *testing.T) {
	plain, tiled := builtLoops(t, "zeros-yp-sums-in-elements")
	for _, run := range []string{"30 17 1 5", "30 17 2 5", "100 50 40 4 1", "30 17 20 5 2", "30 17 20 5 3", "64 31 31 3 4", "40 41 42 3 5"} {
		errs := tool.SameOutput(t, plain, tiled, strings.Fields(run)...)
		require.Contains(t, errs, "the original loops run", run)
	}
	require.Empty(t, tool.SameOutput(t, plain, tiled, "0", "0", "0", "3")) // of which OpenCL's host says that an array has less than no rows
}
