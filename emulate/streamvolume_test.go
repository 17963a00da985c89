package emulate_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/emulate"
	"github.com/hexcc/hexcc/gpu"
	"github.com/hexcc/hexcc/gpu/proof"
	"github.com/hexcc/hexcc/gpu/stream"
	"github.com/hexcc/hexcc/internal/cases"
	"github.com/hexcc/hexcc/internal/pipeline"
)

// volumeShapes are shapes of small pipelines in three dimensions.
var volumeShapes = []stream.Shape{
	{Columns: 1, Steps: 2, Warps: 2, Period: 1, Lines: 2},
	{Columns: 2, Steps: 1, Warps: 4, Period: 2, Lines: 3},
	{Columns: 1, Steps: 3, Warps: 2, Period: 1, Lines: 5},
	{Columns: 2, Steps: 1, Warps: 2, Period: 1, Lines: 4},
	{Columns: 1, Steps: 2, Warps: 2, Period: 1, Lines: 2, Across: 3},
}

// TestVolumes runs the streams of cases in three dimensions at odd sizes. Cubes that have full turns are large: those are left to the cases whose sides are not equal.
func TestVolumes(t *testing.T) {
	n := 0
	for _, x := range pipeline.Some(t) {
		if len(x.Space.Space) != 3 {
			continue
		}
		n++
		for i, shape := range volumeShapes {
			if i != n%len(volumeShapes) && !cases.Every() {
				continue
			}
			t.Run(fmt.Sprint(x.Name, i), func(t *testing.T) {
				s, why := pipeline.Streaming(t, x.Name, x.Scop, shape)
				if why != "" {
					t.Log(why)
					return
				}
				r := emulate.Request{Program: s.Program, Schedule: s.Schedule, OneVersion: true, Points: 20_000}
				if len(s.Scop.Params) < 4 && !cases.Every() {
					r.Sizes = []emulate.Size{{"T": 7, "n": 13}, {"T": 3, "n": 22}, {"T": 1, "n": 5}, {"T": 2, "n": 3}, {"T": 0, "n": 9}}
				}
				v, err := emulate.Verify(r)
				require.NoError(t, err)
				require.True(t, v.OK(), v)
				t.Log(v)
			})
		}
	}
	require.Positive(t, n)
}

// TestVolumeBorders runs streams of programs in which statements of their own write a plane at a border: the first or the last one, along each dimension.
func TestVolumeBorders(t *testing.T) {
	for d, border := range []string{
		"for (int j = 1; j < m - 1; j++) for (int k = 1; k < l - 1; k++) A[(t + 1) % 2][P][j][k] = 0.5f * A[t % 2][P][j][k];",
		"for (int i = 1; i < n - 1; i++) for (int k = 1; k < l - 1; k++) A[(t + 1) % 2][i][P][k] = 0.5f * A[t % 2][i][P][k];",
		"for (int i = 1; i < n - 1; i++) for (int j = 1; j < m - 1; j++) A[(t + 1) % 2][i][j][P] = 0.5f * A[t % 2][i][j][P];",
	} {
		for _, plane := range []string{"0", []string{"n", "m", "l"}[d] + " - 1"} {
			t.Run(fmt.Sprint(d, plane), func(t *testing.T) {
				t.Parallel()
				text := cases.BorderedVolume(strings.ReplaceAll(border, "P", plane))
				s, why := pipeline.Streaming(t, "border", pipeline.Read(t, "border", text).Scop, stream.Shape{Columns: 1, Steps: 2, Warps: 2, Period: 1, Lines: 3})
				require.Empty(t, why)
				require.Empty(t, proof.Emission(s.Program, s.Loops).Violation)
				r := emulate.Request{Program: s.Program, Schedule: s.Schedule, OneVersion: true, Sizes: []emulate.Size{
					{"T": 9, "n": 11, "m": 13, "l": 45}, {"T": 6, "n": 17, "m": 7, "l": 31}, {"T": 3, "n": 2, "m": 3, "l": 5}, {"T": 2, "n": 1, "m": 2, "l": 9},
				}}
				v, err := emulate.Verify(r)
				require.NoError(t, err)
				require.True(t, v.OK(), v)
			})
		}
	}
}

// TestBehind runs strips that wait for less and less of the strip before. What they read is there as soon as that one has stored what the last beat before they wait again begins to copy;
// a turn less, and there are races.
func TestBehind(t *testing.T) {
	for _, c := range []struct {
		name  string
		shape stream.Shape
	}{
		{"gradient-3d", stream.Shape{Columns: 2, Steps: 2, Warps: 2, Period: 1, Lines: 3}},
		{"heat-3d-27", stream.Shape{Columns: 1, Steps: 1, Warps: 4, Period: 2, Lines: 2}},
	} {
		x := pipeline.Case(t, c.name)
		run := func(less func(p *gpu.Pipeline) int64) *emulate.Report {
			s, why := pipeline.Streaming(t, x.Name, x.Scop, c.shape)
			require.Empty(t, why)
			oftener(s.Program)
			for _, k := range s.Program.Kernels {
				n, _ := k.Stream()
				needed := int64(n.Pipeline.Every - 1 + n.Pipeline.Ahead + n.Pipeline.Period)
				require.GreaterOrEqual(t, n.Behind, needed)
				n.Behind = needed - less(n.Pipeline)
				k.Body[0] = n
			}
			r, d := streamed(t, s.Program, []int64{9, 16, 30, 100}, emulate.Options{Last: true, First: true, Seed: 3})
			if r.OK() {
				require.Zero(t, d.Differ)
			}
			return r
		}
		r := run(func(*gpu.Pipeline) int64 { return 0 })
		require.True(t, r.OK(), "%s: %v", c.name, r.Findings)
		r = run(func(p *gpu.Pipeline) int64 { return int64(p.Every) })
		require.NotZero(t, r.Counts[emulate.BlockRace], c.name)
	}
}

// TestStripsOnWrongMachines runs strips where chains are taken the last first, or where waiting does not show what others have stored.
func TestStripsOnWrongMachines(t *testing.T) {
	x := pipeline.Case(t, "gradient-3d")
	for what, wrong := range emulate.WrongMachines {
		t.Run(what, func(t *testing.T) {
			s, why := pipeline.Streaming(t, x.Name, x.Scop, stream.Shape{Columns: 1, Steps: 2, Warps: 2, Period: 1, Lines: 2})
			require.Empty(t, why)
			wrong.Seed, wrong.First = 5, true
			r, _ := streamed(t, s.Program, []int64{9, 16, 20, 70}, wrong)
			require.False(t, r.OK())
			t.Log(r.Findings[0])
		})
	}
}

// TestVolumeMutants spoils the pipeline of a case in three dimensions.
func TestVolumeMutants(t *testing.T) {
	x := pipeline.Case(t, "gradient-3d")
	for k, mutant := range append(pipeline.StreamMutants(40), pipeline.VolumeMutants()...) {
		if !cases.Due(k, cases.Rounds) {
			continue
		}
		t.Run(mutant.Name, func(t *testing.T) {
			t.Parallel()
			mustFind(t, mutant, func(seed int64) (*gpu.Program, []int64) {
				s, why := pipeline.Streaming(t, x.Name, x.Scop, stream.Shape{Columns: 2, Steps: 2, Warps: 2, Period: 1, Lines: 3})
				require.Empty(t, why)
				oftener(s.Program)
				return s.Program, []int64{9 + seed, 10 + seed, 17 + seed, 131 + seed}
			})
		})
	}
}
