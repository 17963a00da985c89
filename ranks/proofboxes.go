package ranks

import (
	"slices"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/poly"
)

// This file reads boxes, as they are printed, back to sets of elements.

// matches holds where x is of the planes, the columns, the rows of the array and the half that s is of, wherever the border is.
func (b *border) matches(a Array, s Strip, x []affine.Expr) poly.Formula {
	var rows []poly.Formula
	for d := range x {
		rows = append(rows, poly.AtMost(s.Lo[d], x[d]), poly.AtMost(x[d], s.Hi[d]))
	}
	rows = append(rows, holds(s.Every, x))
	if a.Ring {
		low := b.lower(a, x[a.Dim].(affine.Sum))
		if s.Upper {
			low = poly.Not(low)
		}
		rows = append(rows, low)
	}
	return poly.And(rows...)
}

// beyond holds of elements that are not in the rows of s.
func (b *border) beyond(a Array, s Strip, before bool) poly.Formula {
	var list []poly.Formula
	off := b.offset(a, s, outs(a.Array))
	for _, r := range b.runs(s, before) {
		list = append(list, poly.And(r.where, poly.Less(off, affine.Num(r.lo))), poly.And(r.where, poly.Less(affine.Num(r.hi), off)))
	}
	return poly.Or(list...)
}

// offset returns how far x is from the first row that the rank above the border owns.
func (b *border) offset(a Array, s Strip, x []affine.Expr) affine.Sum {
	return b.planner.offset(a, s.Upper, x[a.Dim].(affine.Sum))
}

// A run is where a table has lo and hi.
type run struct {
	where  poly.Formula
	lo, hi int64
}

// runs returns the runs of the tables of s.
func (b *border) runs(s Strip, before bool) (list []run) {
	if before {
		return []run{{poly.True(), s.Since.Lo[0], s.Since.Hi[0]}}
	}
	return slices.Concat(runsOf(s.Since, b.SinceFirst()), runsOf(s.Until, b.UntilLast()), runsOf(s.Steps, b.Steps()))
}

func runsOf(r Rows, by affine.Sum) (list []run) {
	if len(r.Lo) == 0 {
		return []run{{poly.True(), -none, none}}
	}
	for i := 0; i < len(r.Lo); {
		j := i
		for j+1 < len(r.Lo) && r.Lo[j+1] == r.Lo[i] && r.Hi[j+1] == r.Hi[i] {
			j++
		}
		var where []poly.Formula
		if i > 0 {
			where = append(where, poly.AtMost(affine.Num(r.Start+int64(i)), by))
		}
		if j < len(r.Lo)-1 {
			where = append(where, poly.AtMost(by, affine.Num(r.Start+int64(j))))
		}
		list = append(list, run{poly.And(where...), r.Lo[i], r.Hi[i]})
		i = j + 1
	}
	return list
}

// inside returns the elements of s.
func (b *border) inside(a Array, s Strip) poly.Set {
	off := b.offset(a, s, outs(a.Array))
	var runs []poly.Formula
	for _, since := range runsOf(s.Since, b.SinceFirst()) {
		for _, until := range runsOf(s.Until, b.UntilLast()) {
			for _, steps := range runsOf(s.Steps, b.Steps()) {
				lo, hi := max(since.lo, until.lo, steps.lo), min(since.hi, until.hi, steps.hi)
				if lo <= hi {
					runs = append(runs, poly.And(since.where, until.where, steps.where, poly.AtMost(affine.Num(lo), off), poly.AtMost(off, affine.Num(hi))))
				}
			}
		}
	}
	return b.elements(a, b.matches(a, s, outs(a.Array)), poly.Or(runs...))
}
