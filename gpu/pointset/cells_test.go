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

// TestWholeIntervals has boxes that cut an interval of the grid refused: neither what has such a box nor what lacks it can be said in cells.
func TestWholeIntervals(t *testing.T) {
	g := NewGrid(2, []Box{{[]int64{0, 0}, []int64{3, 5}}, {[]int64{2, 0}, []int64{7, 5}}})
	c := g.None()
	c.Add(Box{[]int64{2, 0}, []int64{3, 5}})
	c.Add(Box{[]int64{9, 0}, []int64{4, 5}}) // none
	require.Equal(t, int64(12), c.Count())
	for _, b := range []Box{{[]int64{1, 0}, []int64{3, 5}}, {[]int64{0, 0}, []int64{4, 5}}, {[]int64{0, 0}, []int64{3, 4}}, {[]int64{0, 0}, []int64{3, 6}}} {
		require.Panics(t, func() { c.Add(b) }, "%v", b)
		require.Panics(t, func() { c.Remove(b) }, "%v", b)
		require.Panics(t, func() { c.AddExcept(b, c) }, "%v", b)
	}
}
