package gpu

import (
	"slices"
)

// A box is the points lo <= x <= hi, by dimension.
type box struct{ lo, hi []int64 }

// count returns the number of points of b.
func (b box) count() int64 {
	n := int64(1)
	for d := range b.lo {
		n *= max(0, b.hi[d]-b.lo[d]+1)
	}
	return n
}

// meets reports whether b and c have a common point.
func (b box) meets(c box) bool {
	for d := range b.lo {
		if b.hi[d] < c.lo[d] || c.hi[d] < b.lo[d] {
			return false
		}
	}
	return true
}

// shift returns b moved by k in dimension d.
func (b box) shift(d int, k int64) box {
	lo, hi := slices.Clone(b.lo), slices.Clone(b.hi)
	lo[d] += k
	hi[d] += k
	return box{lo, hi}
}

// A grid cuts each dimension into intervals cuts[i] .. cuts[i+1]-1, so that
// each box it was made for is a union of products of intervals.
type grid struct {
	cuts  [][]int64
	steps []int // distance in cells.in of neighbours in each dimension
	size  int
}

// newGrid returns the coarsest grid for the boxes of dims dimensions.
func newGrid(dims int, boxes []box) *grid {
	g := &grid{cuts: make([][]int64, dims), steps: make([]int, dims), size: 1}
	for d := dims - 1; d >= 0; d-- {
		var at []int64
		for _, b := range boxes {
			at = append(at, b.lo[d], b.hi[d]+1)
		}
		slices.Sort(at)
		g.cuts[d] = slices.Compact(at)
		g.steps[d] = g.size
		g.size *= max(0, len(g.cuts[d])-1)
	}
	return g
}

// cells is a set of points of a grid: all of an interval product or none of it.
type cells struct {
	grid *grid
	in   []bool
}

func (g *grid) none() cells { return cells{g, make([]bool, g.size)} }

// fill calls set for each element of in that b covers.
func (g *grid) fill(b box, set func(i int)) {
	var walk func(d, at int)
	walk = func(d, at int) {
		if d == len(g.cuts) {
			set(at)
			return
		}
		k, _ := slices.BinarySearch(g.cuts[d], b.lo[d])
		for ; k < len(g.cuts[d])-1 && g.cuts[d][k] <= b.hi[d]; k++ {
			walk(d+1, at+k*g.steps[d])
		}
	}
	walk(0, 0)
}

// add puts the points of b in c, and returns c. It changes c.
func (c cells) add(b box) cells {
	c.grid.fill(b, func(i int) { c.in[i] = true })
	return c
}

// addExcept puts the points of b that are not in d in c. It changes c.
func (c cells) addExcept(b box, d cells) {
	c.grid.fill(b, func(i int) { c.in[i] = c.in[i] || !d.in[i] })
}

// each calls f with every interval product in c, outermost dimension first.
func (c cells) each(f func(b box)) {
	dims := len(c.grid.cuts)
	b := box{make([]int64, dims), make([]int64, dims)}
	var walk func(d, at int)
	walk = func(d, at int) {
		if d == dims {
			if c.in[at] {
				f(b)
			}
			return
		}
		cuts := c.grid.cuts[d]
		for k := range len(cuts) - 1 {
			b.lo[d], b.hi[d] = cuts[k], cuts[k+1]-1
			walk(d+1, at+k*c.grid.steps[d])
		}
	}
	walk(0, 0)
}

// count returns the number of points of c.
func (c cells) count() int64 {
	var n int64
	c.each(func(b box) { n += b.count() })
	return n
}

// bounds returns the least box around c; ok is false where c is empty.
func (c cells) bounds() (around box, ok bool) {
	c.each(func(b box) {
		if !ok {
			around, ok = box{slices.Clone(b.lo), slices.Clone(b.hi)}, true
			return
		}
		for d := range b.lo {
			around.lo[d] = min(around.lo[d], b.lo[d])
			around.hi[d] = max(around.hi[d], b.hi[d])
		}
	})
	return around, ok
}
