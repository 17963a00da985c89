package cuda_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc"
	"github.com/hexcc/hexcc/crun"
	"github.com/hexcc/hexcc/cuda"
	"github.com/hexcc/hexcc/internal/cases"
	"github.com/hexcc/hexcc/internal/oracle"
	"github.com/hexcc/hexcc/internal/pipeline"
	"github.com/hexcc/hexcc/internal/tool"
	"github.com/hexcc/hexcc/scop"
)

// This file runs tiles that start when their data is ready.

// ready is a variant whose tiles do.
func ready(v variant) variant {
	v.Ready = true
	return v
}

// TestReadyRunsOnCPU runs cases with tiles that wait for each other, of time and space or of space alone, in one launch or in one for
// each time tile: in CI one of four, the emulator runs all; with HEXCC_TESTS=all each.
func TestReadyRunsOnCPU(t *testing.T) {
	cases.Each(t, func(t *testing.T, base, text string) {
		t.Parallel()
		if cases.InTurns() && (len(base)%4 != 1 || !cases.Due(len(base)/4, cases.Rounds)) {
			return
		}
		tr := translate(t, base, text, ready(staged))
		require.Contains(t, tr.files.Kernel, "hexcc_await(")
		if len(base)%3 == 0 {
			tr.files.Kernel = inLaunches(t, tr.files.Kernel)
		}
		compareOnCPU(t, tr, 6)
		if len(base)%8 == 1 || cases.Every() {
			compareOnCPU(t, translate(t, base, text, ready(variant{Variant: pipeline.SpaceOnly})), 3)
		}
	})
	for _, o := range others {
		if !cases.Every() && o.base != "jacobi-2d" {
			continue
		}
		t.Run(o.base+"/"+o.Name, func(t *testing.T) {
			t.Parallel()
			compareOnCPU(t, load(t, o.base, ready(o.variant)), 3)
		})
	}
}

// inLaunches returns a kernel file with a launch for each time tile.
func inLaunches(t *testing.T, text string) string {
	few := strings.Replace(text, "(1LL << 18)", "1LL", 1)
	require.NotEqual(t, text, few)
	return few
}

// TestReadyPrograms runs programs that try what the cases do not.
func TestReadyPrograms(t *testing.T) {
	for i, p := range cases.Programs {
		if i%4 != 1 && !cases.Every() {
			continue
		}
		t.Run(p.Name, func(t *testing.T) {
			t.Parallel()
			compareOnCPU(t, translate(t, p.Name, p.Text, ready(staged)), 4)
		})
	}
}

// TestReadyMutants spoils how tiles wait and signal, and how they are taken: results are then wrong, or blocks wait for ever.
func TestReadyMutants(t *testing.T) {
	tr := load(t, "jacobi-2d", ready(variant{Variant: pipeline.Variant{Widths: pipeline.Narrow}}))
	x := largeTrial(t, tr)
	require.Empty(t, runText(t, tr, x, tr.files.Kernel, 6))
	for _, spoil := range [][2]string{
		{`PLACE\(S1\) \+ \d+\)`, "PLACE(S1))"},
		{`\(long long\)S0 - 1, \(long long\)S0,`, "(long long)S0, (long long)S0,"},
		{`\(long long\)S0, \(long long\)S0 \+ 1,`, "(long long)S0, (long long)S0,"},
		{`if \(hexcc_first_thread\(\) && level >= 0\)`, "if (hexcc_first_thread() && level >= 5)"},
		{`\* 2 \+ 1,(\s+)\(long long\)S0 - 1`, "* 2 - 1,$1(long long)S0 - 1"},
		{`HEXCC_PLACE\(S1\)\);`, "HEXCC_ENDED);"},
		{`taken % 2\) \{`, "(taken + 1) % 2) {"},
		{`(hexcc_shared = atomicAdd.*)1ULL`, "${1}2ULL"},
		{`place, place\);`, "place, place - 1);"},
	} {
		t.Run(spoil[0], func(t *testing.T) {
			t.Parallel()
			bad := regexp.MustCompile(spoil[0]).ReplaceAllString(tr.files.Kernel, spoil[1])
			require.NotEqual(t, tr.files.Kernel, bad)
			require.NotEmpty(t, runText(t, tr, x, bad, 6))
		})
	}
}

// runText runs the translation with text for its kernels on the CPU, once for each of so many seeds of the order in which threads run, and says what is wrong of the first that differs from the original or fails ("": none).
func runText(t *testing.T, tr translation, x oracle.Trial, text string, seeds int) string {
	tr.files.Kernel = text
	dir := tr.write(t)
	program, err := crun.Compile("gcc", t.TempDir(), []*scop.Program{tr.scop}, []byte(tr.files.Host), "-I", dir, tr.buildOnCPU(t, dir), "-lstdc++")
	require.NoError(t, err)
	for seed := range seeds {
		after, says, err := program.Run([]crun.Input{{Memory: x.Before}}, fmt.Sprint("SHIM_SEED=", seed))
		if err != nil {
			return fmt.Sprint(err, says)
		}
		if wrong := oracle.Different(x.After, after[0]); wrong != "" {
			return wrong
		}
	}
	return ""
}

