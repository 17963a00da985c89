package pointset

import (
	"math"
	"slices"

	"github.com/hexcc/hexcc/affine"
)

// A Region is a convex set of points of one to three dimensions: a box cut by
// rows ±x_i ±x_j + c >= 0, an octagon in each plane. Loops over it visit its points and no others.
type Region struct {
	Box
	rows []diagonal
}

// A diagonal is the row si*x_i + sj*x_j + c >= 0, with i < j and signs of 1 or -1.
type diagonal struct {
	i, j   int
	si, sj int64
	c      int64
}

// Decompose returns disjoint regions whose points are those of c: the fewer of
// those found by slabs along the dimensions in order, and in reverse order.
func Decompose(c Cells) []Region {
	order := make([]int, len(c.Grid.cuts))
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
func split(c Cells, order []int, numbers Box, enough int) []Region {
	if r, n := c.hull(numbers); r.count() == n {
		if n == 0 {
			return nil
		}
		return []Region{r.irredundant(n)}
	}
	if len(order) == 0 {
		panic("pointset: a box is not its own hull")
	}
	var all []Region
	d := order[0]
	for from := numbers.Lo[d]; from <= numbers.Hi[d] && len(all) < enough; {
		run, points, to := c.run(d, numbers, from)
		switch {
		case to < from: // not even one slab
			slab := numbers.Clone()
			slab.Lo[d], slab.Hi[d] = from, from
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
func (c Cells) run(depth int, numbers Box, from int64) (best Region, points, to int64) {
	to = from - 1
	var r Region
	var n int64
	for k := from; k <= numbers.Hi[depth]; k++ {
		slab := numbers.Clone()
		slab.Lo[depth], slab.Hi[depth] = k, k
		c.eachIn(slab, func(b Box) {
			n += b.Count()
			r = r.around(b)
		})
		if r.count() == n {
			best, points, to = Region{r.Clone(), slices.Clone(r.rows)}, n, k
		} else if to >= from {
			break
		}
	}
	return best, points, to
}

// hull returns the least region around the points of c in the intervals of the
// given numbers, and how many points those are.
func (c Cells) hull(numbers Box) (r Region, n int64) {
	c.eachIn(numbers, func(b Box) {
		n += b.Count()
		r = r.around(b)
	})
	return r, n
}

// around returns the least region that holds r and b. It may change r.
func (r Region) around(b Box) Region {
	if r.Lo == nil {
		r.Box = Box{slices.Clone(b.Lo), slices.Clone(b.Hi)}
		for j := range b.Lo {
			for i := range j {
				for _, s := range [][2]int64{{1, 1}, {1, -1}, {-1, 1}, {-1, -1}} {
					r.rows = append(r.rows, diagonal{i, j, s[0], s[1], -least(b, i, s[0]) - least(b, j, s[1])})
				}
			}
		}
		return r
	}
	for d := range b.Lo {
		r.Lo[d], r.Hi[d] = min(r.Lo[d], b.Lo[d]), max(r.Hi[d], b.Hi[d])
	}
	for k, row := range r.rows {
		r.rows[k].c = max(row.c, -least(b, row.i, row.si)-least(b, row.j, row.sj))
	}
	return r
}

// least returns the minimum of s*x_d over b.
func least(b Box, d int, s int64) int64 {
	if s < 0 {
		return -b.Hi[d]
	}
	return b.Lo[d]
}

// count returns the number of points of r.
func (r Region) count() int64 {
	if r.Lo == nil {
		return 0
	}
	var n int64
	r.lines(func(_ []int64, lo, hi int64) { n += hi - lo + 1 })
	return n
}

// lines calls f with each run of points along the last dimension.
func (r Region) lines(f func(x []int64, lo, hi int64)) {
	dims := len(r.Lo)
	if dims == 0 {
		f(nil, 0, 0)
		return
	}
	x := make([]int64, dims)
	var walk func(d int)
	walk = func(d int) {
		lo, hi := r.Lo[d], r.Hi[d]
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
func (r Region) irredundant(n int64) Region {
	for k := len(r.rows) - 1; k >= 0; k-- {
		less := Region{r.Box, slices.Delete(slices.Clone(r.rows), k, k+1)}
		if less.count() == n {
			r = less
		}
	}
	return r
}

// A Group is disjoint regions and the least region around them.
type Group struct {
	Hull  Region
	Parts []Region
}

// waste bounds what a group may add to its parts, as one part in so many: a
// loop over more points with a guard keeps more threads busy than many small
// loops. maxParts bounds the guard.
const (
	waste    = 8
	maxParts = 8
)

// Gather joins runs of regions while their hull adds little, the longest first.
func Gather(regions []Region) []Group {
	var all []Group
	for len(regions) > 0 {
		hull, n := regions[0], regions[0].count()
		best, size := Group{hull, regions[:1]}, n
		for j := 1; j < min(len(regions), maxParts); j++ {
			hull = hull.join(regions[j])
			n += regions[j].count()
			if points := hull.count(); points*waste <= n*(waste+1) {
				best, size = Group{hull.irredundant(points), regions[:j+1]}, n
			}
		}
		regions = regions[len(best.Parts):]
		if best.Hull.count() == size {
			best.Parts = []Region{best.Hull} // no guard
		}
		all = append(all, best)
	}
	return all
}

// join returns the least region around r and s.
func (r Region) join(s Region) Region {
	var all Region
	for _, x := range []Region{r, s} {
		x.lines(func(at []int64, lo, hi int64) {
			b := Box{slices.Clone(at), slices.Clone(at)}
			if d := len(at) - 1; d >= 0 {
				b.Lo[d], b.Hi[d] = lo, hi
			}
			all = all.around(b)
		})
	}
	return all
}

// HullOf returns the least region around c.
func HullOf(c Cells) Region {
	var r Region
	c.Each(func(b Box) { r = r.around(b) })
	return r.irredundant(r.count())
}

// Bounds returns the bounds of loops over r moved by -origin, with variables vars, outermost first.
func (r Region) Bounds(vars []string, origin []int64) (lo, hi []affine.Expr) {
	for d := range vars {
		least, most := []affine.Expr{affine.Num(r.Lo[d] - origin[d])}, []affine.Expr{affine.Num(r.Hi[d] - origin[d])}
		for _, row := range r.rows {
			if row.j != d {
				continue
			}
			at := affine.Var(vars[row.i]).Add(origin[row.i]).Times(row.si).Add(row.c).Add(row.sj * origin[d])
			if row.sj > 0 {
				least = append(least, at.Times(-1))
			} else {
				most = append(most, at)
			}
		}
		lo, hi = append(lo, affine.MaxOf(least...)), append(hi, affine.MinOf(most...))
	}
	return lo, hi
}
