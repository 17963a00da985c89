package scan

import (
	"slices"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/poly"
)

// This file turns rows of package poly into expressions and comparisons.

// A rowReader reads the rows of one conjunction.
type rowReader struct {
	space poly.Space
	divs  []poly.Div
	floor []affine.Expr // of divs, by need
	uses  []bool        // of divs: whether a dimension of a tuple occurs in them
}

// newReader returns the reader for rows over a space and floors.
func newReader(space poly.Space, divs []poly.Div) *rowReader {
	r := &rowReader{space: space, divs: divs, floor: make([]affine.Expr, len(divs)), uses: make([]bool, len(divs))}
	for i, d := range divs {
		r.uses[i] = r.usesDims(d.Num)
		r.floor[i] = affine.Floor(r.expr(d.Num), d.Den)
	}
	return r
}

// usesDims reports whether a dimension of a tuple occurs in the row, in its floors, too.
func (r *rowReader) usesDims(a poly.Affine) bool {
	if slices.ContainsFunc(a.In, nonzero) || slices.ContainsFunc(a.Out, nonzero) {
		return true
	}
	for i, c := range a.Divs {
		if c != 0 && r.uses[i] {
			return true
		}
	}
	return false
}

func nonzero(c int64) bool { return c != 0 }

// expr returns the value of a row, in which dimensions have the names of the space.
func (r *rowReader) expr(a poly.Affine) affine.Expr {
	var e affine.Expr = r.sum(a)
	for i, c := range a.Divs {
		e = affine.Total(e, c, r.floor[i])
	}
	return e
}

// sum returns the value of a row without its floors.
func (r *rowReader) sum(a poly.Affine) affine.Sum {
	x := affine.Num(a.Const)
	add := func(names []string, coefs []int64) {
		for i, c := range coefs {
			if c != 0 {
				x = x.Plus(affine.Var(names[i]).Times(c))
			}
		}
	}
	add(r.space.Params, a.Params)
	add(r.space.In.Dims, a.In)
	add(r.space.Out.Dims, a.Out)
	return x
}

// condition returns a set of parameters as a condition.
func condition(s poly.Set) Cond {
	c := Cond{}
	for _, b := range s.Basics() {
		c = append(c, conjunction(b))
	}
	return c
}

// conjunction returns the rows of b as comparisons.
func conjunction(b poly.Basic) []Comparison {
	r := newReader(b.Space(), b.Divs())
	all := []Comparison{}
	for _, row := range b.Constraints() {
		all = append(all, comparison(row.Eq, r.expr(row.Affine)))
	}
	return all
}

// comparison returns e >= 0, or e = 0, with what is subtracted on the right.
func comparison(eq bool, e affine.Expr) Comparison {
	e = affine.Remainders(e)
	op := AtLeast
	if eq {
		op = Equal
		if m, ok := divisible(e); ok {
			return Comparison{Equal, m, affine.Num(0)}
		}
	}
	left, right := sides(e)
	if isNumber(left) && !isNumber(right) { // 3 >= i reads better as i <= 3
		if left, right = right, left; op == AtLeast {
			op = AtMost
		}
	}
	return Comparison{op, left, right}
}

// divisible returns the remainder that is 0 iff e is, where e is k times one, but for its sign.
func divisible(e affine.Expr) (affine.Expr, bool) {
	l, ok := e.(affine.Linear)
	if !ok || len(l.Parts) != 1 || !l.Sum.IsNum() || l.Sum.Const != 0 {
		m, ok := e.(affine.Mod)
		return m, ok
	}
	m, ok := l.Parts[0].X.(affine.Mod)
	return m, ok
}

// isNumber reports whether e is a number.
func isNumber(e affine.Expr) bool {
	s, ok := e.(affine.Sum)
	return ok && s.IsNum()
}

// sides returns what is added in e, and what is subtracted; a number stands where there is less else, or with what it can be
// added to without a sign.
func sides(e affine.Expr) (plus, minus affine.Expr) {
	l, ok := e.(affine.Linear)
	if s, isSum := e.(affine.Sum); isSum {
		l, ok = affine.Linear{Sum: s}, true
	}
	if !ok {
		return e, affine.Num(0)
	}
	plus, minus = affine.Num(0), affine.Num(0)
	for _, t := range l.Sum.Terms {
		if x := affine.Var(t.Var); t.Coef > 0 {
			plus = affine.Total(plus, t.Coef, x)
		} else {
			minus = affine.Total(minus, -t.Coef, x)
		}
	}
	for _, p := range l.Parts {
		if p.Coef > 0 {
			plus = affine.Total(plus, p.Coef, p.X)
		} else {
			minus = affine.Total(minus, -p.Coef, p.X)
		}
	}
	switch c := l.Sum.Const; {
	case isNumber(minus): // i - 3 >= 0 is i >= 3
		minus = affine.Num(-c)
	case c > 0:
		plus = affine.Total(plus, 1, affine.Num(c))
	case c < 0:
		minus = affine.Total(minus, 1, affine.Num(-c))
	}
	return plus, minus
}
