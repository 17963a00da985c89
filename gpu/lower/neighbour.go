package lower

import (
	"fmt"
	"slices"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/astgen"
)

// This file says when the tile before or after a full tile in its block is full.

// A walk is the loop over the tiles of a block that follow each other.
type walk struct {
	v      string
	lo, hi affine.Expr
}

// follows returns where tile v-1 runs and is full if tile v is full, which cond
// says. In a conjunction, what grows towards smaller v stays true.
func (w walk) follows(cond astgen.Cond) astgen.Cond {
	var out astgen.Cond
	for _, rows := range cond {
		all := astgen.Cond{w.neighbour(rows, -1, len(cond) > 1)}
		if !w.implied(all[0], w.outside(-1)) {
			all = conjunction(all, w.inside())
		}
		out = append(out, all...)
	}
	return out
}

// lasts returns where tile v+1 does not run or is not full if tile v is full,
// which cond says; ok is false if that takes more than cond has rows.
func (w walk) lasts(cond astgen.Cond) (last astgen.Cond, ok bool) {
	if len(cond) != 1 {
		return nil, false
	}
	last = astgen.Cond{} // never
	next := w.neighbour(cond[0], 1, false)
	for _, e := range next {
		r, isSum := e.(affine.Sum)
		if !isSum {
			return nil, false
		}
		last = append(last, []affine.Expr{r.Times(-1).Add(-1)})
	}
	for _, rows := range w.outside(1) {
		if !excludes(rows, next) {
			last = append(last, rows)
		}
	}
	return last, true
}

// neighbour returns rows with v + step for v: those that may then fail where they held before, or all.
func (w walk) neighbour(rows []affine.Expr, step int64, all bool) []affine.Expr {
	by := map[string]affine.Sum{w.v: affine.Var(w.v).Add(step)}
	out := []affine.Expr{}
	for _, r := range rows {
		if s, ok := r.(affine.Sum); all || !ok || s.Coef(w.v)*step < 0 {
			out = append(out, affine.Subst(r, by))
		}
	}
	return out
}

// inside returns where the loop runs v-1.
func (w walk) inside() astgen.Cond { return beyond(affine.Var(w.v).Add(-1), w.lo, 1, 0) }

// outside returns where the loop does not run v + step, one of -1 and 1, but v.
func (w walk) outside(step int64) astgen.Cond {
	if step > 0 {
		return beyond(affine.Var(w.v).Add(1), w.hi, 1, 1)
	}
	return beyond(affine.Var(w.v).Add(-1), w.lo, -1, 1)
}

// implied reports whether rows exclude each of the alternatives. True is certain.
func (w walk) implied(rows []affine.Expr, alternatives astgen.Cond) bool {
	return !slices.ContainsFunc(alternatives, func(a []affine.Expr) bool { return !excludes(rows, a) })
}

// excludes reports whether no integers make all rows and others >= 0. True is certain.
func excludes(rows, others []affine.Expr) bool {
	return exclude(sums(rows), sums(others))
}

// sums returns those of the rows that are sums.
func sums(rows []affine.Expr) (all []affine.Sum) {
	for _, e := range rows {
		if s, ok := e.(affine.Sum); ok {
			all = append(all, s.Tighten())
		}
	}
	return all
}

// beyond returns where x >= e + off for sign 1, x <= e - off for sign -1, off one of 0 and 1.
func beyond(x affine.Sum, e affine.Expr, sign, off int64) astgen.Cond {
	switch e := e.(type) {
	case affine.Sum:
		return astgen.Cond{{x.Minus(e).Times(sign).Add(-off)}}
	case affine.FloorDiv:
		// With y the dividend and d the divisor, x >= floor(y/d) + off just where d·x >= y + d·(off-1) + 1,
		// and x <= floor(y/d) - off just where d·x <= y - d·off.
		y, ok := e.X.(affine.Sum)
		if !ok {
			break
		}
		if sign > 0 {
			return astgen.Cond{{x.Times(e.D).Minus(y).Add(-e.D*(off-1) - 1)}}
		}
		return astgen.Cond{{y.Minus(x.Times(e.D)).Add(-e.D * off)}}
	case affine.Max:
		return bounds(x, e.Args, sign, off, sign > 0)
	case affine.Min:
		return bounds(x, e.Args, sign, off, sign < 0)
	}
	panic(fmt.Sprintf("lower: a bound of a loop over tiles is %v", e))
}

// bounds is beyond for all of the bounds, or for some.
func bounds(x affine.Sum, args []affine.Expr, sign, off int64, all bool) astgen.Cond {
	out := astgen.Cond{}
	if all {
		out = astgen.Cond{{}}
	}
	for _, e := range args {
		if at := beyond(x, e, sign, off); all {
			out = conjunction(out, at)
		} else {
			out = append(out, at...)
		}
	}
	return out
}

// conjunction returns where both hold.
func conjunction(c, d astgen.Cond) (out astgen.Cond) {
	for _, x := range c {
		for _, y := range d {
			out = append(out, slices.Concat(x, y))
		}
	}
	return out
}
