package poly

import (
	"errors"
	"math/big"
	"slices"
)

// This file computes with Counts as functions: the calculator's sums, products and compositions of piecewise
// quasi-polynomials. Outside of its pieces a function is 0.

// Plus returns c + d.
func (c Count) Plus(d Count) (Count, error) { return c.combine(d, (*counter).addAll) }

// Minus returns c - d.
func (c Count) Minus(d Count) (Count, error) { return c.Plus(d.Scale(big.NewRat(-1, 1))) }

// Times returns c * d.
func (c Count) Times(d Count) (Count, error) { return c.combine(d, (*counter).multiplyAll) }

// Scale returns k * c.
func (c Count) Scale(k *big.Rat) Count {
	if k.Sign() == 0 {
		return Count{method: c.method}
	}
	return c.each(func(g countGroup, p countPiece) (countPiece, bool) { return countPiece{p.dom, p.value.scaled(k)}, true })
}

// Coalesce returns c with domains of fewer parts where it can.
func (c Count) Coalesce() Count {
	return c.each(func(g countGroup, p countPiece) (countPiece, bool) { return countPiece{coalesce(p.dom), p.value}, true })
}

// IntersectDomain returns c on the points of s, and 0 elsewhere.
func (c Count) IntersectDomain(s Set) Count {
	return c.overParams(s.Params()).each(func(g countGroup, p countPiece) (countPiece, bool) {
		dom := intersect(p.dom, s.parts)
		return countPiece{dom, p.value}, !allEmpty(dom)
	})
}

// Gist returns a function with simpler domains that has the values of c on context.
func (c Count) Gist(context Set) Count {
	return c.overParams(context.Params()).each(func(g countGroup, p countPiece) (countPiece, bool) {
		dom := gist(p.dom, context.parts)
		return countPiece{dom, p.value}, len(dom) > 0
	})
}

// IsEqual reports whether c and d have the same values. True is certain; false is not, where floors with large
// denominators have the same values without looking alike.
func (c Count) IsEqual(d Count) bool {
	x, infiniteX := c.splitInfinite()
	y, infiniteY := d.splitInfinite()
	diff, err := x.Minus(y)
	return err == nil && len(diff.groups) == 0 && infiniteX.IsEqual(infiniteY)
}

// splitInfinite returns the finite pieces of c, and where it is infinite.
func (c Count) splitInfinite() (finite Count, infinite Set) {
	finite = c.each(func(g countGroup, p countPiece) (countPiece, bool) {
		if p.value.infinite {
			infinite = infinite.Union(Set{p.dom})
		}
		return p, !p.value.infinite
	})
	return finite, infinite
}

// each returns c with each piece replaced by what f makes of it, if that is something.
func (c Count) each(f func(countGroup, countPiece) (countPiece, bool)) Count {
	made := Count{method: c.method}
	for _, g := range c.groups {
		pieces := g.pieces
		g.pieces = nil
		for _, p := range pieces {
			if q, ok := f(g, p); ok {
				g.pieces = append(g.pieces, q)
			}
		}
		if len(g.pieces) > 0 {
			made.groups = append(made.groups, g)
		}
	}
	return made
}

// params returns the parameters of all groups.
func (c Count) params() []string {
	var names []string
	for _, g := range c.groups {
		names = mergeParams(names, g.space.Params)
	}
	return names
}

// overParams returns c over its parameters and names.
func (c Count) overParams(names []string) Count {
	params := mergeParams(c.params(), names)
	moved := Count{method: c.method}
	for _, g := range c.groups {
		space := g.space
		space.Params = params
		t := newCounter(space.cols())
		moved.groups = append(moved.groups, t.group(space, t.adopt(g, space)))
	}
	return moved
}

// group returns pieces whose values use the table of c as a group.
func (c *counter) group(space Space, pieces []countPiece) countGroup {
	g := countGroup{space: space, pieces: pieces}
	for _, l := range c.table.locals {
		g.divs = append(g.divs, l.div)
	}
	for i, p := range pieces {
		pieces[i].dom = slices.Clone(p.dom)
		for j := range p.dom {
			pieces[i].dom[j].space = space
		}
	}
	return g
}

