package pointset

import (
	"fmt"
	"slices"

	"github.com/hexcc/hexcc/poly"
)

// A Grid cuts each dimension into intervals cuts[i] .. cuts[i+1]-1, so that
// each box it was made for is a union of products of intervals.
type Grid struct {
	cuts  [][]int64
	steps []int // distance in cells.in of neighbours in each dimension
	size  int
}

// maxPieces bounds the cells of one grid: they grow with the power of the dimensions.
const maxPieces = 1 << 24

// NewGrid returns the coarsest grid for the boxes of dims dimensions.
func NewGrid(dims int, boxes []Box) *Grid {
	g := &Grid{cuts: make([][]int64, dims), steps: make([]int, dims), size: 1}
	for d := dims - 1; d >= 0; d-- {
		at := make([]int64, 0, 2*len(boxes))
		for _, b := range boxes {
			at = append(at, b.Lo[d], b.Hi[d]+1)
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

// Cells is a set of points of a grid: all of an interval product or none of it.
type Cells struct {
	Grid *Grid
	in   []bool
}

func (g *Grid) None() Cells { return Cells{g, make([]bool, g.size)} }

// rows calls f with each run of elements of in that b covers along the last dimension. It panics if b is not of whole intervals of the grid.
func (g *Grid) rows(b Box, f func(from, to int)) { g.rowsFrom(b, 0, 0, f) }

func (g *Grid) rowsFrom(b Box, d, at int, f func(from, to int)) {
	if len(g.cuts) == 0 {
		f(0, 1)
		return
	}
	if b.Hi[d] < b.Lo[d] {
		return
	}
	from, starts := slices.BinarySearch(g.cuts[d], b.Lo[d])
	to, ends := slices.BinarySearch(g.cuts[d], b.Hi[d]+1)
	if !starts || !ends {
		panic(fmt.Sprintf("pointset: %d..%d is not of whole intervals of %v", b.Lo[d], b.Hi[d], g.cuts[d]))
	}
	if d == len(g.cuts)-1 {
		f(at+from, at+to)
		return
	}
	for k := from; k < to; k++ {
		g.rowsFrom(b, d+1, at+k*g.steps[d], f)
	}
}

// Add puts the points of b in c. It changes c.
func (c Cells) Add(b Box) {
	c.Grid.rows(b, func(from, to int) {
		for i := from; i < to; i++ {
			c.in[i] = true
		}
	})
}

// AddExcept puts the points of b that are not in d in c. It changes c.
func (c Cells) AddExcept(b Box, d Cells) {
	c.Grid.rows(b, func(from, to int) {
		for i := from; i < to; i++ {
			c.in[i] = c.in[i] || !d.in[i]
		}
	})
}

// Each calls f with every interval product in c, outermost dimension first. f must not keep b.
func (c Cells) Each(f func(b Box)) { c.eachIn(c.all(), f) }

// all returns the intervals of the grid, as a box of their numbers.
func (c Cells) all() Box {
	b := Box{make([]int64, len(c.Grid.cuts)), make([]int64, len(c.Grid.cuts))}
	for d, cuts := range c.Grid.cuts {
		b.Hi[d] = int64(len(cuts)) - 2
	}
	return b
}

// eachIn is each for interval products whose numbers lie in the box.
func (c Cells) eachIn(numbers Box, f func(b Box)) {
	dims := len(c.Grid.cuts)
	b := Box{make([]int64, dims), make([]int64, dims)}
	var walk func(d, at int)
	walk = func(d, at int) {
		if d == dims {
			if c.in[at] {
				f(b)
			}
			return
		}
		for k := numbers.Lo[d]; k <= numbers.Hi[d]; k++ {
			b.Lo[d], b.Hi[d] = c.Grid.cuts[d][k], c.Grid.cuts[d][k+1]-1
			walk(d+1, at+int(k)*c.Grid.steps[d])
		}
	}
	walk(0, 0)
}

// Count returns the number of points of c.
func (c Cells) Count() int64 { return c.countFrom(0, 0) }

func (c Cells) countFrom(d, at int) (n int64) {
	if d == len(c.Grid.cuts) {
		if c.in[at] {
			return 1
		}
		return 0
	}
	cuts := c.Grid.cuts[d]
	for k := range len(cuts) - 1 {
		n += (cuts[k+1] - cuts[k]) * c.countFrom(d+1, at+k*c.Grid.steps[d])
	}
	return n
}

// Bounds returns the least box around c; ok is false where c is empty.
func (c Cells) Bounds() (around Box, ok bool) {
	c.Each(around.Grow)
	return around, around.Lo != nil
}

// Remove takes the points of b out of c. It changes c.
func (c Cells) Remove(b Box) {
	c.Grid.rows(b, func(from, to int) {
		for i := from; i < to; i++ {
			c.in[i] = false
		}
	})
}

// Union returns the points of c or d, on the same grid.
func (c Cells) Union(d Cells) Cells {
	all := c.Grid.None()
	for i := range all.in {
		all.in[i] = c.in[i] || d.in[i]
	}
	return all
}

// Row returns whether c has a point, given in the last dimension, of a row of the grid.
func (c Cells) Row(row Box) func(x int64) bool {
	at := 0
	for d, x := range row.Lo {
		k, _ := slices.BinarySearch(c.Grid.cuts[d], x)
		at += k * c.Grid.steps[d]
	}
	cuts := c.Grid.cuts[len(row.Lo)]
	return func(x int64) bool {
		k, starts := slices.BinarySearch(cuts, x)
		if !starts {
			k--
		}
		return k >= 0 && k < len(cuts)-1 && c.in[at+k]
	}
}

// CellsOf returns the points of boxes.
func CellsOf(dims int, boxes []Box) Cells {
	c := NewGrid(dims, boxes).None()
	for _, b := range boxes {
		c.Add(b)
	}
	return c
}

// Ordered returns c with the dimensions of these numbers, all of them, in that order.
func (c Cells) Ordered(order []int) Cells {
	if slices.IsSorted(order) {
		return c
	}
	var boxes []Box
	c.Each(func(b Box) {
		to := Box{make([]int64, len(order)), make([]int64, len(order))}
		for d, i := range order {
			to.Lo[d], to.Hi[d] = b.Lo[i], b.Hi[i]
		}
		boxes = append(boxes, to)
	})
	return CellsOf(len(order), boxes)
}

// Moved returns c moved by w along the last dimension.
func (c Cells) Moved(w int64) Cells {
	g := *c.Grid
	g.cuts = slices.Clone(g.cuts)
	last := len(g.cuts) - 1
	g.cuts[last] = slices.Clone(g.cuts[last])
	for i := range g.cuts[last] {
		g.cuts[last][i] += w
	}
	return Cells{&g, c.in}
}

// boxes returns disjoint boxes with the points of c.
func (c Cells) boxes() (all []Box) {
	last := len(c.Grid.cuts) - 1
	if last < 0 {
		c.Each(func(b Box) { all = append(all, b.Clone()) })
		return all
	}
	cuts := c.Grid.cuts[last]
	at := Box{make([]int64, last+1), make([]int64, last+1)}
	var walk func(d, from int)
	walk = func(d, from int) {
		if d < last {
			for k := range len(c.Grid.cuts[d]) - 1 {
				at.Lo[d], at.Hi[d] = c.Grid.cuts[d][k], c.Grid.cuts[d][k+1]-1
				walk(d+1, from+k*c.Grid.steps[d])
			}
			return
		}
		for k := 0; k < len(cuts)-1; k++ { // each run of intervals is one box
			if !c.in[from+k] {
				continue
			}
			at.Lo[d] = cuts[k]
			for k < len(cuts)-1 && c.in[from+k] {
				k++
			}
			at.Hi[d] = cuts[k] - 1
			all = append(all, at.Clone())
		}
	}
	walk(0, 0)
	return Merged(all)
}

// Without returns the points of c that are not in d.
func (c Cells) Without(d Cells) Cells { return c.combine(d, false) }

// Meet returns the points of c that are in d.
func (c Cells) Meet(d Cells) Cells { return c.combine(d, true) }

// combine returns the points of c that are in d, or that are not.
func (c Cells) combine(d Cells, in bool) Cells {
	of, by := c.boxes(), d.boxes()
	g := NewGrid(len(c.Grid.cuts), slices.Concat(of, by))
	out, other := g.None(), g.None()
	for _, b := range of {
		out.Add(b)
	}
	for _, b := range by {
		other.Add(b)
	}
	for i := range out.in {
		out.in[i] = out.in[i] && other.in[i] == in
	}
	return out
}

// EachRow calls visit for each product of intervals of the first dimensions that
// holds points of c, with what c is there in the other dimensions.
func (c Cells) EachRow(first int, visit func(row Box, rest Cells)) {
	c.EachRowBoxes(first, func(row Box, boxes []Box) {
		visit(Box{slices.Clone(row.Lo), slices.Clone(row.Hi)}, CellsOf(len(c.Grid.cuts)-first, boxes))
	})
}

// EachRowBoxes is eachRow with disjoint boxes for what c is in the other
// dimensions, in their order. visit must keep neither row nor the boxes.
func (c Cells) EachRowBoxes(first int, visit func(row Box, boxes []Box)) {
	numbers := c.all()
	row := Box{make([]int64, first), make([]int64, first)}
	rest := c.Grid.size // of the other dimensions
	if first > 0 {
		rest = c.Grid.steps[first-1]
	}
	var boxes []Box
	var walk func(d, at int)
	walk = func(d, at int) {
		if d < first {
			for k := range len(c.Grid.cuts[d]) - 1 {
				numbers.Lo[d], numbers.Hi[d] = int64(k), int64(k)
				row.Lo[d], row.Hi[d] = c.Grid.cuts[d][k], c.Grid.cuts[d][k+1]-1
				walk(d+1, at+k*c.Grid.steps[d])
			}
			return
		}
		if !slices.Contains(c.in[at:at+rest], true) {
			return
		}
		boxes = boxes[:0]
		c.eachIn(numbers, func(b Box) { boxes = append(boxes, Box{b.Lo[first:], b.Hi[first:]}.Clone()) })
		visit(row, boxes)
	}
	walk(0, 0)
}
