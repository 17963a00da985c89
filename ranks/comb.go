package ranks

import (
	"slices"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/poly"
)

// This file finds which rows are sent where that is not all of an interval: of planes that take turns every second row, or two of three, are read across a border, and others between
// have newer values there by the time.

// A comb is the rows at distances from the border, counted from the first row that the rank above it owns, that are from modulo step, and lie in lo .. hi.
type comb struct{ step, from, lo, hi int64 }

// holds returns that a row at a distance is of c.
func (c comb) holds(offset affine.Sum) poly.Formula {
	return poly.And(poly.Equal(affine.Modulo(offset, c.step), affine.Num(c.from)), poly.AtMost(affine.Num(c.lo), offset), poly.AtMost(offset, affine.Num(c.hi)))
}

const (
	mostStep  = 4 // of combs
	mostCombs = 6 // that are sent in place of all rows

	mostComponents = 64 // of what one subscript that stands for several leads to
)

// combs returns combs of which each row of part is of just one, so that few are sent that are not of part: one of all rows where that does, or where nothing simple does.
func (p *planner) combs(a Array, upper bool, part poly.Set) []comb {
	if a.Unit > 1 {
		return p.components(a)
	}
	all := []comb{{1, 0, -none, none}}
	rows := p.usual(a, upper, part)
	if len(rows) == 0 || rows[len(rows)-1]-rows[0] == int64(len(rows))-1 {
		return all
	}
	best := all
	for step := int64(1); step <= mostStep; step++ {
		if list := combsOf(rows, step); len(list) <= mostCombs && (len(best) == 1 || len(list) < len(best)) {
			best = list
		}
	}
	return best
}

// components returns combs for the elements of a dimension whose subscript stands for several: those that leave the same rest when divided by all that iterators are multiplied with, as
// A[(i*m + j)*3 + k] for each k. An iteration may write some of them here and others a row further.
func (p *planner) components(a Array) (list []comb) {
	step := a.Unit
	for _, st := range p.scop.Stmts {
		for _, x := range st.Accesses {
			if x.Array != a.Array {
				continue
			}
			for _, c := range slices.Concat(x.Index[a.Dim].Iters, x.Index[a.Dim].Params) {
				step = affine.GCD(step, max(c, -c))
			}
		}
	}
	if step > mostComponents {
		step = 1
	}
	for from := range step {
		list = append(list, comb{step, from, -none, none})
	}
	return list
}

// usual returns the distances of rows from the border, in order, that part has far from all ends.
func (p *planner) usual(a Array, upper bool, part poly.Set) (rows []int64) {
	one := poly.Tuple{Dims: poly.Dims(1)}
	to := poly.NewMap(p.params, elements(a.Array), one, poly.Equal(poly.Out(0), p.offset(a, upper, poly.In(a.Dim))))
	all := to.Apply(part.Intersect(poly.NewSet(p.params, elements(a.Array), p.far(a)))).ProjectOut(p.params...)
	_, first, ok := all.LexMin().Sample()
	_, last, bounded := all.LexMax().Sample()
	if !ok || !bounded {
		return nil
	}
	for r := first[0]; r <= last[0]; r++ {
		if !all.FixDim(0, r).IsEmpty() {
			rows = append(rows, r)
		}
	}
	return rows
}

// combsOf returns combs with a step that together are all rows, and of which none has rows between those given.
func combsOf(rows []int64, step int64) (list []comb) {
	for from := range step {
		c := comb{step, from, -none, none}
		last := int64(-none)
		for _, r := range rows {
			if affine.Remainder(r, step) != from {
				continue
			}
			if last > -none && r-last > step {
				c.hi = last + (r-last)/2
				list = append(list, c)
				c.lo, c.hi = c.hi+1, none
			}
			last = r
		}
		list = append(list, c)
	}
	return list
}

// offset returns how far a row x of an array is from the first one that the rank above the border owns.
func (p *planner) offset(a Array, upper bool, x affine.Sum) affine.Sum {
	if upper {
		x = a.Sum.Minus(x)
	}
	return x.Minus(p.First(a))
}

// everyRow returns which subscripts a box has of the rows of a comb.
func (p *planner) everyRow(a Array, upper bool, c comb) []Every {
	every := slices.Repeat([]Every{{1, affine.Num(0)}}, len(a.Array.Extents))
	from := p.First(a).Add(c.from)
	if upper {
		from = a.Sum.Minus(from)
	}
	every[a.Dim] = Every{c.step, affine.Modulo(from, c.step)}
	return every
}
