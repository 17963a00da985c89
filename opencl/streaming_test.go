package opencl_test

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc"
	"github.com/hexcc/hexcc/crun"
	"github.com/hexcc/hexcc/diag"
	"github.com/hexcc/hexcc/gpu/stream"
	"github.com/hexcc/hexcc/internal/cases"
	"github.com/hexcc/hexcc/internal/oracle"
	"github.com/hexcc/hexcc/internal/tool"
	"github.com/hexcc/hexcc/internal/whole"
	"github.com/hexcc/hexcc/opencl"
	"github.com/hexcc/hexcc/scop"
)

// This file runs kernels whose rows stream through the registers of sub-groups, on testdata/lanes.cpp in place of an OpenCL library: PoCL 3.1 has none. Clang
// compiles the kernels as OpenCL C.

// streaming returns options for such kernels, of that shape.
func streaming(columns, steps, warps, period int) hexcc.Options {
	return hexcc.Options{
		NoAlias: true, Strategy: hexcc.Hybrid, Kernel: hexcc.Streaming, Target: hexcc.OpenCL,
		Pipeline: &stream.Shape{Columns: columns, Steps: steps, Warps: warps, Period: period},
	}
}

// clang returns a compiler of OpenCL C. Without one the test is skipped, except in CI, where it fails.
func clang(t *testing.T) string {
	t.Helper()
	for _, name := range []string{os.Getenv("HEXCC_CLANG"), "clang", "clang-19"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	tool.Missing(t, "no clang: set HEXCC_CLANG; kernels whose rows stream are not run")
	return ""
}

// lanes returns testdata/lanes.cpp, compiled.
var lanes = sync.OnceValues(func() (object string, err error) {
	object = filepath.Join(cache, "lanes.o")
	out, err := exec.Command("g++", "-std=c++17", "-O1", "-U_FORTIFY_SOURCE", "-Wall", "-Wextra", "-Werror", "-Wno-ignored-attributes", "-Wno-cast-function-type",
		"-c", "testdata/lanes.cpp", "-o", object).CombinedOutput()
	if err != nil {
		err = fmt.Errorf("%w\n%s", err, out)
	}
	return object, err
})

// compileLanes compiles the kernel file in dir for a device with those extensions, without a warning.
func compileLanes(t *testing.T, dir, base, standard string, extensions ...string) string {
	object := filepath.Join(dir, "lanes_"+base+".o")
	args := []string{"-x", "cl", "-cl-std=" + standard, "-O1", "-cl-no-stdinc", "-Xclang", "-finclude-default-header", "-Xclang", "-cl-ext=+cl_khr_fp64",
		"-Wall", "-Wextra", "-Werror", "-Wno-unused-parameter"}
	for _, x := range extensions {
		args = append(args, "-D"+x+"=1")
	}
	tool.Quiet(t, clang(t), append(args, "-c", filepath.Join(dir, opencl.KernelFile(base)), "-o", object)...)
	return object
}

// onLanes builds tr with a driver for testdata/lanes.cpp.
func (tr translation) onLanes(t *testing.T, extensions ...string) *crun.Binary {
	t.Helper()
	if extensions == nil {
		extensions = []string{"cl_khr_subgroups", "cl_khr_subgroup_shuffle"}
	}
	tool.CXX(t)
	library, err := lanes()
	require.NoError(t, err)
	dir := tr.write(t)
	kernels := compileLanes(t, dir, tr.names.Base, "CL3.0", extensions...)
	program, err := crun.Compile("gcc", t.TempDir(), []*scop.Program{tr.scop}, []byte(tr.files.Host), "-I", dir, tr.object(t, dir), kernels, library, "-rdynamic", "-lstdc++", "-ldl", "-lm")
	require.NoError(t, err)
	return program
}

// wrong runs tr several times, and says what is wrong with its results.
func (tr translation) wrong(t *testing.T, seeds int, trials ...oracle.Trial) string {
	program := tr.onLanes(t)
	for _, x := range trials {
		for seed := range seeds {
			after, says, err := program.Run([]crun.Input{{Memory: x.Before}}, fmt.Sprint("LANES_SEED=", seed))
			if err != nil {
				return fmt.Sprint(err, says)
			}
			if wrong := oracle.Different(x.After, after[0]); wrong != "" {
				return wrong
			}
		}
	}
	return ""
}

// streamed returns a translation whose rows stream.
func streamed(t *testing.T, base, text string, o hexcc.Options) translation {
	t.Helper()
	clang(t)
	tr := translationOf(base, whole.Compile(t, base, text, o))
	require.Contains(t, tr.files.Kernel, "hexcc_shuffle")
	return tr
}

// roomy is a run that has full turns, at sizes near n and so many steps.
func roomy(t *testing.T, tr translation, n, steps int64) oracle.Trial {
	params, ok := oracle.Sized(tr.scop, n, steps)
	require.True(t, ok)
	mem, err := scop.NewMemory(tr.scop, params, 1)
	require.NoError(t, err)
	return oracle.Trial{Before: mem, After: oracle.CompileC(t, tr.scop).Run(t, mem)}
}

// TestStreaming runs cases whose rows stream, in pipelines of several shapes: at sizes of which most tiles are partial, and at one that has full turns.
func TestStreaming(t *testing.T) {
	cases.EachPipeline(t, func(t *testing.T, base string, s [4]int) {
		t.Parallel()
		tr := streamed(t, base, cases.Input(t, base), streaming(s[0], s[1], s[2], s[3]))
		require.Empty(t, tr.wrong(t, 2, append(oracle.Trials(t, tr.scop, 6), roomy(t, tr, 201, 13))...))
	})
}

// TestCasesStream runs all cases whose rows stream, in CI every sixth, as the compiler says which, each in one shape, at sizes that are odd.
func TestCasesStream(t *testing.T) {
	clang(t)
	cases.EachNth(t, 6, 1, func(t *testing.T, base, text string) {
		t.Parallel()
		res, err := hexcc.Compile(hexcc.Source{Name: base + ".c", Text: []byte(text)}, streaming(4, 2, 4, 2))
		var list diag.List
		if errors.As(err, &list) && list[0].Code == "HX216" {
			t.Log(err)
			return
		}
		require.NoError(t, err)
		tr := translationOf(base, res)
		tr.names.Base = base
		require.Empty(t, tr.wrong(t, 1, append(oracle.Trials(t, tr.scop, 4), roomy(t, tr, 277, 19))...))
	})
}

// TestStepsStream runs programs with several statements in a step.
func TestStepsStream(t *testing.T) {
	for i, x := range cases.Streams {
		t.Run(x.Name, func(t *testing.T) {
			t.Parallel()
			tr := streamed(t, fmt.Sprint("steps", i), x.Text, streaming(2, 2, 2, 1))
			require.Empty(t, tr.wrong(t, 1, append(oracle.Trials(t, tr.scop, 6), roomy(t, tr, 201, 13))...))
		})
	}
}

// volumes are pipelines in which cases of three dimensions run: columns, steps, warps, period and lines; and whether their sides differ, so that few points make a full turn.
var volumes = []struct {
	base  string
	shape [5]int
	sides bool
}{
	{"gradient-3d", [5]int{1, 2, 2, 1, 3}, true}, {"heat-3d-27", [5]int{2, 1, 2, 1, 4}, true}, {"em-3d", [5]int{1, 2, 2, 1, 2}, false}, {"poisson-3d", [5]int{2, 1, 4, 2, 3}, true},
	{"wave-3d", [5]int{2, 2, 2, 1, 4}, true}, {"rician-3d", [5]int{2, 2, 2, 1, 4}, true}, {"star-3d-2", [5]int{2, 1, 2, 1, 4}, true}, {"fdtd-3d", [5]int{1, 2, 2, 1, 2}, false},
}

// TestVolumesStream runs cases of three dimensions, front by front: in CI the first, at small sizes. Each of them has full turns with HEXCC_TESTS=all, if its sides differ.
func TestVolumesStream(t *testing.T) {
	for i, x := range volumes {
		if i > 0 && !cases.Every() {
			continue
		}
		t.Run(x.base, func(t *testing.T) {
			t.Parallel()
			o := streaming(x.shape[0], x.shape[1], x.shape[2], x.shape[3])
			o.Pipeline.Lines = x.shape[4]
			tr := streamed(t, x.base, cases.Input(t, x.base), o)
			require.Contains(t, tr.files.Run, "// fronts of tiles")
			trials := oracle.Trials(t, tr.scop, 5)
			if cases.Every() && x.sides && len(tr.scop.Params) == 4 {
				mem, err := scop.NewMemory(tr.scop, []int64{11, 19, 29, 131}, 1)
				require.NoError(t, err)
				trials = append(trials, oracle.Trial{Before: mem, After: oracle.CompileC(t, tr.scop).Run(t, mem)})
			}
			require.Empty(t, tr.wrong(t, 2, trials...))
		})
	}
}

// TestFlatArraysStream builds programs whose arrays have one subscript in the source, or whose borders are parts of their nest, as they are and translated: both print the same.
func TestFlatArraysStream(t *testing.T) {
	for base, large := range map[string][]string{"flat-index-macro": {"9", "211"}, "plain-pointers": {"9", "131"}, "clamped": nil, "base-offsets": nil} {
		if cases.InTurns() && base != "flat-index-macro" {
			continue
		}
		t.Run(base, func(t *testing.T) {
			t.Parallel()
			x := cases.ReadIdiom(t, base)
			o := streaming(2, 2, 2, 1)
			o.NoAlias = false
			tr := streamed(t, base, x.Text, o)
			dir := tr.write(t)
			library, err := lanes()
			require.NoError(t, err)
			ours := tool.Build(t, "gcc", filepath.Join(dir, "ours"), "-Wno-unknown-pragmas", "-I", dir, "-O1", filepath.Join(dir, opencl.HostFile(base)), tr.object(t, dir),
				compileLanes(t, dir, base, "CL3.0", "cl_khr_subgroups", "cl_khr_subgroup_shuffle"), library, "-rdynamic", "-lstdc++", "-ldl")
			plain := tool.Build(t, "gcc", filepath.Join(dir, "plain"), "-Wno-unknown-pragmas", "-O0", x.Path)
			for _, args := range append(x.Runs, large) {
				tool.SameOutput(t, plain, ours, args...)
			}
		})
	}
}

// TestStreamingMutants spoils parts of pipelines, and the order of launches: results are then wrong, or the device says so. In CI every third is tried, with
// HEXCC_TESTS=all each.
func TestStreamingMutants(t *testing.T) {
	small := streamed(t, "jacobi-2d", cases.Input(t, "jacobi-2d"), streaming(2, 2, 2, 2))
	gathers := streamed(t, "jacobi-2d", cases.Input(t, "jacobi-2d"), streaming(3, 2, 4, 1)) // columns of the last row of a sub-group leave through local memory
	trial := roomy(t, small, 201, 13)
	for _, tr := range []translation{small, gathers} {
		require.Empty(t, tr.wrong(t, 3, trial))
	}
	for i, spoil := range [][2]string{
		{`hexcc_pass\(\);`, "(void)0;"},
		{`\+ 31\) % 32`, "+ 30) % 32"},
		{`if \(lane == 0\)`, "if (lane == 1)"},
		{`take != 0`, "take == 77"},
		{`hexcc_load\(float, 2, `, "if (lane == 3) hexcc_load(float, 2, "},
		{`hexcc_hold\(float, 2, `, "if (lane == 77) hexcc_hold(float, 2, "},
		{`some(\d) = .*;`, "some$1 = false;"},
		{`\(int\)\(beside(\d) >> 16\)`, "(int)(1 - (beside$1 >> 16))"},
		{`w->during0 >> \(i_\)`, "w->during0 >> (i_ + 5)"},
		{`rounds\[0\] = `, "rounds[0] = 2 & "},
		{`hexcc_store\(float, 2, `, "if (mask == 77) hexcc_store(float, 2, "},
		{`hexcc_fetch\(\(__local float \*\)`, "if (thread % 7 != 3) hexcc_fetch((__local float *)"},
		{`sub_group_barrier\(CLK_LOCAL_MEM_FENCE\);`, ""},
		{`full \? lane < \d+`, "full ? lane < 3"},
		{`\(true, w, w->row0, w->row2`, "(true, w, w->row2, w->row0"},
		{`hexcc_pass\(\);`, "if (warp == 0) hexcc_pass();"}, // a barrier that not all reach
	} {
		if cases.InTurns() && i%3 != 0 {
			continue // cuda and emulate have such mutants, too
		}
		t.Run(spoil[0]+spoil[1], func(t *testing.T) {
			t.Parallel()
			bad := small
			if strings.Contains(spoil[0], "sub_group_barrier") {
				bad = gathers
			}
			text := bad.files.Kernel
			bad.files.Kernel = regexp.MustCompile(spoil[0]).ReplaceAllString(text, spoil[1])
			require.NotEqual(t, text, bad.files.Kernel)
			require.NotEmpty(t, bad.wrong(t, 3, trial))
		})
	}
	t.Run("phases swapped", func(t *testing.T) {
		t.Parallel()
		bad := small
		bad.files.Run = strings.NewReplacer("clEnqueueNDRangeKernel(queue, kernels[0]", "clEnqueueNDRangeKernel(queue, kernels[1]",
			"clEnqueueNDRangeKernel(queue, kernels[1]", "clEnqueueNDRangeKernel(queue, kernels[0]").Replace(small.files.Run)
		require.NotEqual(t, small.files.Run, bad.files.Run)
		require.NotEmpty(t, bad.wrong(t, 1, trial))
	})
}

// TestStreamingExtensions runs kernels on devices with sub-groups by one extension or another, and requires that compilers of devices with none say so.
func TestStreamingExtensions(t *testing.T) {
	tr := streamed(t, "wave-2d", cases.Input(t, "wave-2d"), streaming(3, 2, 4, 1))
	trial := roomy(t, tr, 201, 13)
	dir := tr.write(t)
	for _, x := range []struct {
		standard   string
		extensions []string
	}{
		{"CL1.2", []string{"cl_intel_subgroups", "cl_intel_required_subgroup_size"}},
		{"CL2.0", []string{"cl_khr_subgroups", "cl_khr_subgroup_shuffle"}},
		{"CL3.0", []string{"cl_khr_subgroups", "cl_khr_subgroup_shuffle", "cl_khr_subgroup_ballot"}},
	} {
		t.Run(x.standard, func(t *testing.T) {
			compileLanes(t, dir, tr.names.Base, x.standard, x.extensions...)
			after, says, err := tr.onLanes(t, x.extensions...).Run([]crun.Input{{Memory: trial.Before}})
			require.NoError(t, err, says)
			require.Empty(t, oracle.Different(trial.After, after[0]))
		})
	}
	out, err := exec.Command(clang(t), "-x", "cl", "-cl-std=CL1.2", "-Xclang", "-cl-ext=-all", "-fsyntax-only", filepath.Join(dir, opencl.KernelFile(tr.names.Base))).CombinedOutput()
	require.Error(t, err)
	require.Contains(t, string(out), "the kernels need sub-groups")
}

// TestWithoutSubGroups runs such kernels on devices that have no sub-groups, or others: each is told in a line.
func TestWithoutSubGroups(t *testing.T) {
	tr := streamed(t, "jacobi-2d", cases.Input(t, "jacobi-2d"), streaming(2, 1, 2, 1))
	program := tr.onLanes(t)
	x := roomy(t, tr, 31, 5)
	for env, says := range map[string]string{
		"LANES_NONE=1":  `hexcc_jacobi_2d_0_phase0 needs sub-groups that exchange values, and the device has none \(cl_khr_subgroup_shuffle or cl_intel_subgroups\); hexcc --kernel=tiles makes kernels that need none`,
		"LANES_SIZE=16": `the device runs hexcc_jacobi_2d_0_phase0 in sub-groups of 16, and it needs 32; hexcc --kernel=tiles`,
		"LANES_SIZE=64": `the device runs hexcc_jacobi_2d_0_phase0 in sub-groups of 64, and it needs 32; hexcc --kernel=tiles`,
	} {
		_, out, err := program.Run([]crun.Input{{Memory: x.Before}}, env)
		require.Error(t, err)
		require.Regexp(t, says, fmt.Sprint(out, err))
	}
}
