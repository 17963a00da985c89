package lower_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/gpu/lower"
	"github.com/hexcc/hexcc/internal/pipeline"
	"github.com/hexcc/hexcc/schedule"
)

// TestCounts checks numbers known from enumeration of tiles.
func TestCounts(t *testing.T) {
	two, box := pipeline.Jacobi(2), box3d()
	cases := []struct {
		name                  string
		s                     *schedule.Schedule
		points, loads, stores int64
		fresh                 int64
	}{
		{"jacobi-2d", pipeline.Hexagonal(two, pipeline.Straight(two, 2), 2, 3, 32), 1152, 588, 552, 512},
		{"heat-3d", pipeline.Hexagonal(box, pipeline.Straight(box, 3), 2, 7, 10, 32), 19200, 12736, -1, 11008},
	}
	for _, c := range cases {
		k := lower.NewCounter(c.s.Canonical, pipeline.Device(t, "sm_80"), lower.Options{Strategy: lower.Staged})
		for phase, got := range k.Counts(c.s) {
			rough := k.Rough(c.s, phase)
			require.Equal(t, []int64{got.Points, got.SharedBytes, got.Turns, got.Operations},
				[]int64{rough.Points, rough.SharedBytes, rough.Turns, rough.Operations}, c.name)
			require.Equal(t, c.points, got.Points, c.name)
			require.Equal(t, c.loads, got.Loads, c.name)
			require.Equal(t, c.fresh, got.Fresh, c.name)
			if c.stores >= 0 {
				require.Equal(t, c.stores, got.Stores, c.name)
			}
			t.Log(c.name, got)
		}
	}
	hex := pipeline.Hexagonal(two, pipeline.Straight(two, 2), 5, 5, 256)
	wide := lower.NewCounter(hex.Canonical, pipeline.Device(t, "sm_80"), lower.Options{Strategy: lower.Staged}).Traffic(hex, 0)
	require.InDelta(t, 0.235, float64(wide.Loads)/float64(wide.Points), 0.0005)
}

// TestReuse: with what the tile before left, a full tile of jacobi-2d loads 32
// elements of 16 rows. (Of the 20 rows of the two planes, 4 it computes before it reads them.)
func TestReuse(t *testing.T) {
	two := pipeline.Jacobi(2)
	s := pipeline.Hexagonal(two, pipeline.Straight(two, 2), 2, 3, 32)
	for _, st := range []lower.Strategy{lower.Static, lower.Moved} {
		c := lower.NewCounter(s.Canonical, pipeline.Device(t, "sm_80"), lower.Options{Strategy: st}).Traffic(s, 0)
		require.Equal(t, []int64{512, 512, 552}, []int64{c.Loads, c.Stores, c.Last})
	}
}

// TestSpilled: where many threads leave a thread of a wide stencil few registers, some of the values that it would hold have none.
func TestSpilled(t *testing.T) {
	x := pipeline.Case(t, "poisson-3d")
	k := lower.NewCounter(x.Space, pipeline.Device(t, "sm_90"), lower.Options{Async: true})
	spilled := func(w ...int64) int {
		tiles, err := schedule.HybridTiles(x.Space, x.Cone, schedule.Sizes{H: 2, W: w})
		require.NoError(t, err)
		return k.Traffic(tiles, 0).Spilled
	}
	require.Zero(t, spilled(3, 24, 32), "256 threads")
	require.Positive(t, spilled(4, 33, 32), "352 threads")
}

func BenchmarkTraffic(b *testing.B) {
	box := box3d()
	s := pipeline.Hexagonal(box, pipeline.Straight(box, 3), 2, 7, 10, 32)
	d := pipeline.Device(b, "sm_80")
	k := lower.NewCounter(s.Canonical, d, lower.Options{})
	for b.Loop() {
		k.Traffic(s, 0)
	}
}
