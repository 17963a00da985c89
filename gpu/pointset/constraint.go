package pointset

import "github.com/hexcc/hexcc/affine"

// A constraint is the sum of signs[d]*x_d, plus c, >= 0.
type constraint struct {
	signs []int64
	c     int64
}

// constraints returns those of r, those of its box first.
func (r Region) constraints() []constraint {
	var all []constraint
	unit := func(d int, s int64) []int64 {
		v := make([]int64, len(r.Lo))
		v[d] = s
		return v
	}
	for d := range r.Lo {
		all = append(all, constraint{unit(d, 1), -r.Lo[d]}, constraint{unit(d, -1), r.Hi[d]})
	}
	for _, q := range r.rows {
		signs := unit(q.i, q.si)
		signs[q.j] = q.sj
		all = append(all, constraint{signs, q.c})
	}
	return all
}

// holdsOn reports whether all points of r satisfy the constraint.
func (q constraint) holdsOn(r Region) bool {
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

// sum returns the constraint over variables that are x - origin.
func (q constraint) sum(vars []string, origin []int64) affine.Sum {
	s := affine.Num(q.c)
	for d, k := range q.signs {
		s = s.Plus(affine.Var(vars[d]).Add(origin[d]).Times(k))
	}
	return s
}

// Constraints returns where, in loops over the box of the hull moved by -origin, a
// point of a part lies.
func (g Group) Constraints(vars []string, origin []int64) [][]affine.Expr {
	var c [][]affine.Expr
	for _, r := range g.Parts {
		all := []affine.Expr{}
		for _, q := range r.constraints() {
			all = append(all, q.sum(vars, origin))
		}
		c = append(c, all)
	}
	return c
}

// Guard returns where, in loops over the hull moved by -origin, a point of a part lies; nil if everywhere.
func (g Group) Guard(vars []string, origin []int64) [][]affine.Expr {
	if len(g.Parts) == 1 {
		return nil
	}
	var c [][]affine.Expr
	for _, r := range g.Parts {
		all := []affine.Expr{}
		for _, q := range r.constraints() {
			if !q.holdsOn(g.Hull) {
				all = append(all, q.sum(vars, origin))
			}
		}
		c = append(c, all)
	}
	return c
}
