package emulate_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/emulate"
	"github.com/hexcc/hexcc/gpu"
	"github.com/hexcc/hexcc/gpu/proof"
	"github.com/hexcc/hexcc/gpu/stream"
	"github.com/hexcc/hexcc/internal/cases"
	"github.com/hexcc/hexcc/internal/pipeline"
)

// fronts returns strips of a case that run by launches of fronts, and those that wait.
func fronts(t *testing.T, name string) (launched, waiting *pipeline.Streams) {
	t.Helper()
	x := pipeline.Case(t, name)
	waiting, why := pipeline.Streaming(t, x.Name, x.Scop, stream.Shape{Columns: 1, Steps: 2, Warps: 2, Period: 1, Lines: 2})
	require.Empty(t, why)
	return waiting.InFronts(t), waiting
}

// TestFronts runs strips by launches of fronts, whose chains run in any order, at sizes at which several time tiles have strips on a front, some of them none.
func TestFronts(t *testing.T) {
	for _, name := range []string{"gradient-3d", "heat-3d-27", "em-3d"} {
		if name != "gradient-3d" && !cases.Every() {
			continue
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			launched, _ := fronts(t, name)
			require.Nil(t, launched.Program.Chains)
			request := emulate.Request{Program: launched.Program, Schedule: launched.Schedule, OneVersion: true, Points: 20_000, Sizes: []emulate.Size{
				{"T": 13, "n": 29, "m": 9, "l": 75}, {"T": 21, "n": 4, "m": 5, "l": 9}, {"T": 1, "n": 17, "m": 5, "l": 130}, {"T": 5, "n": 2, "m": 2, "l": 3}, {"T": 0, "n": 7, "m": 5, "l": 9},
			}}
			v, err := emulate.Verify(request)
			require.NoError(t, err)
			require.True(t, v.OK(), v)
		})
	}
}

// frontMutants are mistakes in which chains a launch runs.
var frontMutants = map[string]func(p *gpu.Program){
	"the last front is not launched":           func(p *gpu.Program) { p.THi = affine.Offset(p.THi, -4) },
	"the first front is not launched":          func(p *gpu.Program) { p.TLo = affine.Offset(p.TLo, 2) },
	"the first time tile is left out":          ofTimes(func(x *gpu.Axis) { x.Lo = affine.MaxOf(x.Lo, affine.Num(1)) }),
	"the last time tile of a front is not run": ofTimes(func(x *gpu.Axis) { x.Hi = affine.Offset(x.Hi, -1) }),
	"a hexagon is left out":                    func(p *gpu.Program) { p.Kernels[1].Grid[1].Lo = affine.Offset(p.Kernels[1].Grid[1].Lo, 1) },
	"strips of a front are others": func(p *gpu.Program) {
		st, _ := p.Kernels[0].Stream()
		st.Line = affine.Offset(st.Line, int64(st.Pipeline.Lines))
		p.Kernels[0].Body[0] = st
	},
	"phases lie on the same front": func(p *gpu.Program) {
		st, _ := p.Kernels[1].Stream()
		n := int64(p.Fronts.Tiles) / 2
		st.Line = affine.Offset(st.Line, n*int64(st.Pipeline.Lines))
		p.Kernels[1].Body[0] = st
	},
}

// ofTimes spoils which time tiles a launch has.
func ofTimes(f func(x *gpu.Axis)) func(p *gpu.Program) {
	return func(p *gpu.Program) { f(&p.Kernels[0].Grid[0]) }
}

// TestFrontMutants spoils launches of fronts: the proof finds each mistake, and so does a run.
func TestFrontMutants(t *testing.T) {
	for what, spoil := range frontMutants {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			launched, waiting := fronts(t, "gradient-3d")
			spoil(launched.Program)
			p := proof.Diagonals(waiting.Program, launched.Program, waiting.Schedule)
			t.Log(p.Violation)
			require.False(t, p.Holds)
			r, d := streamed(t, launched.Program, []int64{9, 12, 9, 75}, emulate.Options{})
			require.True(t, !r.OK() || d.Differ > 0)
		})
	}
	t.Run("diagonals are too narrow", func(t *testing.T) { // of waits that reach further along strips
		launched, waiting := fronts(t, "gradient-3d")
		waits := *waiting.Program.Chains
		waits.Steps = append(waits.Steps[:0:0], waits.Steps...)
		waits.Steps[1].Lo = []int64{waits.Steps[1].Lo[0], -waits.Diagonal()}
		waiting.Program.Chains = &waits
		require.False(t, proof.Diagonals(waiting.Program, launched.Program, waiting.Schedule).Holds)
	})
}