// adopt returns the pieces of g over space, which has at least its parameters, and the table of c.
func (c *counter) adopt(g countGroup, space Space) []countPiece {
	cols := seq(paramCols(g.space.Params, space.Params), space.inCol(), space.cols()-space.inCol())
	images := make([]vec, 0, len(cols)+len(g.divs))
	for _, col := range cols {
		images = append(images, unitVec(c.known, col))
	}
	for _, d := range g.divs {
		images = append(images, c.table.floor(combined(d.num, images).grown(1), d.den))
	}
	var pieces []countPiece
	for _, p := range g.pieces {
		value := p.value.mapped(func(id int) polynomial { return linear(images[id]) })
		pieces = append(pieces, countPiece{renamed(overParams(p.dom, space.Params), []Basic{universe(space)}), value})
	}
	return pieces
}

// mapped returns p with each variable id replaced by image(id).
func (p polynomial) mapped(image func(id int) polynomial) polynomial {
	if p.infinite {
		return p
	}
	var terms []term
	for _, t := range p.terms {
		product := scalar(t.coef)
		for _, x := range t.mono {
			y := image(x.id)
			for range x.exp {
				product = product.times(y)
			}
		}
		terms = append(terms, product.terms...)
	}
	return collect(terms)
}

// combine returns what op makes of the pieces that c and d have for each tuple, none for a tuple that one lacks.
func (c Count) combine(d Count, op func(c *counter, x, y []countPiece) []countPiece) (Count, error) {
	made := Count{method: max(c.method, d.method)}
	err := Limited(func() error {
		params := mergeParams(c.params(), d.params())
		for _, g := range append(slices.Clone(c.groups), d.without(c)...) {
			space := g.space
			space.Params = params
			t := newCounter(space.cols())
			if pieces := t.tidy(op(t, c.piecesOf(t, space), d.piecesOf(t, space))); len(pieces) > 0 {
				made.groups = append(made.groups, t.group(space, pieces))
			}
		}
		return nil
	})
	return made, err
}

// without returns the groups of c for tuples that d lacks.
func (c Count) without(d Count) []countGroup {
	var list []countGroup
	for _, g := range c.groups {
		if !slices.ContainsFunc(d.groups, func(h countGroup) bool { return h.space.sameTuples(g.space) }) {
			list = append(list, g)
		}
	}
	return list
}

// piecesOf returns the pieces of c for the tuple of space, adopted by t.
func (c Count) piecesOf(t *counter, space Space) []countPiece {
	for _, g := range c.groups {
		if g.space.sameTuples(space) {
			return t.adopt(g, space)
		}
	}
	return nil
}

// addAll returns the sum of pieces.
func (c *counter) addAll(x, y []countPiece) []countPiece { return c.partition(slices.Concat(x, y)) }

// multiplyAll returns the product of pieces, of which x are disjoint and y are.
func (c *counter) multiplyAll(x, y []countPiece) []countPiece {
	var list []countPiece
	for _, p := range x {
		for _, q := range y {
			if dom := intersect(p.dom, q.dom); !allEmpty(dom) {
				list = append(list, countPiece{dom, p.value.times(q.value)})
			}
		}
	}
	return list
}

// errInfinite says that a sum does not converge; a number of points is then infinity.
var errInfinite = errors.New("poly: a sum over infinitely many points")

// Sum returns the sum of c over all points of its domain, as a function of the parameters. Where the domain is a set of
// pairs, it sums over the second points, as a function of the first ones.
func (c Count) Sum() (Count, error) {
	return c.sumGroups(func(yield func(integrand)) {
		for _, g := range c.groups {
			first, _, ok := g.space.Out.Pair()
			if !ok {
				first = noTuple
			}
			for _, p := range g.pieces {
				for _, b := range disjoint(p.dom) {
					yield(integrand{b, g, p.value, seq(nil, 0, g.space.cols()), first})
				}
			}
		}
	})
}

// Compose returns, for each first point x of m, the sum of c over the points that m relates x to.
func (c Count) Compose(m Map) (Count, error) {
	x := c.overParams(m.Params())
	parts := overParams(m.parts, mergeParams(m.Params(), x.params()))
	x = x.overParams(paramsOf(parts))
	return x.sumGroups(func(yield func(integrand)) {
		for _, same := range groupBy(parts, func(a, b Basic) bool { return a.space.sameTuples(b.space) }) {
			for _, a := range disjoint(same) {
				x.restricted(a, yield)
			}
		}
	})
}