// largeTrial is a run of many tiles.
func largeTrial(t *testing.T, tr translation) oracle.Trial { return trialOf(t, tr, 61, 23) }

// trialOf is a run at sizes near n and so many steps, with what gcc's translation of the original leaves.
func trialOf(t *testing.T, tr translation, n, steps int64) oracle.Trial {
	params, ok := oracle.Sized(tr.scop, n, steps)
	require.True(t, ok)
	return trialAt(t, tr, params)
}

// trialAt returns what the program does for values of its parameters.
func trialAt(t *testing.T, tr translation, params []int64) oracle.Trial {
	mem, err := scop.NewMemory(tr.scop, params, 1)
	require.NoError(t, err)
	return oracle.Trial{Before: mem, After: oracle.CompileC(t, tr.scop).Run(t, mem)}
}

// TestReadySeveralRegions runs a file with several regions, each with flags and helpers of its own.
func TestReadySeveralRegions(t *testing.T) {
	w := buildWhole(t, "several", cases.Several, hexcc.Options{Launch: hexcc.Ready})
	require.Empty(t, tool.SameOutput(t, w.original, w.ours))
	require.Contains(t, w.files.Kernel, "hexcc_several_3_chains(")
}

// TestReadyFailures makes each call of the CUDA runtime fail in turn.
func TestReadyFailures(t *testing.T) {
	program := translate(t, "fail", cases.Failing, ready(staged)).drive(t, failingMain)
	for call := 1; ; call++ {
		require.Less(t, call, 100)
		cmd := exec.Command(program, "host")
		cmd.Env = append(os.Environ(), fmt.Sprintf("SHIM_FAIL=%d", call))
		out, err := cmd.CombinedOutput()
		if cmd.ProcessState.ExitCode() == 98 {
			require.Greater(t, call, 15)
			break // there are fewer calls
		}
		require.Error(t, err)
		require.Equal(t, 1, cmd.ProcessState.ExitCode(), "%s", out)
		require.Regexp(t, `^\S*fail.hex_kernel.cu:\d+: (cuda|hexcc_)\w*(\(.*\)): cudaErrorShim: as told\n$`, string(out))
	}
}

// mostReadySpilled are bytes of a thread that may be spilled at the sizes chosen for cases: which chain it is takes registers of its own.
var mostReadySpilled = map[string]int{"jacobi-1d": 0, "jacobi-2d": 16, "heat-3d": 528}

// TestReadyCompiles compiles cases at the tile sizes chosen for them, without a warning and without spilling more than that, and for an old
// architecture. Loads of what tiles write go through memory that others see: none is one of memory that nothing writes.
func TestReadyCompiles(t *testing.T) {
	nvcc := tool.NVCC(t)
	nvrtc := nvrtc(t, nvcc)
	for _, base := range []string{"jacobi-1d", "jacobi-2d", "heat-3d"} {
		t.Run(base, func(t *testing.T) {
			t.Parallel()
			tr := compiled(t, base, cases.Input(t, base), hexcc.Options{NoAlias: true, Strategy: hexcc.Hybrid, Kernel: hexcc.Tiles, Launch: hexcc.Ready})
			dir := tr.write(t)
			acceptHost(t, tr, dir)
			file := filepath.Join(dir, cuda.KernelFile(base))
			out := tool.Run(t, nvcc, "-O3", "-Werror", "all-warnings", "-Xcompiler", "-Wall,-Wextra,-Werror", "-Xptxas", "-v",
				"-arch=sm_80", "--keep", "--keep-dir", dir, "-c", file, "-o", filepath.Join(dir, "kernel.o"))
			require.NotContains(t, out, "warning")
			rows := usages(out)
			require.Len(t, rows, 2, out)
			for _, r := range rows {
				spilled, err := strconv.Atoi(r.spill)
				require.NoError(t, err)
				require.LessOrEqual(t, spilled, mostReadySpilled[base], "%v", r)
			}
			ptx, err := filepath.Glob(filepath.Join(dir, "*.ptx"))
			require.NoError(t, err)
			require.Len(t, ptx, 1)
			text, err := os.ReadFile(ptx[0])
			require.NoError(t, err)
			for _, want := range []string{"ld.acquire.gpu.s64", "st.release.gpu.s64", "cp.async.ca.shared.global"} {
				require.Contains(t, string(text), want)
			}
			require.NotContains(t, string(text), "ld.global.nc")
			if cases.InTurns() && base != "jacobi-1d" {
				return // it takes long for the others
			}
			old := deprecated.ReplaceAllString(tool.Run(t, nvrtc, file, "--gpu-architecture=sm_70", "--ptxas-options=-v"), "")
			require.NotContains(t, old, "warning")
			require.Len(t, usages(old), 2, old)
		})
	}
}
