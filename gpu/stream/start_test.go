package stream_test

import (
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
