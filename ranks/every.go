package ranks

import (
	"fmt"
	"slices"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/poly"
	"github.com/hexcc/hexcc/scop"
)

// This file finds what a store writes: a box of elements, or every other one of them, as those of one colour of a checkerboard. These are several boxes
// with steps: of red points in two dimensions those in even rows and even columns, and those in odd rows and odd columns.

// Every says which subscripts a box has between its bounds: those that are From modulo Step. From is over parameters, and 0 <= From < Step.
type Every struct {
	Step int64
	From affine.Expr
}

// holds returns that subscripts x are of a box with these steps; nil are steps of 1.
func holds(every []Every, x []affine.Expr) poly.Formula {
	var rows []poly.Formula
	for d, e := range every {
		if e.Step > 1 {
			rows = append(rows, poly.Equal(affine.Modulo(x[d].(affine.Sum), e.Step), e.From))
		}
	}
	return poly.And(rows...)
}

// Text returns how a box says which subscripts it has; "" where it has all between its bounds.
func (e Every) Text() string {
	if e.Step <= 1 {
		return ""
	}
	return fmt.Sprintf(", %v modulo %d", e.From, e.Step)
}

// mostSteps is how many boxes with steps there may be of what a store writes.
const mostSteps = 16

// A class is stores to an array that write the same elements in time: of them there are boxes together, as many as there are in every.
type class struct {
	box
	every [][]Every
	by    []touch
}

// classes returns the stores to an array by what they write.
func (p *planner) classes(a *scop.Array) (list []class, err error) {
	for _, w := range touches(p.scop, a, true) {
		set := w.a.Map.IntersectParams(p.scop.Context).Range()
		if set.IsEmpty() {
			continue
		}
		c := class{every: p.every(w), by: []touch{w}}
		if c.box, err = p.boxOf(a, set); err != nil {
			return nil, err
		}
		same := func(x, y []Every) bool {
			return slices.EqualFunc(x, y, func(e, f Every) bool { return e.Step == f.Step && affine.Same(e.From, f.From) })
		}
		i := slices.IndexFunc(list, func(x class) bool {
			return x.same(c.box) && slices.EqualFunc(x.every, c.every, same)
		})
		if i < 0 {
			list = append(list, c)
		} else {
			list[i].by = append(list[i].by, w)
		}
	}
	return list, nil
}

// every returns the steps of boxes that together are what a store writes, of what lies in its box. They may hold more, where a condition on remainders is no matter of subscripts alone.
func (p *planner) every(w touch) [][]Every {
	one := make([]Every, len(w.a.Index))
	for d := range one {
		one[d] = Every{1, affine.Num(0)}
	}
	if len(w.st.When) == 0 {
		return [][]Every{nil}
	}
	all := [][]Every{one}
	for _, when := range w.st.When {
		coef, rest, ok := p.subscripts(w, when)
		pivot := -1
		var free []int // the other dimensions that the condition is about
		boxes := int64(len(all))
		for d, k := range coef {
			if k == 0 {
				continue
			}
			ok = ok && all[0][d].Step == 1
			if pivot < 0 && affine.GCD(k, when.Mod) == 1 {
				pivot = d
				continue
			}
			free = append(free, d)
			boxes *= when.Mod
		}
		if !ok || pivot < 0 || boxes > mostSteps {
			continue
		}
		inverse := int64(1)
		for affine.Remainder(inverse*coef[pivot], when.Mod) != 1 {
			inverse++
		}
		var more [][]Every
		for _, e := range all {
			for at := make([]int64, len(free)); ; {
				sum := rest
				x := slices.Clone(e)
				for i, d := range free {
					sum = sum.Add(coef[d] * at[i])
					x[d] = Every{when.Mod, affine.Num(at[i])}
				}
				x[pivot] = Every{when.Mod, affine.Modulo(sum.Times(-inverse), when.Mod)}
				more = append(more, x)
				if !next(at, func(int) int64 { return when.Mod }) {
					break
				}
			}
		}
		all = more
	}
	return all
}

// subscripts returns a condition on an instance, that it is a multiple of Mod, as one on the subscripts of what it writes: coefficients of these, not negative and less than Mod, and
// a rest over parameters. ok is false where the subscripts do not tell.
func (p *planner) subscripts(w touch, when scop.Residue) (coef []int64, rest affine.Sum, ok bool) {
	coef = make([]int64, len(w.a.Index))
	rest = p.scop.Sum(scop.Affine{Const: when.Const, Params: when.Params}, nil)
	for i, k := range when.Iters {
		if k == 0 {
			continue
		}
		d := slices.IndexFunc(w.a.Index, func(x scop.Index) bool { return x.Mod == 0 && onlyIter(x, i) })
		if d < 0 {
			return coef, rest, false
		}
		x := w.a.Index[d] // sign * iterator + sum
		sign := x.Iters[i]
		coef[d] = affine.Remainder(coef[d]+k*sign, when.Mod)
		rest = rest.Minus(p.scop.Sum(scop.Affine{Const: x.Const, Params: x.Params}, nil).Times(k * sign))
	}
	return coef, rest, true
}

// onlyIter reports whether a subscript is iterator i, or its negative, plus something that does not move.
func onlyIter(x scop.Index, i int) bool {
	for k, c := range x.Iters {
		if k == i && c != 1 && c != -1 || k != i && c != 0 {
			return false
		}
	}
	return i < len(x.Iters)
}
