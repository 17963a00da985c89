package gpu

import (
	"slices"

	"github.com/hexcc/hexcc/poly"
)

// A grid cuts each dimension into intervals cuts[i] .. cuts[i+1]-1, so that
// each box it was made for is a union of products of intervals.
type grid struct {
	cuts  [][]int64
	steps []int // distance in cells.in of neighbours in each dimension
	size  int
}

// maxPieces bounds the cells of one grid: they grow with the power of the dimensions.
const maxPieces = 1 << 24

// newGrid returns the coarsest grid for the boxes of dims dimensions.
func newGrid(dims int, boxes []box) *grid {
	g := &grid{cuts: make([][]int64, dims), steps: make([]int, dims), size: 1}
	for d := dims - 1; d >= 0; d-- {
		at := make([]int64, 0, 2*len(boxes))
		for _, b := range boxes {
			at = append(at, b.lo[d], b.hi[d]+1)
		}
		slices.Sort(at)
		g.cuts[d] = slices.Compact(at)
		g.steps[d] = g.size
		if g.size *= max(0, len(g.cuts[d])-1); g.size > maxPieces {
			panic(&poly.LimitError{Op: "footprint of a tile", What: "cells (maxPieces)", Bound: maxPieces})
		}
	}
	return g
}

// cells is a set of points of a grid: all of an interval product or none of it.
type cells struct {
	grid *grid
	in   []bool
}

func (g *grid) none() cells { return cells{g, make([]bool, g.size)} }

// rows calls f with each run of elements of in that b covers along the last dimension.
func (g *grid) rows(b box, f func(from, to int)) { g.rowsFrom(b, 0, 0, f) }

func (g *grid) rowsFrom(b box, d, at int, f func(from, to int)) {
	if len(g.cuts) == 0 {
		f(0, 1)
		return
	}
	from, _ := slices.BinarySearch(g.cuts[d], b.lo[d])
	to, _ := slices.BinarySearch(g.cuts[d], b.hi[d]+1)
	if d == len(g.cuts)-1 {
		f(at+from, at+to)
		return
	}
	for k := from; k < to; k++ {
		g.rowsFrom(b, d+1, at+k*g.steps[d], f)
	}
}

// add puts the points of b in c. It changes c.
func (c cells) add(b box) {
	c.grid.rows(b, func(from, to int) {
		for i := from; i < to; i++ {
			c.in[i] = true
		}
	})
}

// addExcept puts the points of b that are not in d in c. It changes c.
func (c cells) addExcept(b box, d cells) {
	c.grid.rows(b, func(from, to int) {
		for i := from; i < to; i++ {
			c.in[i] = c.in[i] || !d.in[i]
		}
	})
}

// each calls f with every interval product in c, outermost dimension first. f must not keep b.
func (c cells) each(f func(b box)) { c.eachIn(c.all(), f) }

// all returns the intervals of the grid, as a box of their numbers.
func (c cells) all() box {
	b := box{make([]int64, len(c.grid.cuts)), make([]int64, len(c.grid.cuts))}
	for d, cuts := range c.grid.cuts {
		b.hi[d] = int64(len(cuts)) - 2
	}
	return b
}

// eachIn is each for interval products whose numbers lie in the box.
func (c cells) eachIn(numbers box, f func(b box)) {
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
		for k := numbers.lo[d]; k <= numbers.hi[d]; k++ {
			b.lo[d], b.hi[d] = c.grid.cuts[d][k], c.grid.cuts[d][k+1]-1
			walk(d+1, at+int(k)*c.grid.steps[d])
		}
	}
	walk(0, 0)
}

// count returns the number of points of c.
func (c cells) count() int64 { return c.countFrom(0, 0) }

func (c cells) countFrom(d, at int) (n int64) {
	if d == len(c.grid.cuts) {
		if c.in[at] {
			return 1
		}
		return 0
	}
	cuts := c.grid.cuts[d]
	for k := range len(cuts) - 1 {
		n += (cuts[k+1] - cuts[k]) * c.countFrom(d+1, at+k*c.grid.steps[d])
	}
	return n
}

// bounds returns the least box around c; ok is false where c is empty.
func (c cells) bounds() (around box, ok bool) {
	c.each(around.grow)
	return around, around.lo != nil
}
