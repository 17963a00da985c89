package pointset

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestUnion compares the points of random boxes, and of translations of one box, with those that are listed.
func TestUnion(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		dims := 1 + r.IntN(4)
		same := make([]int64, dims)
		for d := range same {
			same[d] = r.Int64N(4)
		}
		boxes := make([]Box, 1+r.IntN(8))
		for i := range boxes {
			b := Box{make([]int64, dims), make([]int64, dims)}
			for d := range dims {
				b.Lo[d] = r.Int64N(7) - 3
				b.Hi[d] = b.Lo[d] + same[d]
				if i%2 == 1 {
					b.Hi[d] = b.Lo[d] + r.Int64N(4)
				}
			}
			boxes[i] = b
		}
		seen := map[[4]int64]bool{}
		for _, b := range boxes {
			var walk func(d int, at [4]int64)
			walk = func(d int, at [4]int64) {
				if d == dims {
					seen[at] = true
					return
				}
				for at[d] = b.Lo[d]; at[d] <= b.Hi[d]; at[d]++ {
					walk(d+1, at)
				}
			}
			walk(0, [4]int64{})
		}
		require.EqualValues(t, len(seen), Union(boxes, 0), "%v", boxes)
	}
}