// restricted yields the pieces of c as functions of the pairs of a, by the second points. The parameters are the same,
// and those of c in order come first.
func (c Count) restricted(a Basic, yield func(integrand)) {
	for _, g := range c.groups {
		if !g.space.Out.same(a.space.Out) {
			continue
		}
		cols := seq(paramCols(g.space.Params, a.space.Params), a.space.outCol(), len(a.space.Out.Dims))
		for _, p := range g.pieces {
			for _, b := range disjoint(p.dom) {
				if both, ok := a.conjoin(b, cols); ok {
					yield(integrand{both, g, p.value, cols, a.space.In})
				}
			}
		}
	}
}

// An integrand is a value of the group g, whose columns are the columns cols of b, to sum over the points of b, for each
// value of its first dimensions, which make up the tuple given.
type integrand struct {
	b     Basic
	g     countGroup
	value polynomial
	cols  []int
	given Tuple
}

// known returns the number of columns that are not summed over.
func (i integrand) known() int { return i.b.space.inCol() + len(i.given.Dims) }

// space returns the space of what the sum depends on.
func (i integrand) space() Space { return setSpace(i.b.space.Params, i.given) }

// sumGroups returns the sums of integrands, by what they depend on.
func (c Count) sumGroups(all func(yield func(integrand))) (Count, error) {
	made := Count{method: c.method}
	err := Limited(func() error {
		var spaces []Space
		var counters []*counter
		var failed error
		all(func(x integrand) {
			at := slices.IndexFunc(spaces, func(s Space) bool { return s.sameTuples(x.space()) })
			if at < 0 {
				at = len(spaces)
				spaces, counters = append(spaces, x.space()), append(counters, newCounter(x.known()))
			}
			if err := counters[at].integrate(x); err != nil {
				failed = err
			}
		})
		for i, t := range counters {
			if pieces := t.pieces(); len(pieces) > 0 {
				made.groups = append(made.groups, t.group(spaces[i], pieces))
			}
		}
		return failed
	})
	return made, err
}

// integrate adds the sum of x. The divs that x.value uses become variables where they depend on some.
func (c *counter) integrate(x integrand) error {
	if x.value.isZero() {
		return nil
	}
	n := x.b.space.cols() - c.known
	varying := x.varyingDivs(c.known)
	space := c.space(n + len(varying))
	w := &summand{c: c, s: newSystem(space.cols(), 0), vars: c.variables(n + len(varying))}
	images := make([]image, 0, len(x.cols)+len(x.g.divs))
	for _, col := range x.cols {
		images = append(images, image{col: col})
	}
	for i, d := range x.g.divs {
		at := slices.Index(varying, i)
		switch {
		case at >= 0:
			images = append(images, image{col: x.b.space.cols() + at})
		case x.uses(i):
			images = append(images, w.s.addDiv(w.s.mapped(d.num, images), d.den))
		default:
			images = append(images, image{})
		}
	}
	for _, i := range varying {
		lo, hi := x.g.divs[i].bounds(x.g.space.cols()+len(x.g.divs), x.g.space.cols()+i)
		w.s.addRow(false, w.s.mapped(lo.c, images))
		w.s.addRow(false, w.s.mapped(hi.c, images))
	}
	value := x.value.mapped(func(id int) polynomial { return w.express(w.s.mapped(unitVec(id+1, id), images)) })
	w.s.add(x.b, seq(nil, 0, x.b.space.cols()))
	return c.start(cell{w.s.finishOrEmpty(space), w.vars, value, false})
}

// uses reports whether x.value depends on div i, directly or by way of others.
func (x integrand) uses(i int) bool {
	id := x.g.space.cols() + i
	if x.value.uses(id) {
		return true
	}
	for j := i + 1; j < len(x.g.divs); j++ {
		if d := x.g.divs[j].num; len(d) > id && !d[id].isZero() && x.uses(j) {
			return true
		}
	}
	return false
}

// varyingDivs returns the divs that x.value uses and that depend on columns from known on.
func (x integrand) varyingDivs(known int) []int {
	var list []int
	varies := make([]bool, len(x.cols)+len(x.g.divs))
	for i, col := range x.cols {
		varies[i] = col >= known
	}
	for i, d := range x.g.divs {
		for c, k := range d.num {
			if !k.isZero() && varies[c] && x.uses(i) {
				varies[len(x.cols)+i] = true
			}
		}
		if varies[len(x.cols)+i] {
			list = append(list, i)
		}
	}
	return list
}
