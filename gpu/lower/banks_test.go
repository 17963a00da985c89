package lower

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/machine"
)

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
			for x := 0; x < threads[0]; x += machine.WarpLanes {
				var at [machine.WarpLanes]int64
				for lane := range at {
					stride := shape[2]
					if p.axes[2] == 0 {
						stride = 1
					}
					at[lane] = (int64(x+lane)*stride + moved) * size
				}
				passes, least := machine.Wavefronts(&at, size)
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
