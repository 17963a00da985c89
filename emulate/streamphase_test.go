package emulate_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/emulate"
	"github.com/hexcc/hexcc/gpu/proof"
	"github.com/hexcc/hexcc/gpu/stream"
	"github.com/hexcc/hexcc/internal/pipeline"
	"github.com/hexcc/hexcc/schedule"
	"github.com/hexcc/hexcc/symbolic"
)

// This file runs streams whose phases are launched one after the other, as OpenCL has them: no chain waits.

// TestStreamsInPhases runs and proves the streams of cases so, at odd sizes.
func TestStreamsInPhases(t *testing.T) {
	n, streams := 0, 0
	for _, x := range pipeline.Some(t) {
		if len(x.Space.Space) != 2 {
			continue
		}
		n++
		shape := streamShapes[n%len(streamShapes)]
		s, why := pipeline.StreamingInPhases(t, x.Name, x.Scop, shape)
		if why != "" {
			continue
		}
		streams++
		t.Run(fmt.Sprint(x.Name, shape), func(t *testing.T) {
			t.Parallel()
			require.Nil(t, s.Program.Chains)
			for _, p := range []schedule.Proof{proof.Emission(s.Program, s.Loops), proof.Pipeline(s.Program, s.Schedule, s.Deps), symbolic.ProveStreams(s.Program, s.Schedule)} {
				require.True(t, p.Holds, p.Text(false))
			}
			runsFullTurns(t, s)
		})
	}
	require.Greater(t, streams, n/2)
}

// TestPhasesOfStreams has launches in another order, or several phases in one: each is found by runs, and by the proof of full turns.
func TestPhasesOfStreams(t *testing.T) {
	made := func() *pipeline.Streams {
		x := pipeline.Case(t, "jacobi-2d")
		s, why := pipeline.StreamingInPhases(t, x.Name, x.Scop, stream.Shape{Columns: 3, Steps: 2, Warps: 4, Period: 1})
		require.Empty(t, why)
		return s
	}
	for name, spoil := range map[string]func(s *pipeline.Streams){
		"phases swapped":         func(s *pipeline.Streams) { slices.Reverse(s.Program.Kernels) },
		"the second phase alone": func(s *pipeline.Streams) { s.Program.Kernels = s.Program.Kernels[1:] },
	} {
		t.Run(name, func(t *testing.T) {
			s := made()
			size := roomy(s)
			var params []int64
			for _, p := range s.Scop.Params {
				params = append(params, size[p.Name])
			}
			r, d := streamed(t, s.Program, params, emulate.Options{})
			require.True(t, r.OK(), r.Findings)
			require.Zero(t, d.Differ)
			spoil(s)
			r, d = streamed(t, s.Program, params, emulate.Options{})
			require.True(t, !r.OK() || d.Differ > 0)
			require.False(t, symbolic.ProveStreams(s.Program, s.Schedule).Holds)
		})
	}
}
