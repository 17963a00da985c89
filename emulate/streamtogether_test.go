package emulate_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/emulate"
	"github.com/hexcc/hexcc/gpu"
	"github.com/hexcc/hexcc/gpu/proof"
	"github.com/hexcc/hexcc/gpu/stream"
	"github.com/hexcc/hexcc/internal/cases"
	"github.com/hexcc/hexcc/internal/pipeline"
	"github.com/hexcc/hexcc/schedule"
	"github.com/hexcc/hexcc/symbolic"
)

// stepsOf returns the kernels of a case of cases.Streams.
func stepsOf(t *testing.T, x cases.Case, shape stream.Shape) *pipeline.Streams {
	t.Helper()
	s, why := pipeline.Streaming(t, x.Name, pipeline.Read(t, x.Name, x.Text).Scop, shape)
	require.Empty(t, why)
	return s
}

// TestStreamsOfSteps proves and runs programs of which a step has several statements.
func TestStreamsOfSteps(t *testing.T) {
	for _, x := range cases.Streams {
		t.Run(x.Name, func(t *testing.T) {
			t.Parallel()
			for _, shape := range streamShapes[:2] {
				s := stepsOf(t, x, shape)
				for _, p := range []schedule.Proof{proof.Emission(s.Program, s.Loops), proof.Pipeline(s.Program, s.Schedule, s.Deps), symbolic.ProveStreams(s.Program, s.Schedule)} {
					require.True(t, p.Holds, p.Text(false))
				}
				v, err := emulate.Verify(emulate.Request{Program: s.Program, Schedule: s.Schedule, OneVersion: true, Points: 20_000, Sizes: []emulate.Size{roomy(s), {"T": 3, "n": 1, "m": 1}, {"T": 5, "n": 2, "m": 3}, {"T": 0, "n": 7, "m": 5}, nil}})
				require.NoError(t, err)
				require.True(t, v.OK(), v)
			}
		})
	}
}

// TestBatchStreams runs rows that need none of each other: problems of one dimension, side by side.
func TestBatchStreams(t *testing.T) {
	s := stepsOf(t, cases.Batch, streamShapes[0])
	for _, p := range []schedule.Proof{proof.Emission(s.Program, s.Loops), proof.Pipeline(s.Program, s.Schedule, s.Deps), symbolic.ProveStreams(s.Program, s.Schedule)} {
		require.True(t, p.Holds, p.Text(false))
	}
	v, err := emulate.Verify(emulate.Request{Program: s.Program, Schedule: s.Schedule, OneVersion: true, Points: 20_000, Sizes: []emulate.Size{roomy(s), {"T": 5, "n": 1, "m": 99}, {"T": 3, "n": 2, "m": 3}}})
	require.NoError(t, err)
	require.True(t, v.OK(), v)
}

// volumeOfSteps are shapes of small pipelines for cases.StreamsOfVolumes, with and without several warps across a strip.
var volumeOfSteps = []stream.Shape{
	{Columns: 1, Steps: 2, Warps: 2, Period: 1, Lines: 2},
	{Columns: 1, Steps: 2, Warps: 2, Period: 1, Lines: 2, Across: 2},
}

// TestVolumesOfSteps is TestStreamsOfSteps in three dimensions.
func TestVolumesOfSteps(t *testing.T) {
	for _, x := range cases.StreamsOfVolumes {
		t.Run(x.Name, func(t *testing.T) {
			t.Parallel()
			for i, shape := range volumeOfSteps {
				s := stepsOf(t, x, shape)
				require.NotEmpty(t, s.Space.Together)
				for _, p := range []schedule.Proof{proof.Emission(s.Program, s.Loops), proof.Pipeline(s.Program, s.Schedule, s.Deps), symbolic.ProveStreams(s.Program, s.Schedule)} {
					require.True(t, p.Holds, p.Text(false))
				}
				sizes := []emulate.Size{{"T": 7, "n": 13, "m": 17, "l": 61}, {"T": 5, "n": 4, "m": 5, "l": 6}, {"T": 3, "n": 2, "m": 1, "l": 3}, {"T": 0, "n": 5, "m": 7, "l": 5}}
				v, err := emulate.Verify(emulate.Request{Program: s.Program, Schedule: s.Schedule, OneVersion: true, Points: 20_000, Sizes: sizes, Seed: uint64(i)})
				require.NoError(t, err)
				require.True(t, v.OK(), v)
			}
		})
	}
}

// TestStreamOrderMutants runs statements of a step that depend on each other in another order: proofs say so, and runs find it.
func TestStreamOrderMutants(t *testing.T) {
	for _, x := range cases.Streams[:3] {
		t.Run(x.Name, func(t *testing.T) {
			t.Parallel()
			s := stepsOf(t, x, stream.Shape{Columns: 2, Steps: 2, Warps: 2, Period: 1})
			swapsAreFound(t, s, roomy(s))
		})
	}
}

// TestVolumeOrderMutants is TestStreamOrderMutants in three dimensions, where other lines of a step may run before and behind.
func TestVolumeOrderMutants(t *testing.T) {
	for i, x := range cases.StreamsOfVolumes {
		t.Run(x.Name, func(t *testing.T) {
			t.Parallel()
			swapsAreFound(t, stepsOf(t, x, volumeOfSteps[i%2]), emulate.Size{"T": 5, "n": 9, "m": 12, "l": 41})
		})
	}
}

// swapsAreFound has two statements of a step, of which one depends on the other, run the other way round in each step and line: proofs say so, and a run finds it.
func swapsAreFound(t *testing.T, s *pipeline.Streams, size emulate.Size) {
	t.Helper()
	require.True(t, proof.Pipeline(s.Program, s.Schedule, s.Deps).Holds)
	pair := s.Space.Together[0]
	swapped := 0
	line := s.Program.Pipeline()
	for i := range line.Stages {
		for _, ops := range line.Stages[i].Beats {
			first := map[string]int{} // by step, as its iterator says, of the present line: where what others depend on is
			for at, op := range ops {
				e, ok := op.(gpu.Evaluate)
				switch {
				case !ok:
				case e.Stmt.Order == pair[0]:
					first[fmt.Sprint(e.Iters[0])] = at
				case e.Stmt.Order == pair[1]:
					k := first[fmt.Sprint(e.Iters[0])]
					ops[k], ops[at] = ops[at], ops[k]
					swapped++
				}
			}
		}
	}
	require.Positive(t, swapped)
	require.False(t, proof.Pipeline(s.Program, s.Schedule, s.Deps).Holds)
	require.Contains(t, proof.Emission(s.Program, s.Loops).Violation, "runs after a statement of a later rank")
	var params []int64
	for _, p := range s.Scop.Params {
		params = append(params, size[p.Name])
	}
	r, d := streamed(t, s.Program, params, emulate.Options{})
	require.True(t, !r.OK() || d.Differ > 0)
}
