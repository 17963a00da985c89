package emulate_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/emulate"
	"github.com/hexcc/hexcc/gpu"
	"github.com/hexcc/hexcc/gpu/proof"
	"github.com/hexcc/hexcc/gpu/stream"
	"github.com/hexcc/hexcc/internal/cases"
	"github.com/hexcc/hexcc/internal/pipeline"
	"github.com/hexcc/hexcc/symbolic"
)

// acrossShapes are shapes in which several warps lie along a strip, by case.
var acrossShapes = []struct {
	name  string
	shape stream.Shape
}{
	{"laplacian-3d", stream.Shape{Columns: 1, Steps: 2, Warps: 2, Period: 1, Lines: 2, Across: 2}},
	{"gradient-3d", stream.Shape{Columns: 2, Steps: 2, Warps: 2, Period: 1, Lines: 3, Across: 3}},
	{"star-3d-2", stream.Shape{Columns: 2, Steps: 1, Warps: 2, Period: 1, Lines: 4, Across: 2}},
	{"poisson-3d", stream.Shape{Columns: 2, Steps: 1, Warps: 4, Period: 1, Lines: 2, Across: 2}},
	{"wave-3d", stream.Shape{Columns: 2, Steps: 2, Warps: 2, Period: 1, Lines: 4, Across: 2}},
	{"em-3d", stream.Shape{Columns: 1, Steps: 2, Warps: 2, Period: 1, Lines: 2, Across: 4}},
	{"fdtd-3d", stream.Shape{Columns: 1, Steps: 2, Warps: 2, Period: 1, Lines: 2, Across: 2}},
}

// TestAcross runs and proves strips of several warps.
func TestAcross(t *testing.T) {
	for _, c := range acrossShapes {
		t.Run(c.name, func(t *testing.T) {
			x := pipeline.Case(t, c.name)
			s, why := pipeline.Streaming(t, x.Name, x.Scop, c.shape)
			require.Empty(t, why)
			require.Empty(t, proof.Emission(s.Program, s.Loops).Violation)
			order := proof.Pipeline(s.Program, s.Schedule, s.Deps)
			require.True(t, order.Holds, order.Text(false))
			full := symbolic.ProveStreams(s.Program, s.Schedule)
			require.True(t, full.Holds, full.Text(false))
			r := emulate.Request{Program: s.Program, Schedule: s.Schedule, OneVersion: true, Points: 20_000}
			if len(s.Scop.Params) < 4 {
				r.Sizes = []emulate.Size{{"T": 7, "n": 13}, {"T": 3, "n": 22}, {"T": 1, "n": 5}, {"T": 2, "n": 3}, {"T": 0, "n": 9}}
			}
			v, err := emulate.Verify(r)
			require.NoError(t, err)
			require.True(t, v.OK(), v)
			t.Log(v)
		})
	}
}

// TestAcrossMutants spoils the pipeline of a case in which several warps lie along a strip.
func TestAcrossMutants(t *testing.T) {
	x := pipeline.Case(t, "gradient-3d")
	for k, mutant := range append(pipeline.AcrossMutants(), pipeline.VolumeMutants()...) {
		if !cases.Due(k, cases.Rounds) {
			continue
		}
		t.Run(mutant.Name, func(t *testing.T) {
			t.Parallel()
			mustFind(t, mutant, func(seed int64) (*gpu.Program, []int64) {
				s, why := pipeline.Streaming(t, x.Name, x.Scop, stream.Shape{Columns: 2, Steps: 2, Warps: 2, Period: 1, Lines: 2, Across: 2})
				require.Empty(t, why)
				oftener(s.Program)
				return s.Program, []int64{9 + seed, 14 + seed, 17 + seed, 131 + seed}
			})
		})
	}
}
