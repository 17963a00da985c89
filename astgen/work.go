package astgen

import (
	"slices"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/scop"
)

// This file says which launches have anything to do: at the first and the last time
// tile a phase may have no step left, and a grid narrower than a tile may lie
// between the tiles of a phase. The host starts the other launches only.

// Work is a condition on T and the parameters: that one of its elements holds. The
// nil Work always holds.
type Work []WorkRange

// A WorkRange holds where all Rows are >= 0 and Lo <= Hi; Lo and Hi are nil if that always is so.
type WorkRange struct {
	Rows   []affine.Expr
	Lo, Hi affine.Expr
}

// Holds reports whether w is true under env.
func (w Work) Holds(env map[string]int64) bool {
	if w == nil {
		return true
	}
	return slices.ContainsFunc(w, func(r WorkRange) bool {
		return Cond{r.Rows}.Holds(env) && (r.Lo == nil || affine.Eval(r.Lo, env) <= affine.Eval(r.Hi, env))
	})
}

// Exprs returns the expressions of w.
func (w Work) Exprs() (all []affine.Expr) {
	for _, r := range w {
		all = append(all, r.Rows...)
		if r.Lo != nil {
			all = append(all, r.Lo, r.Hi)
		}
	}
	return all
}

// workOf returns where one of the slices of a phase has a point, k holding. It is
// exact for domains that are boxes; where bounds of two dimensions depend on each
// other it may hold where no slice has one.
func workOf(p *scop.Program, all []Slice, n Names, k Known) Work {
	var sums, others []shadow // where a slice has a point, in sums; and where it takes quotients to say it
	for _, at := range all {
		sh := shadowOf(at, n).only(n.Tiles[1:])
		for _, r := range busy(p, at.Stmt) {
			sh = sh.with(r)
		}
		rows, ok := sh.someInteger(n.Tiles[0])
		switch rows = rows.unless(k.Implies); {
		case rows.contradicts() || k.empty(rows):
		case ok:
			sums = addWeakest(sums, rows)
		default:
			others = addWeakest(others, sh.unless(k.Implies))
		}
	}
	if k.covered(sums) {
		return nil
	}
	var w Work
	for _, rows := range sums {
		w = append(w, WorkRange{Rows: exprs(rows.irredundant(k))})
	}
	for _, sh := range others {
		b := sh.bounds(n.Tiles[0])
		rows := sh.unless(func(r affine.Sum) bool { return r.Coef(n.Tiles[0]) != 0 || r.IsNum() && r.Const >= 0 })
		x := WorkRange{exprs(rows), affine.MaxOf(b.lo...), affine.MinOf(b.hi...)}
		if affine.Same(x.Lo, x.Hi) { // one tile
			x.Lo, x.Hi = nil, nil
		}
		if x.Lo == nil && len(rows) == 0 {
			return nil
		}
		w = append(w, x)
	}
	return w
}

// someInteger returns the rows that hold where some integer makes the rows of sh hold; ok is false if they
// may hold elsewhere, too. They do not if all bounds on one side of the variable are numbers.
func (sh shadow) someInteger(name string) (rows shadow, ok bool) {
	for _, sign := range []int64{1, -1} {
		side := sh.side(name, sign)
		if len(side) == 0 || slices.ContainsFunc(side, func(r affine.Sum) bool { return !r.Without(name).IsNum() }) {
			continue
		}
		b, best := sh.bounds(name), affine.MaxOf
		ends := b.lo
		if sign < 0 {
			ends, best = b.hi, affine.MinOf
		}
		end := affine.Eval(best(ends...), nil)
		for _, r := range sh {
			if c := r.Coef(name); c != 0 {
				r = r.Without(name).Add(c * end)
			}
			rows = rows.with(r.Tighten())
		}
		return rows, true
	}
	return sh.unless(func(r affine.Sum) bool { return r.Coef(name) != 0 }), len(sh.side(name, 1)) == 0 || len(sh.side(name, -1)) == 0
}

// unless returns the rows of sh for which drop does not hold.
func (sh shadow) unless(drop func(affine.Sum) bool) shadow {
	return slices.DeleteFunc(slices.Clone(sh), drop)
}

// whereBusy returns what is known besides where the host goes on: it returns early where Busy does not hold.
func (k Known) whereBusy(p *scop.Program) Known {
	if cond := Busy(p); len(cond) == 1 {
		for _, e := range cond[0] {
			k.Rows = append(slices.Clip(k.Rows), e.(affine.Sum))
		}
	}
	return k
}

// addWeakest adds sh to shadows, unless it holds only where one of them does.
func addWeakest(shadows []shadow, sh shadow) []shadow {
	if slices.ContainsFunc(shadows, func(have shadow) bool { return have.covers(sh) }) {
		return shadows
	}
	return append(slices.DeleteFunc(shadows, sh.covers), sh)
}

// covered reports whether, where k holds, one of the shadows does.
func (k Known) covered(shadows []shadow) bool {
	if len(shadows) == 0 {
		return k.empty(nil)
	}
	if k.empty(shadows[0]) { // it covers nothing: go on once, not once for each of its rows
		return k.covered(shadows[1:])
	}
	for _, r := range shadows[0] {
		more := k
		more.Rows = slices.Concat(k.Rows, []affine.Sum{r.Negated()})
		if !more.covered(shadows[1:]) {
			return false
		}
	}
	return true
}
