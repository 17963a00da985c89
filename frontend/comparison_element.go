package frontend

import (
	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/poly"
)

// This file reads, for the comparison with the program, the integers that lie in arrays.

// paramElement returns the value of e, an element of an array that is a parameter, by the values of its subscripts.
func (l *lookout) paramElement(e expr, sc *scope) (all choiceOfSums, ok bool) {
	p, _, ok := l.constantElement(e)
	if !ok {
		return nil, false
	}
	root := p
	for at := sc; at != nil; at = at.caller {
		d, isPassed := l.ofCaller(root.root.decl, at)
		if !isPassed {
			break
		}
		if d == nil {
			return nil, false
		}
		root.root.decl = d
	}
	like := l.u.elementsLike(root)
	for _, d := range inOrder(l.source, l.params) {
		m := l.u.members.of[d]
		if m.root != like.root || m.kind != like.kind {
			continue
		}
		when := poly.True()
		for k, sub := range p.subs {
			x, ok := l.value(sub, sc)
			if !ok {
				return nil, false
			}
			when = poly.And(when, compared("==", x, oneSum(affine.Num(m.at[k]))).maybe)
		}
		if !when.IsFalse() {
			all = append(all, sumWhere{when, affine.Var(l.params[d].Name)})
		}
	}
	return all, len(all) > 0
}

// tableElement returns the value of e, an element of an array of constants, by the values of its subscripts.
func (l *lookout) tableElement(e expr, sc *scope) (choiceOfSums, bool) {
	p, values, ok := l.tableOfPath(e)
	if !ok {
		return l.paramElement(e, sc)
	}
	if len(values) > maxExtremes {
		return nil, false
	}
	shape, _ := shapeOf(p.root.decl)
	all := oneSum(affine.Num(0)) // which element, row by row
	for k, sub := range p.subs {
		x, ok := l.value(sub, sc)
		if !ok {
			return nil, false
		}
		var next choiceOfSums
		for _, row := range all {
			for v := range shape.dims[k].Len() {
				if test := compared("==", x, oneSum(affine.Num(v))).maybe; !test.IsFalse() {
					next = append(next, sumWhere{poly.And(row.when, test), affine.Num(row.value.Const*shape.dims[k].Len() + v)})
				}
			}
		}
		all = next
	}
	for i := range all {
		all[i].value = affine.Num(values[all[i].value.Const])
	}
	return all, true
}
