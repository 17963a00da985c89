package scan

import (
	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/poly"
)

// This file writes the loop over the values of a cell, or the values one by one.

// loop writes what runs for the values of a cell, which are those that the next dimension of b has.
func (w *writer) loop(b band, c cell, name string, at place) []graft {
	v := newRange(c.values, name, at.known)
	if v.parts == nil {
		return nil
	}
	if v.only != nil {
		return w.once(b, c, v.only, name, at)
	}
	if c.kind == unroll {
		return w.unrolled(b, c, v, name, at)
	}
	lo, above := v.bound(true)
	hi, below := v.bound(false)
	params := c.values.Params()
	inside := poly.NewParamSet(params, append(v.residue(), above, below)...)
	guard := simplified(v.outer(b.reached(name)), at.known.Intersect(poly.NewParamSet(params, above, below).ProjectOut(name)))
	in := at.with(guard.Intersect(inside))
	list := w.inside(b, in, []string{name}, func(x affine.Sum) poly.Formula { return poly.Equal(x, affine.Var(name)) })
	if len(list) == 0 {
		return nil
	}
	outer, list := hoisted(list, name, in.known)
	body := block(w.finish(list, in.known.Intersect(outer)))
	guard = simplified(guard.Intersect(outer), at.known)
	return []graft{{guard, &For{Var: name, Lo: v.first(lo), Hi: hi, Step: v.step, Body: body}}}
}

// once writes what runs for the one value of a cell, which equality gives: the row a*name + e = 0.
func (w *writer) once(b band, c cell, only *equality, name string, at place) []graft {
	at1 := poly.NewParamSet(withName(c.values.Params(), name), poly.Equal(affine.Total(only.rest, only.coef, affine.Var(name)), affine.Num(0)))
	guard := simplified(b.reached(name).Intersect(at1).ProjectOut(name), at.known)
	in := at.with(guard)
	list := w.inside(b, in, c.values.Params(), func(x affine.Sum) poly.Formula {
		return poly.Equal(affine.Total(only.rest, only.coef, x), affine.Num(0))
	})
	for i, g := range list {
		list[i].guard = g.guard.Intersect(guard)
	}
	return list
}

// maxUnrolled is how many values a loop that is not one has at most.
const maxUnrolled = 1000

// unrolled writes what runs for each value of a cell.
func (w *writer) unrolled(b band, c cell, v *valueRange, name string, at place) (list []graft) {
	lo, count := v.closest()
	if lo == nil || count > maxUnrolled {
		fail("%s: a loop over so many values, or a number that is not known, cannot be unrolled", name)
	}
	for k := int64(0); k < count; k++ {
		x := affine.Total(lo, 1, affine.Num(k*v.step))
		same := poly.NewParamSet(c.values.Params(), poly.Equal(affine.Var(name), x))
		only := c.values.Intersect(same)
		if only = tidy(only); only.Intersect(at.known).IsEmpty() {
			continue
		}
		one := cell{only, atomic}
		list = append(list, w.once(b.of(within(b, same, name)), one, &equality{-1, x}, name, at)...)
	}
	return list
}
