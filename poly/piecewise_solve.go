package poly

import "slices"

// This file solves a conjunction for the dimensions of its second tuple, of which there is at most one point for each first
// one. The unknowns are these dimensions and the divs that depend on them.
//
//   - An equality determines an unknown, after a change of variables if need be.
//   - An unknown u whose lower bound l/a over known columns is no more than g+1 below it is ceil(l/a) + j for a j in 0..g:
//     one case for each j, and only one if g is 0. Linear programming finds g. Upper bounds serve as well.
//   - If no bound is that close, the bounds of an unknown are put in order: one case for each that may be the greatest.

// A solving is a system, with the dimensions to solve for as expressions in its columns.
type solving struct {
	*system
	values []vec
}

// solvePieces returns b, which is single valued, as functions with disjoint domains.
func solvePieces(b Basic) []AffPiece {
	space := setSpace(b.space.Params, b.space.In)
	var pieces []AffPiece
	var work []solving
	if x := b.solving(space); !x.empty() { // of what is empty, any row follows from the others
		work = append(work, x)
	}
	for len(work) > 0 {
		x := work[len(work)-1]
		work = work[:len(work)-1]
		cases, ok := x.step()
		if ok {
			if p, ok := x.piece(space, b.space.Out); ok {
				pieces = append(pieces, p)
			}
			continue
		}
		cases = slices.DeleteFunc(cases, func(c solving) bool { return c.empty() })
		if len(cases)+len(work)+len(pieces) > maxParts {
			panic(&LimitError{Op: "function", What: "pieces", Bound: maxParts})
		}
		slices.Reverse(cases)
		work = append(work, cases...)
	}
	return pieces
}

// solving returns b with the second tuple as unknowns.
func (b Basic) solving(space Space) solving {
	n := len(b.space.Out.Dims)
	s := newSystem(space.cols(), n)
	s.add(b, seq(seq(nil, 0, space.cols()), space.cols(), n))
	s.releaseDivs()
	x := solving{s, make([]vec, n)}
	for i := range n {
		x.values[i] = unitVec(s.width(), space.cols()+i)
	}
	return x
}

func (x solving) clone() solving {
	c := solving{x.system.clone(), make([]vec, len(x.values))}
	for i, v := range x.values {
		c.values[i] = v.clone()
	}
	return c
}

// piece returns the function, when nothing is unknown.
func (x solving) piece(space Space, tuple Tuple) (AffPiece, bool) {
	p := AffPiece{Tuple: tuple, Values: make([]Aff, len(x.values))}
	for i, v := range x.values {
		own := x.system.clone()
		own.rows = []row{{false, v.grown(own.width())}}
		own = own.compact()
		p.Values[i] = Aff{space: space, num: own.rows[0].c}
		for _, l := range own.locals {
			p.Values[i].divs = append(p.Values[i].divs, l.div)
		}
	}
	domain, ok := x.system.clone().finishReduced(space)
	p.Domain = domain
	return p, ok
}

// step solves for unknowns until cases must be told apart, which it returns. With ok, nothing is unknown.
func (x solving) step() (cases []solving, ok bool) {
	for {
		if !x.normalize() {
			return nil, false
		}
		if i := x.equalityWithUnknown(); i >= 0 {
			x.useEquality(i)
			continue
		}
		u := x.firstUnknown()
		if u < 0 {
			return nil, true
		}
		return x.split(), false
	}
}

// firstUnknown returns an unknown that a row or a value uses, or -1.
func (x solving) firstUnknown() int {
	for c := x.known; c < x.width(); c++ {
		if x.isUnknown(c) && (x.used(c) || slices.ContainsFunc(x.values, func(v vec) bool { return c < len(v) && !v[c].isZero() })) {
			return c
		}
	}
	return -1
}

// useEquality eliminates an unknown by the equality i, like system.useEquality.
func (x solving) useEquality(i int) {
	v := x.rows[i].c
	u := x.oneUnknown(v, x.replace)
	num := v.clone()
	num[u] = Int{}
	if v[u].Sign() > 0 {
		num.scale(minusOne)
	}
	x.assign(u, x.floor(num, v[u].Abs()))
}

// assign replaces the unknown u by an expression over known columns and divs.
func (x solving) assign(u int, expr vec) {
	x.replace(u, expr)
	x.locals[u-x.known] = local{kind: gone}
}

