package ptx_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc"
	"github.com/hexcc/hexcc/gpu/stream"
	"github.com/hexcc/hexcc/internal/cases"
	"github.com/hexcc/hexcc/internal/oracle"
	"github.com/hexcc/hexcc/internal/whole"
	"github.com/hexcc/hexcc/ptx"
	"github.com/hexcc/hexcc/scop"
)

// This file runs kernels whose rows stream through the registers of a pipeline of warps.

// streaming translates C text to such kernels.
func streaming(t *testing.T, base, text, arch string, shape stream.Shape) *hexcc.Result {
	t.Helper()
	return whole.Compile(t, base, text, hexcc.Options{Target: hexcc.PTX, Kernel: hexcc.Streaming, Pipeline: &shape, Arch: arch, NoAlias: true, LLC: llvm(t, arch).LLC})
}

// streams are cases whose rows stream, with shapes of pipelines.
var streams = []struct {
	base  string
	arch  string
	shape stream.Shape
}{
	{"jacobi-2d", "sm_80", stream.Shape{Columns: 2, Steps: 1, Warps: 2, Period: 1}},
	{"jacobi-2d", "sm_80", stream.Shape{Columns: 4, Steps: 2, Warps: 2, Period: 2}},
	{"jacobi-2d", "sm_80", stream.DefaultShape},
	{"jacobi-2d", "sm_70", stream.Shape{Columns: 3, Steps: 1, Warps: 4, Period: 2}},
	{"box-2d", "sm_80", stream.Shape{Columns: 4, Steps: 2, Warps: 2, Period: 1}},
	{"diffusion-2d", "sm_90", stream.Shape{Columns: 2, Steps: 2, Warps: 2, Period: 2}},
	{"gaussian-2d", "sm_80", stream.Shape{Columns: 4, Steps: 2, Warps: 2, Period: 2}},
	{"gradient-2d", "sm_70", stream.Shape{Columns: 4, Steps: 2, Warps: 2, Period: 1}},
	{"heat-2d", "sm_80", stream.Shape{Columns: 4, Steps: 1, Warps: 4, Period: 1}},
	{"life", "sm_80", stream.Shape{Columns: 4, Steps: 2, Warps: 2, Period: 2}},
	{"poisson-2d", "sm_80", stream.Shape{Columns: 4, Steps: 2, Warps: 2, Period: 3}},
	{"rician-2d", "sm_80", stream.Shape{Columns: 4, Steps: 2, Warps: 4, Period: 1}},
	{"star-2d-2", "sm_80", stream.Shape{Columns: 4, Steps: 2, Warps: 2, Period: 2}},
	{"star-2d-4", "sm_80", stream.Shape{Columns: 8, Steps: 2, Warps: 2, Period: 2}},
	{"tv-2d", "sm_80", stream.Shape{Columns: 4, Steps: 2, Warps: 2, Period: 2}},
	{"wave-2d", "sm_80", stream.Shape{Columns: 4, Steps: 2, Warps: 2, Period: 2}},
}

// TestStreamRuns runs pipelines of several shapes, instruction by instruction, and compares all arrays with those of the original program, bit for bit.
func TestStreamRuns(t *testing.T) {
	for _, c := range streams {
		t.Run(fmt.Sprint(c.base, "/", c.arch, "/", c.shape), func(t *testing.T) {
			t.Parallel()
			res := streaming(t, c.base, cases.Input(t, c.base), c.arch, c.shape)
			trial, err := res.PTX.Trial(0, res.GPU)
			require.NoError(t, err)
			checkStream(t, trial, [][2]int64{{61, 7}, {1, 1}, {3, 2}, {5, 0}, {130, 3}, {11, 12}})
		})
	}
}

// checkStream runs a trial at several extents and numbers of steps.
func checkStream(t *testing.T, trial *ptx.Trial, sizes [][2]int64) {
	t.Helper()
	p := trial.Program.Scop
	original := oracle.CompileC(t, p)
	for i, size := range sizes {
		params, ok := oracle.Sized(p, size[0], size[1])
		if !ok {
			continue
		}
		mem, err := scop.NewMemory(p, params, uint64(i))
		require.NoError(t, err)
		x := oracle.Trial{Before: mem, After: original.Run(t, mem)}
		for seed := range uint64(2) {
			trial.Seed = 10*uint64(i) + seed
			compareRun(t, trial, x, seed)
		}
	}
}
