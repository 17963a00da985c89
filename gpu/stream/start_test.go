package stream_test

import (
	"cmp"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/gpu/stream"
	"github.com/hexcc/hexcc/internal/pipeline"
	"github.com/hexcc/hexcc/schedule"
)

// TestStart: on no grid there is a place for the hexagons that leaves fewer of them with points than the one that is taken; elsewhere there are more of them, on some.
func TestStart(t *testing.T) {
	for _, name := range []string{"laplacian-3d", "heat-3d-27", "star-3d-2"} {
		x := pipeline.Case(t, name)
		s, why := pipeline.Streaming(t, name, x.Scop, stream.Shape{Columns: 2, Steps: 2, Warps: 2, Period: 1, Lines: 4})
		require.Empty(t, why)
		border := int64(1) // columns at each side
		if name == "star-3d-2" {
			border = 2
		}
		width, worse := s.Schedule.Phases[0].Space[0].Stride, map[int64]bool{}
		for n := 2*border + 1; n < 3*width; n++ {
			here := hexagons(s.Schedule, 0, border, n-1-border)
			for by := range width {
				there := hexagons(s.Schedule, by, border, n-1-border)
				require.LessOrEqual(t, here, there, "%s: n = %d, moved by %d", name, n, by)
				if here < there {
					worse[by] = true
				}
			}
		}
		require.True(t, worse[1], "%s: the place to the right of it is as good", name) // where tiles began before they were moved
	}
}

// hexagons returns how many hexagons of a time tile of s, moved by some columns, have points between two columns.
func hexagons(s *schedule.Schedule, by, first, last int64) (n int) {
	for _, ph := range s.Phases {
		d := ph.Space[0]
		for at := d.Offset + by - 8*d.Stride; at <= last+d.Stride; at += d.Stride {
			for a := range d.Lo {
				if at+d.Lo[a] <= last && at+d.Hi[a] >= first {
					n++
					break
				}
			}
		}
	}
	return n
}

// TestStartMovesBothPhases: each point is in one hexagon; if only those of one phase were moved, some would be in none.
func TestStartMovesBothPhases(t *testing.T) {
	x := pipeline.Case(t, "laplacian-3d")
	s, why := pipeline.Streaming(t, x.Name, x.Scop, stream.Shape{Columns: 2, Steps: 2, Warps: 2, Period: 1, Lines: 4})
	require.Empty(t, why)
	require.True(t, once(s.Schedule))
	s.Schedule.Phases[0].Space[0].Offset++
	require.False(t, once(s.Schedule))
}

// once reports whether each column is in one hexagon at each step of a time tile.
func once(s *schedule.Schedule) bool {
	for time := range s.Height {
		for column := range 2 * s.Phases[0].Space[0].Stride {
			n := 0
			for _, ph := range s.Phases {
				d, a := ph.Space[0], (time+ph.TimeShift)%s.Height
				for at := d.Offset - 2*d.Stride; at <= column+d.Stride; at += d.Stride {
					if at+d.Lo[a] <= column && column <= at+d.Hi[a] {
						n++
					}
				}
			}
			if n != 1 {
				return false
			}
		}
	}
	return true
}

// TestTickets: all that a chain waits for is taken before it; not if a phase counted as much as one strip.
func TestTickets(t *testing.T) {
	for _, name := range []string{"laplacian-3d", "heat-3d-27", "star-3d-2"} {
		x := pipeline.Case(t, name)
		s, why := pipeline.Streaming(t, name, x.Scop, stream.Shape{Columns: 2, Steps: 2, Warps: 2, Period: 1, Lines: 4})
		require.Empty(t, why)
		var all []schedule.Link
		for time := range int64(3) {
			for phase := range s.Schedule.Phases {
				for hex := range int64(4) {
					for strip := range int64(6) {
						all = append(all, schedule.Link{Time: time, Phase: phase, At: [3]int64{hex, strip}})
					}
				}
			}
		}
		c := *s.Schedule.Waits
		c.Tickets(all)
		require.True(t, inOrder(c, all), name)
		on := func(l schedule.Link) int64 { return l.Time*2 + int64(l.Phase) + l.At[1] }
		slices.Reverse(all)
		slices.SortStableFunc(all, func(x, y schedule.Link) int { return cmp.Compare(on(x), on(y)) })
		require.False(t, inOrder(c, all), name)
	}
}

// inOrder reports whether all that chains wait for comes before them.
func inOrder(c schedule.Chains, all []schedule.Link) bool {
	for i, x := range all {
		for _, from := range c.Sources(x) {
			if slices.Index(all, from) > i {
				return false
			}
		}
	}
	return true
}
