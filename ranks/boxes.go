package ranks

import (
	"slices"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/poly"
	"github.com/hexcc/hexcc/scop"
)

// This file finds boxes of elements: bounds of all subscripts, over the parameters of the region, of what a region touches or writes, together or store by store.

// A box is bounds of subscripts, over parameters.
type box struct{ lo, hi []affine.Expr }

// set returns the elements of a that lie in b.
func (b box) set(params []string, a *scop.Array) poly.Set {
	var rows []poly.Formula
	for d := range b.lo {
		rows = append(rows, poly.AtMost(b.lo[d], poly.Out(d)), poly.AtMost(poly.Out(d), b.hi[d]))
	}
	return poly.NewSet(params, elements(a), rows...)
}

// columns returns boxes that hold all that the region writes of an array, or where all is set all that it touches. Where stores are to different columns or rows, as those of nests for
// borders, which run at other times than those inside, they have boxes of their own.
func (p *planner) columns(array Array, all bool) (list []box, err error) {
	key := columnsOf{array.Array, all}
	if list, ok := p.known[key]; ok {
		return list, nil
	}
	if list, err = p.findColumns(array, all); err == nil {
		p.known[key] = list
	}
	return list, err
}

// columnsOf says what boxes are asked for.
type columnsOf struct {
	array *scop.Array
	all   bool
}

func (p *planner) findColumns(array Array, all bool) (list []box, err error) {
	a, dim := array.Array, array.Dim
	of := func(set poly.Set) (box, error) { return p.boxOf(a, set) }
	whole, err := of(p.touched(a, !all))
	if err != nil || all {
		return []box{whole}, err
	}
	if !array.Ring {
		if list, err = p.apart(a, of, func(*box) {}); list != nil || err != nil {
			return list, err
		}
	}
	list, err = p.apart(a, of, func(b *box) { b.lo[dim], b.hi[dim] = whole.lo[dim], whole.hi[dim] })
	if list != nil || err != nil {
		return list, err
	}
	return []box{whole}, nil
}

// apart returns the boxes that hold what each store to a writes, after a change; nil where two that differ overlap, at sizes at which there are stores to both.
func (p *planner) apart(a *scop.Array, of func(poly.Set) (box, error), change func(b *box)) (list []box, err error) {
	var there []poly.Set // the elements of each box, at sizes at which there are stores to them
	for _, st := range p.scop.Stmts {
		for _, x := range st.Accesses {
			set := x.Map.IntersectParams(p.scop.Context).Range()
			if x.Array != a || !x.Write || set.IsEmpty() {
				continue
			}
			b, err := of(set)
			if err != nil {
				return nil, err
			}
			change(&b)
			elems := b.set(p.params, a).IntersectParams(poly.NewMap(nil, elements(a), poly.Tuple{}).Apply(set))
			if i := slices.IndexFunc(list, b.same); i >= 0 {
				there[i] = there[i].Union(elems)
			} else {
				list, there = append(list, b), append(there, elems)
			}
		}
	}
	for i, b := range there {
		for _, c := range there[:i] {
			if !b.Intersect(c).IsEmpty() {
				return nil, nil
			}
		}
	}
	return list, nil
}

// boxOf returns the box of elements of a.
func (p *planner) boxOf(a *scop.Array, set poly.Set) (b box, err error) {
	for d := range a.Extents {
		lo, hi, err := p.extent(set, d)
		if err != nil {
			return b, p.tooFar(a)
		}
		b.lo, b.hi = append(b.lo, lo), append(b.hi, hi)
	}
	return b, nil
}

func (b box) same(c box) bool {
	return slices.EqualFunc(b.lo, c.lo, affine.Same) && slices.EqualFunc(b.hi, c.hi, affine.Same)
}

// touched returns the elements of a that the region writes, or all that it touches.
func (p *planner) touched(a *scop.Array, writes bool) (all poly.Set) {
	list := touches(p.scop, a, true)
	if !writes {
		list = append(list, touches(p.scop, a, false)...)
	}
	for _, t := range list {
		all = all.Union(t.a.Map.IntersectParams(p.scop.Context).Range())
	}
	return all
}

// extent returns the least and the greatest subscript of elements in a dimension, over parameters.
func (p *planner) extent(set poly.Set, d int) (lo, hi affine.Expr, err error) {
	params := p.scop.ParamNames()
	tuple := elementsOf(set)
	var los, his []affine.Expr
	one := poly.NewMap(nil, tuple, poly.Tuple{Dims: poly.Dims(1)}, poly.Equal(poly.Out(0), poly.In(d)))
	all := one.Apply(set)
	if lo, hi, ok := numbers(all); ok {
		return affine.Num(lo), affine.Num(hi), nil
	}
	for _, b := range all.SimpleHull().Basics() {
		names := b.Space().Params
		for _, c := range b.Constraints() {
			k := c.Out[0]
			if k == 0 || slices.ContainsFunc(c.Divs, func(c int64) bool { return c != 0 }) {
				continue
			}
			row := affine.Num(c.Const).Plus(affine.Var("x").Times(k))
			for i, name := range names {
				row = row.Plus(affine.Var(params[slices.Index(params, name)]).Times(c.Params[i]))
			}
			signs := []affine.Sum{row}
			if c.Eq {
				signs = append(signs, row.Times(-1))
			}
			for _, r := range signs {
				l, h := affine.Solve(r, "x")
				if l != nil {
					los = append(los, l)
				}
				if h != nil {
					his = append(his, h)
				}
			}
		}
	}
	if los == nil || his == nil {
		return nil, nil, errUnbounded
	}
	return affine.MaxOf(los...), affine.MinOf(his...), nil
}

// numbers returns the least and the greatest number in a set, where parameters do not matter; ok is false where they do, or there are none. Of numbers that are
// multiplied with the strides of one subscript that stands for several, parts are many, and a hull of all of them is a hard question.
func numbers(s poly.Set) (lo, hi int64, ok bool) {
	lo, hi = none, -none
	for _, b := range s.Basics() {
		for _, c := range b.Constraints() {
			of := c.Out[0] != 0 || slices.ContainsFunc(c.Divs, func(k int64) bool { return k != 0 })
			if of && slices.ContainsFunc(c.Params, func(k int64) bool { return k != 0 }) {
				return 0, 0, false
			}
		}
		one := b.Set()
		_, least, low := one.LexMin().Sample()
		_, most, high := one.LexMax().Sample()
		if !low || !high {
			return 0, 0, false
		}
		lo, hi = min(lo, least[0]), max(hi, most[0])
	}
	return lo, hi, lo <= hi
}
