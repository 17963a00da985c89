package pointset

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestOrdered compares the points of random sets with those of the same sets with their dimensions in another order.
func TestOrdered(t *testing.T) {
	points := func(c Cells, order []int) map[[3]int64]bool {
		seen := map[[3]int64]bool{}
		c.Each(func(b Box) {
			var at [3]int64
			for at[order[0]] = b.Lo[0]; at[order[0]] <= b.Hi[0]; at[order[0]]++ {
				for at[order[1]] = b.Lo[1]; at[order[1]] <= b.Hi[1]; at[order[1]]++ {
					for at[order[2]] = b.Lo[2]; at[order[2]] <= b.Hi[2]; at[order[2]]++ {
						seen[at] = true
					}
				}
			}
		})
		return seen
	}
	r := rand.New(rand.NewPCG(1, 2))
	for range 500 {
		var boxes []Box
		for range 1 + r.IntN(5) {
			b := Box{make([]int64, 3), make([]int64, 3)}
			for d := range b.Lo {
				b.Lo[d] = r.Int64N(7) - 3
				b.Hi[d] = b.Lo[d] + r.Int64N(4)
			}
			boxes = append(boxes, b)
		}
		c, order := CellsOf(3, boxes), r.Perm(3)
		require.Equal(t, points(c, []int{0, 1, 2}), points(c.Ordered(order), order), "%v by %v", boxes, order)
	}
}
