package gpu

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestWavefronts has requests whose passes are known.
func TestWavefronts(t *testing.T) {
	for name, c := range map[string]struct {
		size, stride  int64
		lanes         int
		passes, least int64
	}{
		"side by side":      {4, 1, 32, 1, 1},
		"one for all":       {4, 0, 32, 1, 1},
		"every other":       {4, 2, 32, 2, 1},
		"a column of 32":    {4, 32, 32, 32, 1},
		"a column of 33":    {4, 33, 32, 1, 1},
		"nobody":            {4, 1, 0, 0, 0},
		"double":            {8, 1, 32, 2, 2},
		"double, half":      {8, 1, 16, 1, 1},
		"double, column":    {8, 16, 32, 32, 2},
		"double, of 17":     {8, 17, 32, 2, 2},
		"bytes":             {1, 1, 32, 1, 1},
		"bytes, every word": {1, 4, 32, 1, 1},
		"bytes, a column":   {1, 128, 32, 32, 1},
	} {
		var at [warpLanes]int64
		for lane := range at {
			if at[lane] = -1; lane < c.lanes {
				at[lane] = int64(lane) * c.stride * c.size
			}
		}
		passes, least := Wavefronts(&at, c.size)
		require.Equal(t, []int64{c.passes, c.least}, []int64{passes, least}, name)
	}
}

// TestConflictsOfRows: warps that differ by a translation have equal conflicts, so
// those of a row of threads are a part of those of all.
func TestConflictsOfRows(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	some := 0
	for range 300 {
		threads := [3]int{32 * (1 + rng.IntN(2)), 1 + rng.IntN(4), 1}
		shape := []int64{1 + rng.Int64N(9), 1 + rng.Int64N(40), 1 + rng.Int64N(40)}
		p := pattern{axes: []int{-1, rng.IntN(2), -1}, threads: []int64{1, 1 << 20, 1}}
		p.axes[2] = 1 - p.axes[1]
		p.threads[2] = 1 << 20
		size := []int64{4, 8}[rng.IntN(2)]
		row := p.conflicts(threads, shape, size)
		all := int64(0)
		for y := range threads[1] { // each row as the only one, moved
			moved := shape[2] * int64(y)
			if p.axes[2] == 1 {
				moved = int64(y)
			}
			for x := 0; x < threads[0]; x += warpLanes {
				var at [warpLanes]int64
				for lane := range at {
					stride := shape[2]
					if p.axes[2] == 0 {
						stride = 1
					}
					at[lane] = (int64(x+lane)*stride + moved) * size
				}
				passes, least := Wavefronts(&at, size)
				all += passes - least
			}
		}
		require.Equal(t, all, row*int64(threads[1]))
		if row > 0 {
			some++
		}
	}
	require.Greater(t, some, 50)
}
