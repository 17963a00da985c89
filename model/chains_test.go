package model

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/internal/pipeline"
	"github.com/hexcc/hexcc/schedule"
)

// TestFlow compares how many chains the model expects to run at the same time, and until when, with a simulation, tile by tile: for one block, for as
// many as devices hold, and for more than there can be work for; where tiles at the borders take as long as others, and where they take longer.
func TestFlow(t *testing.T) {
	bound := map[string]int{}
	for _, x := range []struct {
		name  string
		sizes schedule.Sizes
		given Typical
	}{
		{"jacobi-1d", schedule.Sizes{H: 3, W: []int64{63}}, Typical{"n": 1 << 14}},
		{"jacobi-2d", schedule.Sizes{H: 6, W: []int64{9, 128}}, Typical{"n": 4096}},
		{"jacobi-2d", schedule.Sizes{H: 7, W: []int64{40, 32}}, Typical{"n": 4000}},
		{"fdtd-2d", schedule.Sizes{H: 7, W: []int64{8, 64}}, Typical{"nx": 4096, "ny": 2048}},
		{"laplacian-3d", schedule.Sizes{H: 2, W: []int64{0, 40, 32}}, nil},
		{"laplacian-3d", schedule.Sizes{H: 3, W: []int64{7, 8, 32}}, nil},
		{"laplacian-3d", schedule.Sizes{H: 1, W: []int64{7, 20, 32}}, Typical{"n": 200}},
		{"heat-3d", schedule.Sizes{H: 1, W: []int64{12, 12, 32}}, nil},
		{"star-3d-2", schedule.Sizes{H: 1, W: []int64{7, 24, 32}}, nil},
		{"heat-4d", schedule.Sizes{H: 0, W: []int64{3, 4, 8, 32}}, nil},
	} {
		p := pipeline.Case(t, x.name)
		for _, steps := range []int64{8, 100, 1000} {
			given := Typical{p.Scop.Params[0].Name: steps}
			for name, v := range x.given {
				given[name] = v
			}
			s, err := newSearch(p.Space, p.Cone, pipeline.Device(t, "sm_90"), given, Asked{})
			require.NoError(t, err)
			tiles, err := schedule.Hybrid(p.Space, p.Cone, x.sizes)
			require.NoError(t, err)
			tiles.Waits = s.chains(tiles)
			require.NotNil(t, tiles.Waits)
			w := *tilesOf(tiles, s.grid).waits
			l := LoadOf(tiles, s.grid)
			require.InEpsilon(t, float64(l.Along), w.Along, 1e-9)
			require.InDelta(t, float64(l.Places), w.Places, 1)
			w.Places, w.Phases = float64(l.Places), float64(2*l.Times) // the simulation runs as many in each time tile
			for _, blocks := range []int{1, 132, 264, 1056} {
				for _, cut := range []float64{0, 3} {
					force := Workforce{Workers: blocks, Cut: cut}
					end := force.SpansWhenReady(*tiles.Waits, l, func(Span) {})
					w.Cut = max(1, cut)
					inner := max(0, w.Along-2) // along others than those at the border
					each := (inner + (w.Along-inner)*w.Cut) / w.Along
					w.Cut /= each
					took, busy := w.run(float64(blocks))
					args := []any{"%s, %v, %d steps, %d blocks, cut tiles %v: %.0f busy until %.0f, in the simulation until %.0f", x.name, x.sizes, steps, blocks, cut, busy, took * each, end}
					t.Logf(args[0].(string), args[1:]...)
					require.Greater(t, took*each, end/1.3, args...)
					require.Less(t, took*each, end*1.3, args...)
					switch {
					case w.period(float64(blocks)) == w.Cut*w.Hop:
						bound["waits"]++
					case float64(blocks) > w.Places:
						bound["blocks, several phases at once"]++
					default:
						bound["blocks, fewer than a phase has chains"]++
					}
				}
			}
		}
	}
	require.Len(t, bound, 3, "%v", bound)
	for what, n := range bound {
		require.Greater(t, n, 20, what)
	}
}
