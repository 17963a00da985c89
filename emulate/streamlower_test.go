package emulate_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/emulate"
	"github.com/hexcc/hexcc/gpu"
	"github.com/hexcc/hexcc/gpu/stream"
	"github.com/hexcc/hexcc/internal/cases"
	"github.com/hexcc/hexcc/internal/pipeline"
	"github.com/hexcc/hexcc/scop"
)

// streamShapes are shapes of small pipelines.
var streamShapes = []stream.Shape{
	{Columns: 2, Steps: 2, Warps: 2, Period: 1},
	{Columns: 4, Steps: 2, Warps: 4, Period: 2},
	{Columns: 5, Steps: 3, Warps: 2, Period: 3},
}

// eachStream calls f for the streams of cases, of one shape each unless tests are to try everything.
func eachStream(t *testing.T, f func(t *testing.T, s *pipeline.Streams)) {
	n := 0
	for _, x := range pipeline.Some(t) {
		if len(x.Space.Space) != 2 {
			continue
		}
		n++
		for i, shape := range streamShapes {
			if i != n%len(streamShapes) && !cases.Every() {
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
		height, along := s.Schedule.Height, s.Schedule.Phases[0].Space[1].Lo
		rows, columns := along[0]-along[height-1]+int64(p.Period*(p.Warps+4)+3*p.Turn), s.Schedule.Phases[0].Space[0].Stride*3/2+int64(2*p.Columns)
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
	eachStream(t, runsFullTurns)
}

// runsFullTurns runs streams at odd sizes, one of which has full turns.
func runsFullTurns(t *testing.T, s *pipeline.Streams) {
	t.Helper()
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
}

// TestLags runs streams that wait for less and less. Chains are so far behind each other that all elements of a sector are final when the first of them is copied, so that nothing goes
// wrong even where waits do not empty the caches through which columns come. Behind by the rows of a tile less, that matters; by more, there are races.
func TestLags(t *testing.T) {
	x := pipeline.Case(t, "heat-2d")
	run := func(shorter int64, o emulate.Options) *emulate.Report {
		s, why := pipeline.Streaming(t, x.Name, x.Scop, stream.Shape{Columns: 3, Steps: 3, Warps: 4, Period: 1})
		require.Empty(t, why)
		oftener(s.Program)
		for _, k := range s.Program.Kernels {
			n := k.Body[0].(gpu.Stream)
			n.Lag -= shorter
			k.Body[0] = n
		}
		o.Last, o.First = true, true
		r, d := streamed(t, s.Program, []int64{37, 61, 200}, o)
		if r.OK() {
			require.Zero(t, d.Differ)
		}
		return r
	}
	for _, c := range []struct {
		shorter         int64
		plain, notEmpty emulate.Kind // none: nothing is found
	}{{0, none, none}, {12, none, emulate.Stale}, {15, emulate.BlockRace, emulate.BlockRace}} {
		for i, want := range []emulate.Kind{c.plain, c.notEmpty} {
			r := run(c.shorter, []emulate.Options{{}, emulate.Sticky}[i])
			if want == none {
				require.True(t, r.OK(), "%d: %v", c.shorter, r.Findings)
			} else {
				require.NotZero(t, r.Counts[want], "%d: %v", c.shorter, r.Findings)
			}
		}
	}
}

// none is no kind of finding.
const none = emulate.Kind(255)
