package poly

import (
	"fmt"
	"slices"
)

// This file sums polynomials over the integer points of a Basic, one variable after the other, exactly:
//
//   - divs that use variables become variables themselves, which have one value at each point;
//   - an equality, after a change of variables, determines a variable;
//   - otherwise the points fall into cells where one lower bound l <= a*x of a variable x is the greatest and one upper
//     bound b*x <= u the least, so that x runs from ceil(l/a) to floor(u/b), and Faulhaber's formulas sum powers of x;
//   - before that, each cell is split by remainders of other variables, y = m*y' + r, until the floors use these only
//     outside: floor((k*a*y' + p)/a) = k*y' + floor(p/a). Floors of parameters stay, in the table of divs.
//
// What is left when no variable is are values for conditions on the parameters, which overlap: see count_pieces.go.

// A counter sums over Basics whose columns before known are parameters.
type counter struct {
	known  int
	params []string // names for messages
	table  *system  // the divs that polynomials use
	cells  int
	fresh  int
	found  []countPiece // the values that cells contributed
	effort int          // the work that proofs of equal values may still do
}

func newCounter(known int) *counter {
	c := &counter{known: known, params: make([]string, known-1), effort: maxEffort, table: newSystem(known, 0)}
	for i := range c.params {
		c.params[i] = fmt.Sprintf("p%d", i)
	}
	return c
}

// A cell is a set of points, whose dimensions are variables, and what to sum over it.
type cell struct {
	b     Basic
	vars  []int // the names of the dimensions in p
	p     polynomial
	split bool // a part of the set that was given
}

// count adds the number of points of b, times sign; its columns from first on are variables. It fails only where sign is
// negative, and the number infinite.
func (c *counter) count(b Basic, first int, sign int64) error {
	vars := c.variables(b.space.cols() - first)
	b.space = c.space(len(vars))
	return c.start(cell{b, vars, constant(sign, 1), false})
}

// start adds the sum of x.p over the points of x. It fails if these are infinitely many, unless x.p is a positive
// constant: then the sum is infinity.
func (c *counter) start(x cell) error {
	x, ok := c.prepare(x)
	switch {
	case !ok:
	case !x.unbounded(c.known):
		c.sumFactors(x)
	case !x.p.infinite && !x.p.isPositiveConstant():
		return errInfinite
	default:
		for _, b := range x.b.project(c.space(0), appendRepeated(seq(nil, 0, c.known), -1, len(x.vars))) {
			c.contribute(b, infinity)
		}
	}
	return nil
}

// sumFactors is sum where x may consist of parts with variables of their own: the number of points of a product is the
// product of the numbers.
func (c *counter) sumFactors(x cell) {
	parts := x.factors(c.known)
	if len(parts) < 2 || len(x.p.terms) != 1 || len(x.p.terms[0].mono) > 0 {
		c.sum(x)
		return
	}
	product := []countPiece{{[]Basic{universe(c.space(0))}, x.p}}
	for _, vars := range parts {
		sub := &counter{known: c.known, params: c.params, table: c.table, cells: c.cells}
		sub.sum(c.factor(x, vars))
		product = sub.multiplyAll(product, sub.partition(sub.found))
		c.cells = sub.cells
	}
	c.found = append(c.found, product...)
}

func (p polynomial) isPositiveConstant() bool {
	return len(p.terms) == 1 && len(p.terms[0].mono) == 0 && p.terms[0].coef.Sign() > 0
}

// space returns the space of cells with n variables.
func (c *counter) space(n int) Space { return setSpace(c.params, Tuple{Dims: make([]string, n)}) }

// variables returns n new names.
func (c *counter) variables(n int) []int {
	names := make([]int, n)
	for i := range names {
		c.fresh++
		names[i] = -c.fresh
	}
	return names
}

// sum adds the sum of x.p over the points of x.
func (c *counter) sum(x cell) {
	x, ok := c.prepare(x)
	switch {
	case !ok || x.p.isZero():
		return
	case len(x.vars) == 0:
		c.contribute(x.b, x.p)
		return
	}
	if i := x.equality(c.known); i >= 0 {
		c.solve(x, i)
		return
	}
	if v, upper, ok := x.pinned(c.known); ok {
		c.pin(x, v, upper)
		return
	}
	c.split(x, x.cheapest(c.known))
}

// contribute adds p where b holds.
func (c *counter) contribute(b Basic, p polynomial) {
	for i, f := range c.found {
		if f.dom[0].same(b) {
			c.found[i].value = f.value.plus(p)
			return
		}
	}
	c.found = append(c.found, countPiece{[]Basic{b}, p})
}

// prepare returns x reduced and without divs that use variables, or false if it is empty.
func (c *counter) prepare(x cell) (cell, bool) {
	for {
		if c.cells++; c.cells > maxCells {
			panic(&LimitError{Op: "count", What: "cells", Bound: maxCells})
		}
		b, ok := x.b.reduced()
		if !ok {
			return x, false
		}
		x.b = b
		released := c.release(&x)
		if !released {
			return x, true
		}
	}
}

// release turns the divs of x that use variables into variables. It reports whether there were any.
func (c *counter) release(x *cell) bool {
	uses := x.b.divsUsing(c.known)
	if !slices.Contains(uses, true) {
		return false
	}
	var more []int // the divs to release
	for i, u := range uses {
		if u {
			more = append(more, i)
		}
	}
	space := c.space(len(x.vars) + len(more))
	s := newSystem(space.cols(), 0)
	s.meter = x.b.meter
	images := make([]image, x.b.space.cols(), x.b.width())
	for i := range images {
		images[i].col = i
	}
	for i, d := range x.b.divs {
		if at := slices.Index(more, i); at >= 0 {
			images = append(images, image{col: x.b.space.cols() + at})
		} else {
			images = append(images, s.addDiv(s.mapped(d.num, images), d.den))
		}
	}
	rows := slices.Clone(x.b.rows)
	for _, i := range more {
		lo, hi := x.b.divs[i].bounds(x.b.width(), x.b.space.cols()+i)
		rows = append(rows, lo, hi)
	}
	for _, r := range rows {
		s.addRow(r.eq, s.mapped(r.c, images))
	}
	x.vars = slices.Concat(x.vars, c.variables(len(more)))
	x.b = s.finishOrEmpty(space)
	return true
}

// finishOrEmpty is finish, with a Basic without points for what is plainly empty.
func (s *system) finishOrEmpty(space Space) Basic {
	if b, ok := s.finish(space); ok {
		return b
	}
	return emptyBasic(space)
}

// divsUsing reports for each div of b whether it depends on a dimension from column first on.
func (b Basic) divsUsing(first int) []bool {
	cols := b.space.cols()
	uses := make([]bool, len(b.divs))
	for i, d := range b.divs {
		for c, k := range d.num {
			if !k.isZero() && (c >= first && c < cols || c >= cols && uses[c-cols]) {
				uses[i] = true
			}
		}
	}
	return uses
}
