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

// TestStreamRuns runs pipelines of several shapes, instruction by instruction, and compares all arrays with those of the original program, bit for bit.
func TestStreamRuns(t *testing.T) {
	for _, c := range []struct {
		base  string
		arch  string
		shape stream.Shape
	}{
		{"jacobi-2d", "sm_80", stream.Shape{Columns: 2, Steps: 1, Warps: 2, Period: 1}},
		{"jacobi-2d", "sm_80", stream.Shape{Columns: 4, Steps: 2, Warps: 2, Period: 2}},
	} {
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
			got := mem.Clone()
			trial.Seed = 10*uint64(i) + seed
			require.NoError(t, trial.Run(got), mem.Sizes())
			x.Check(t, "PTX", got)
		}
	}
}
