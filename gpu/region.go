package gpu

import (
	"math"
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

// decompose returns disjoint regions whose points are those of c: the fewer of
// those found by slabs along the dimensions in order, and in reverse order.
func decompose(c cells) []region {
	order := make([]int, len(c.grid.cuts))
	for d := range order {
		order[d] = d
	}
	best := split(c, order, c.all(), math.MaxInt)
	if len(best) > 1 && len(order) > 1 {
		slices.Reverse(order)
		if other := split(c, order, c.all(), len(best)); len(other) < len(best) {
			best = other
		}
	}
	return best
}

// split decomposes the part of c in the intervals of the given numbers: one
// region if its hull has no further point, else the longest runs of slabs along
// the first dimension of order of which that is true, a slab of which it is not
// along the next. It gives up once it has enough regions.
func split(c cells, order []int, numbers box, enough int) []region {
	if r, n := c.hull(numbers); r.count() == n {
		if n == 0 {
			return nil
		}
		return []region{r.irredundant(n)}
	}
	if len(order) == 0 {
		panic("gpu: a box is not its own hull")
	}
	var all []region
	d := order[0]
	for from := numbers.lo[d]; from <= numbers.hi[d] && len(all) < enough; {
		run, points, to := c.run(d, numbers, from)
		switch {
		case to < from: // not even one slab
			slab := numbers.clone()
			slab.lo[d], slab.hi[d] = from, from
			all = append(all, split(c, order[1:], slab, enough-len(all))...)
			to = from
		case points > 0:
			all = append(all, run.irredundant(points))
		}
		from = to + 1
	}
	return all
}

// run returns the region of the longest run of slabs from one on that is its
// own hull, its points, and its last slab, which is before from if there is none.
func (c cells) run(depth int, numbers box, from int64) (best region, points, to int64) {
	to = from - 1
	var r region
	var n int64
	for k := from; k <= numbers.hi[depth]; k++ {
		slab := numbers.clone()
		slab.lo[depth], slab.hi[depth] = k, k
		c.eachIn(slab, func(b box) {
			n += b.count()
			r = r.around(b)
		})
		if r.count() == n {
			best, points, to = region{r.clone(), slices.Clone(r.rows)}, n, k
		} else if to >= from {
			break
		}
	}
	return best, points, to
}

// hull returns the least region around the points of c in the intervals of the
// given numbers, and how many points those are.
func (c cells) hull(numbers box) (r region, n int64) {
	c.eachIn(numbers, func(b box) {
		n += b.count()
		r = r.around(b)
	})
	return r, n
}

// around returns the least region that holds r and b. It may change r.
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

// A group is disjoint regions and the least region around them.
type group struct {
	hull  region
	parts []region
}

// waste bounds what a group may add to its parts, as one part in so many: a
// loop over more points with a guard keeps more threads busy than many small
// loops. maxParts bounds the guard.
const (
	waste    = 8
	maxParts = 8
)

// gather joins runs of regions while their hull adds little, the longest first.
func gather(regions []region) []group {
	var all []group
	for len(regions) > 0 {
		hull, n := regions[0], regions[0].count()
		best, size := group{hull, regions[:1]}, n
		for j := 1; j < min(len(regions), maxParts); j++ {
			hull = hull.join(regions[j])
			n += regions[j].count()
			if points := hull.count(); points*waste <= n*(waste+1) {
				best, size = group{hull.irredundant(points), regions[:j+1]}, n
			}
		}
		regions = regions[len(best.parts):]
		if best.hull.count() == size {
			best.parts = []region{best.hull} // no guard
		}
		all = append(all, best)
	}
	return all
}

// join returns the least region around r and s.
func (r region) join(s region) region {
	var all region
	for _, x := range []region{r, s} {
		x.lines(func(at []int64, lo, hi int64) {
			b := box{slices.Clone(at), slices.Clone(at)}
			if d := len(at) - 1; d >= 0 {
				b.lo[d], b.hi[d] = lo, hi
			}
			all = all.around(b)
		})
	}
	return all
}

// guard returns where, in loops over the hull moved by -origin, a point of a part lies; nil if everywhere.
func (g group) guard(vars []string, origin []int64) astgen.Cond {
	if len(g.parts) == 1 {
		return nil
	}
	var c astgen.Cond
	for _, r := range g.parts {
		all := []astgen.Expr{}
		for _, row := range r.allRows() {
			if !row.holdsOn(g.hull) {
				all = append(all, row.sum(vars, origin))
			}
		}
		c = append(c, all)
	}
	return c
}

// A row is the sum of signs[d]*x_d, plus c, >= 0.
type row struct {
	signs []int64
	c     int64
}

// allRows returns the rows of r, those of its box first.
func (r region) allRows() []row {
	var all []row
	unit := func(d int, s int64) []int64 {
		v := make([]int64, len(r.lo))
		v[d] = s
		return v
	}
	for d := range r.lo {
		all = append(all, row{unit(d, 1), -r.lo[d]}, row{unit(d, -1), r.hi[d]})
	}
	for _, q := range r.rows {
		signs := unit(q.i, q.si)
		signs[q.j] = q.sj
		all = append(all, row{signs, q.c})
	}
	return all
}

// holdsOn reports whether all points of r make the row >= 0.
func (q row) holdsOn(r region) bool {
	ok := true
	r.lines(func(x []int64, lo, hi int64) {
		v, d := q.c, len(x)-1
		for i := range d {
			v += q.signs[i] * x[i]
		}
		ok = ok && min(v+q.signs[d]*lo, v+q.signs[d]*hi) >= 0
	})
	return ok
}

// sum returns the row over variables that are x - origin.
func (q row) sum(vars []string, origin []int64) astgen.Sum {
	s := astgen.Num(q.c)
	for d, k := range q.signs {
		s = s.Plus(astgen.Var(vars[d]).Add(origin[d]).Times(k))
	}
	return s
}
