package ranks

import (
	"fmt"
	"slices"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/poly"
	"github.com/hexcc/hexcc/scop"
)

// This file finds what a store writes: a box of elements, or every other one of them, as those of one colour of a checkerboard.

// A Comb picks of a box of elements those at whose subscripts the sum of Coef, by dimension, and Rest is a multiple of Mod.
type Comb struct {
	Coef []int64
	Rest affine.Sum // over parameters
	Mod  int64
}

// At returns the sum whose multiples of Mod are picked, at subscripts.
func (c Comb) At(x []affine.Expr) affine.Sum {
	sum := c.Rest
	for d, k := range c.Coef {
		if k != 0 {
			sum = sum.Plus(x[d].(affine.Sum).Times(k))
		}
	}
	return sum
}

// Formula returns that an element with these subscripts is picked.
func (c Comb) Formula(x []affine.Expr) poly.Formula {
	return poly.Equal(affine.Modulo(c.At(x), c.Mod), affine.Num(0))
}

// Text returns the condition, of subscripts with these names.
func (c Comb) Text(names []string) string {
	x := make([]affine.Expr, len(c.Coef))
	for d := range x {
		x[d] = affine.Var(names[d])
	}
	return fmt.Sprintf("(%v) mod %d = 0", c.At(x), c.Mod)
}

func (c Comb) same(d Comb) bool {
	return c.Mod == d.Mod && slices.Equal(c.Coef, d.Coef) && affine.Same(c.Rest, d.Rest)
}

// A class is stores to an array that write the same elements in time: of them there are boxes together.
type class struct {
	box
	combs []Comb
	by    []touch
}

// classes returns the stores to an array by what they write.
func (p *planner) classes(a *scop.Array) (list []class, err error) {
	for _, w := range touches(p.scop, a, true) {
		set := w.a.Map.IntersectParams(p.scop.Context).Range()
		if set.IsEmpty() {
			continue
		}
		c := class{combs: p.combs(w), by: []touch{w}}
		for d := range a.Extents {
			lo, hi, err := p.extent(set, d)
			if err != nil {
				return nil, p.far(a)
			}
			c.lo, c.hi = append(c.lo, lo), append(c.hi, hi)
		}
		i := slices.IndexFunc(list, func(x class) bool { return x.same(c.box) && slices.EqualFunc(x.combs, c.combs, Comb.same) })
		if i < 0 {
			list = append(list, c)
		} else {
			list[i].by = append(list[i].by, w)
		}
	}
	return list, nil
}

// combs returns which elements a store writes of those in its box; none where that is no matter of subscripts alone.
func (p *planner) combs(w touch) (list []Comb) {
next:
	for _, when := range w.st.When {
		c := Comb{Coef: make([]int64, len(w.a.Index)), Rest: p.scop.Sum(scop.Affine{Const: when.Const, Params: when.Params}, nil), Mod: when.Mod}
		for i, k := range when.Iters {
			if k == 0 {
				continue
			}
			d := slices.IndexFunc(w.a.Index, func(x scop.Index) bool { return x.Mod == 0 && onlyIter(x, i) })
			if d < 0 {
				continue next
			}
			x := w.a.Index[d] // x = sign * iterator + rest
			sign := x.Iters[i]
			c.Coef[d] += k * sign
			c.Rest = c.Rest.Minus(p.scop.Sum(scop.Affine{Const: x.Const, Params: x.Params}, nil).Times(k * sign))
		}
		for d := range c.Coef {
			c.Coef[d] = affine.Remainder(c.Coef[d], c.Mod)
		}
		c.Rest.Const = affine.Remainder(c.Rest.Const, c.Mod)
		list = append(list, c)
	}
	return list
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