// replace replaces column u by expr, which may use u, in rows and values.
func (x solving) replace(u int, expr vec) {
	x.substitute(u, expr)
	for i, v := range x.values {
		v = v.grown(x.width())
		v.substitute(u, expr)
		x.values[i] = v
	}
}

// split returns cases for an unknown: its distances from a bound that is close, or the orders of its bounds.
func (x solving) split() []solving {
	t := newTableau(x.width()-1, x.meter)
	if !t.addAll(x.divBounds()) || !t.addAll(x.rows) {
		return nil
	}
	best, column, least := vec(nil), 0, NewInt(maxGap)
	var order []vec
	orderOf := 0
	for u := x.known; u < x.width(); u++ {
		if !x.isUnknown(u) {
			continue
		}
		bounds := x.boundsOf(u)
		for _, v := range bounds {
			p, q, o := t.maximize(v)
			if o != bounded {
				continue
			}
			if gap := p.FloorDiv(q.Mul(v[u].Abs())); gap.Cmp(least) < 0 {
				best, column, least = v, u, gap
			}
		}
		if n := len(bounds); n > 1 && (order == nil || n < len(order)) {
			order, orderOf = bounds, u
		}
	}
	if best != nil {
		return x.splitAt(column, best, least)
	}
	if order == nil {
		panic(&LimitError{Op: "function", What: "values of an unknown", Bound: maxGap})
	}
	return x.splitOrder(orderOf, order)
}

// boundsOf returns the rows that bound u, from below and above, over known columns otherwise: those of Fourier-Motzkin
// elimination of the other unknowns, which integer points satisfy but do not have to reach.
func (x solving) boundsOf(u int) []vec {
	s := x.system.clone()
	for c := s.known; c < s.width(); c++ {
		if c != u && s.isUnknown(c) && s.used(c) {
			s.combineBounds(c)
		}
	}
	if s.normalize() {
		s.dropRedundant(nil)
	}
	var bounds []vec
	for _, r := range s.rows {
		if !r.c[u].isZero() && !slices.ContainsFunc(bounds, r.c.equal) {
			bounds = append(bounds, r.c)
		}
	}
	return bounds
}

// splitAt returns the cases where u is 0..gap away from the bound v: above its ceil, or below its floor.
func (x solving) splitAt(u int, v vec, gap Int) []solving {
	a := v[u].Abs()
	rest := v.clone()
	rest[u] = Int{}
	var cases []solving
	for j := NewInt(0); j.Cmp(gap) <= 0; j = j.Add(one) {
		c := x.clone()
		var value vec
		if v[u].Sign() > 0 { // u >= ceil(-rest/a) = -floor(rest/a)
			value = c.floor(rest, a).negated()
			value[0] = value[0].Add(j)
		} else { // u <= floor(rest/a)
			value = c.floor(rest, a)
			value[0] = value[0].Sub(j)
		}
		c.assign(u, value)
		cases = append(cases, c)
	}
	return cases
}

// splitOrder returns the cases where one of the bounds of u, from below if there are several, is the tightest.
func (x solving) splitOrder(u int, bounds []vec) []solving {
	var lower, upper []vec
	for _, v := range bounds {
		if v[u].Sign() > 0 {
			lower = append(lower, v)
		} else {
			upper = append(upper, v)
		}
	}
	if len(lower) < 2 {
		lower = upper
	}
	var cases []solving
	for i, v := range lower {
		c := x.clone()
		news := false
		for j, w := range lower {
			if i == j {
				continue
			}
			r := w.clone() // w/|w[u]| >= v/|v[u]|: v is tighter
			r.combine(v[u].Abs(), w[u].Abs().Neg(), v)
			if j < i {
				r[0] = r[0].Sub(one)
			}
			news = news || !slices.ContainsFunc(x.rows, func(old row) bool { return !old.eq && old.c.equal(r) })
			c.addRow(false, r)
		}
		if !news {
			panic(&LimitError{Op: "function", What: "values of an unknown", Bound: maxGap})
		}
		cases = append(cases, c)
	}
	if len(cases) == 0 {
		panic(&LimitError{Op: "function", What: "values of an unknown", Bound: maxGap})
	}
	return cases
}
