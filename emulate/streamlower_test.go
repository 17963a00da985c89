package emulate_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/emulate"
	"github.com/hexcc/hexcc/gpu/stream"
	"github.com/hexcc/hexcc/internal/pipeline"
	"github.com/hexcc/hexcc/scop"
)

// streamShapes are shapes of small pipelines.
var streamShapes = []stream.Shape{
	{Columns: 2, Steps: 2, Warps: 2, Period: 1},
	{Columns: 4, Steps: 2, Warps: 4, Period: 2},
	{Columns: 8, Steps: 4, Warps: 2, Period: 1},
}

// eachStream calls f for the streams of cases.
func eachStream(t *testing.T, f func(t *testing.T, s *pipeline.Streams)) {
	for _, x := range pipeline.Some(t) {
		for i, shape := range streamShapes {
			if len(x.Space.Space) != 2 {
				continue
			}
			t.Run(fmt.Sprint(x.Name, i), func(t *testing.T) {
				t.Parallel()
				s, why := pipeline.Streaming(t, x.Name, x.Scop, shape)
				if why != "" {
					t.Log(why)
					return
				}
				f(t, s)
			})
		}
	}
}

// roomy returns a size at which full turns run: steps beyond two tiles, rows for all warps and more turns than one, and as many columns as any tile touches, and its neighbours.
func roomy(s *pipeline.Streams) emulate.Size {
	p := s.Program.Kernels[0].Pipeline()
	size := emulate.Size{}
	a := s.Scop.Stmts[0].Accesses[slices.IndexFunc(s.Scop.Stmts[0].Accesses, func(a *scop.Access) bool { return a.Write })].Array
	bounds := func(e scop.Affine, i int) bool { return i < len(e.Params) && e.Params[i] != 0 }
	last := len(a.Extents) - 1
	for i, v := range s.Scop.Params {
		height := s.Schedule.Height
		rows, columns := height+int64(p.Period*(p.Warps+2)+3*p.Turn), s.Schedule.Phases[0].Space[0].Stride*3/2
		switch of := bounds(a.Extents[last], i); {
		case of && bounds(a.Extents[last-1], i):
			size[v.Name] = max(rows, columns) + 5
		case of:
			size[v.Name] = columns + 6
		case bounds(a.Extents[last-1], i):
			size[v.Name] = rows + 7
		default:
			size[v.Name] = 2*height/int64(s.Space.K) + 5
		}
	}
	return size
}

// TestStreamsOfCases runs the streams of cases at odd sizes.
func TestStreamsOfCases(t *testing.T) {
	eachStream(t, func(t *testing.T, s *pipeline.Streams) {
		r := emulate.Request{Program: s.Program, Schedule: s.Schedule, OneVersion: true, Points: 20_000, Sizes: []emulate.Size{roomy(s), nil}}
		v, err := emulate.Verify(r)
		require.NoError(t, err)
		require.True(t, v.OK(), v)
		full := int64(0)
		for _, x := range v.Trials {
			for _, b := range x.Report.Branches {
				full += b.Then
			}
		}
		t.Logf("%d full turns\n%v", full, v)
		require.Positive(t, full)
	})
}
