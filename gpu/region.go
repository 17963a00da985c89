package gpu

import (
	"slices"

	"github.com/hexcc/hexcc/astgen"
)

// A region is a convex set of points of one to three dimensions: a box cut by
// rows ±x_i ±x_j + c >= 0, an octagon in each plane. Loops over it visit its points and no others.
type region struct {
	box
	rows []diagonal
}

// A diagonal is the row si*x_i + sj*x_j + c >= 0, with i < j and signs of 1 or -1.
type diagonal struct {
	i, j   int
	si, sj int64
	c      int64
}

func (r diagonal) at(x []int64) int64 { return r.si*x[r.i] + r.sj*x[r.j] + r.c }

// decompose returns disjoint regions whose points are those of c.
func decompose(c cells) []region {
	return split(c, 0, nil)
}

// split decomposes the part of c whose first intervals are fixed: one region
// if its hull has no further point, else the longest runs of slabs along the
// next dimension of which that is true.
func split(c cells, depth int, fixed []int) []region {
	dims := len(c.grid.cuts)
	if r, exact := c.hull(fixed, depth, 0, -1); exact {
		if r.lo == nil {
			return nil
		}
		return []region{r}
	}
	if depth == dims {
		panic("gpu: a box is not its own hull")
	}
	var all []region
	slabs := len(c.grid.cuts[depth]) - 1
	for from := 0; from < slabs; {
		best, to := region{}, -1
		for k := from; k < slabs; k++ {
			if r, exact := c.hull(fixed, depth, from, k); exact {
				best, to = r, k
			} else if to >= 0 {
				break
			}
		}
		if to < 0 { // not even one slab
			all = append(all, split(c, depth+1, append(slices.Clip(fixed), from))...)
			from++
			continue
		}
		if best.lo != nil {
			all = append(all, best)
		}
		from = to + 1
	}
	return all
}

// hull returns the least region around the points of c whose first intervals
// are fixed and whose next is from..to (to < 0: any), and whether it has no
// others. The region of no points has a nil box.
func (c cells) hull(fixed []int, depth, from, to int) (region, bool) {
	var n int64
	var r region
	c.each(func(b box) {
		for d, k := range fixed {
			if b.lo[d] != c.grid.cuts[d][k] {
				return
			}
		}
		if to >= 0 && (b.lo[depth] < c.grid.cuts[depth][from] || b.lo[depth] > c.grid.cuts[depth][to]) {
			return
		}
		n += b.count()
		r = r.around(b)
	})
	if n == 0 || r.count() != n {
		return r, n == 0
	}
	return r.irredundant(n), true
}

// around returns the least region that holds r and b.
func (r region) around(b box) region {
	if r.lo == nil {
		r.box = box{slices.Clone(b.lo), slices.Clone(b.hi)}
		for j := range b.lo {
			for i := range j {
				for _, s := range [][2]int64{{1, 1}, {1, -1}, {-1, 1}, {-1, -1}} {
					r.rows = append(r.rows, diagonal{i, j, s[0], s[1], -least(b, i, s[0]) - least(b, j, s[1])})
				}
			}
		}
		return r
	}
	for d := range b.lo {
		r.lo[d], r.hi[d] = min(r.lo[d], b.lo[d]), max(r.hi[d], b.hi[d])
	}
	for k, row := range r.rows {
		r.rows[k].c = max(row.c, -least(b, row.i, row.si)-least(b, row.j, row.sj))
	}
	return r
}

// least returns the minimum of s*x_d over b.
func least(b box, d int, s int64) int64 {
	if s < 0 {
		return -b.hi[d]
	}
	return b.lo[d]
}

// count returns the number of points of r.
func (r region) count() int64 {
	if r.lo == nil {
		return 0
	}
	var n int64
	r.lines(func(_ []int64, lo, hi int64) { n += hi - lo + 1 })
	return n
}

// lines calls f with each run of points along the last dimension.
func (r region) lines(f func(x []int64, lo, hi int64)) {
	dims := len(r.lo)
	if dims == 0 {
		f(nil, 0, 0)
		return
	}
	x := make([]int64, dims)
	var walk func(d int)
	walk = func(d int) {
		lo, hi := r.lo[d], r.hi[d]
		for _, row := range r.rows {
			if row.j != d {
				continue
			}
			if rest := row.si*x[row.i] + row.c; row.sj > 0 {
				lo = max(lo, -rest)
			} else {
				hi = min(hi, rest)
			}
		}
		if d == dims-1 {
			if lo <= hi {
				f(x, lo, hi)
			}
			return
		}
		for v := lo; v <= hi; v++ {
			x[d] = v
			walk(d + 1)
		}
	}
	walk(0)
}

// irredundant returns r, of n points, less the rows that cut nothing off.
func (r region) irredundant(n int64) region {
	for k := len(r.rows) - 1; k >= 0; k-- {
		less := region{r.box, slices.Delete(slices.Clone(r.rows), k, k+1)}
		if less.count() == n {
			r = less
		}
	}
	return r
}

// loops returns loops over r moved by -origin, with variables vars; the axes
// are given to the last dimensions.
func (r region) loops(vars []string, origin []int64) []ThreadLoop {
	loops := make([]ThreadLoop, len(r.lo))
	for d, v := range vars {
		lo, hi := []astgen.Expr{astgen.Num(r.lo[d] - origin[d])}, []astgen.Expr{astgen.Num(r.hi[d] - origin[d])}
		for _, row := range r.rows {
			if row.j != d {
				continue
			}
			at := astgen.Var(vars[row.i]).Add(origin[row.i]).Times(row.si).Add(row.c).Add(row.sj * origin[d])
			if row.sj > 0 {
				lo = append(lo, at.Times(-1))
			} else {
				hi = append(hi, at)
			}
		}
		loops[d] = ThreadLoop{Var: v, Lo: astgen.MaxOf(lo...), Hi: astgen.MinOf(hi...), Axis: axis(d, len(vars))}
	}
	return loops
}

// axis returns the thread axis of dimension d of n: x for the last, y for the one before.
func axis(d, n int) int {
	if k := n - 1 - d; k < 2 {
		return k
	}
	return -1
}
