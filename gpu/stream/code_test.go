package stream_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/gpu"
	"github.com/hexcc/hexcc/gpu/stream"
	"github.com/hexcc/hexcc/internal/pipeline"
)

// TestBeatsOfCode: turns that test in each beat are a loop over one; full ones are straight where that fits what a multiprocessor has near at hand, and steady ones with them where both fit the
// cache. Rows are back behind all beats of a turn in any case.
func TestBeatsOfCode(t *testing.T) {
	for _, c := range []struct {
		name                      string
		shape                     stream.Shape
		turn                      int
		straight, steady, guarded int
	}{
		{"jacobi-2d", stream.Shape{Columns: 8, Steps: 4, Warps: 4, Period: 1}, 3, 3, 3, 1},
		{"jacobi-2d", stream.Shape{Columns: 8, Steps: 4, Warps: 4, Period: 2}, 6, 1, 1, 1},
		{"heat-2d", stream.Shape{Columns: 8, Steps: 4, Warps: 4, Period: 1}, 3, 1, 1, 1},
		{"heat-2d", stream.Shape{Columns: 4, Steps: 4, Warps: 4, Period: 1}, 3, 3, 3, 1},
		{"gradient-2d", stream.Shape{Columns: 8, Steps: 4, Warps: 4, Period: 1}, 3, 1, 1, 1},
		{"gradient-2d", stream.Shape{Columns: 8, Steps: 4, Warps: 4, Period: 1, Code: 3}, 3, 3, 3, 3},
		{"star-2d-4", stream.Shape{Columns: 8, Steps: 1, Warps: 4, Period: 1}, 9, 1, 1, 1},
	} {
		t.Run(fmt.Sprint(c.name, c.shape), func(t *testing.T) {
			x := pipeline.Case(t, c.name)
			s, why := pipeline.Streaming(t, c.name, x.Scop, c.shape)
			require.Empty(t, why)
			p := s.Program.Kernels[0].Pipeline()
			require.Equal(t, []int{c.turn, c.straight, c.steady, c.guarded}, []int{p.Turn, p.Straight, p.Steady, p.Guarded})
			require.Equal(t, 1, p.Final)
			require.Equal(t, c.straight < c.turn, p.Count().Rotated > 0)
			for i := range p.Stages {
				next, ok := p.Next(&p.Stages[i])
				require.True(t, ok)
				require.Empty(t, gpu.Cycles(next, p.Turn))
				moved := slices.Concat(gpu.Cycles(next, 1)...)
				slices.Sort(moved)
				require.Equal(t, slices.Compact(slices.Clone(moved)), moved, "a row is in one cycle")
			}
		})
	}
}

// TestNextOfOthers: beats that differ in more than rows and slots are not run by the code of one, and a pipeline that says so is not valid.
func TestNextOfOthers(t *testing.T) {
	x := pipeline.Case(t, "jacobi-2d")
	s, why := pipeline.Streaming(t, x.Name, x.Scop, stream.Shape{Columns: 2, Steps: 2, Warps: 2, Period: 1})
	require.Empty(t, why)
	p := s.Program.Kernels[0].Pipeline()
	for name, spoil := range map[string]func(op gpu.WarpOp) gpu.WarpOp{
		"a slot": func(op gpu.WarpOp) gpu.WarpOp {
			if x, ok := op.(gpu.ReadRow); ok {
				x.Slot = (x.Slot + 1) % p.Slots
				return x
			}
			return op
		},
		"columns": func(op gpu.WarpOp) gpu.WarpOp {
			if x, ok := op.(gpu.Exchange); ok {
				x.Left++
				return x
			}
			return op
		},
		"a row": func(op gpu.WarpOp) gpu.WarpOp {
			if x, ok := op.(gpu.WriteRow); ok {
				x.Row = 0
				return x
			}
			return op
		},
	} {
		t.Run(name, func(t *testing.T) {
			st := p.Stages[0]
			st.Beats = slices.Clone(st.Beats)
			st.Beats[1] = slices.Clone(st.Beats[1])
			for i, op := range st.Beats[1] {
				st.Beats[1][i] = spoil(op)
			}
			_, ok := p.Next(&st)
			require.False(t, ok)
			_, ok = p.Next(&p.Stages[0])
			require.True(t, ok)
			other := *p
			other.Stages = slices.Clone(p.Stages)
			other.Stages[0] = st
			program := *s.Program
			program.Kernels = nil
			for _, k := range s.Program.Kernels {
				with, from := *k, k.Body[0].(gpu.Stream)
				from.Pipeline = &other
				with.Body = []gpu.Node{from}
				program.Kernels = append(program.Kernels, &with)
			}
			require.Error(t, program.Verify())
		})
	}
}
