package frontend

import (
	"iter"
	"slices"

	"modernc.org/cc/v4"
)

// This file is the algebra of affine sums over variables of the program, which is all that bounds, subscripts, extents
// and facts are made of. A constraint is a sum that is not negative.

// A linear is the integer c + sum of v[x]*x over iterators and parameters x. Linears do not change.
type linear struct {
	c int64
	v terms
}

// terms are variables with what they are multiplied by, which is not zero: each variable once, in any order. They are few, so that looking
// through them takes less than to hash a variable.
type terms []term

type term struct {
	of *cc.Declarator
	by int64
}

// of returns what d is multiplied by.
func (v terms) of(d *cc.Declarator) int64 {
	for i := range v {
		if v[i].of == d {
			return v[i].by
		}
	}
	return 0
}

// all yields the variables with what they are multiplied by.
func (v terms) all() iter.Seq2[*cc.Declarator, int64] {
	return func(yield func(*cc.Declarator, int64) bool) {
		for _, t := range v {
			if !yield(t.of, t.by) {
				return
			}
		}
	}
}

// equal reports whether v and w are the same sum.
func (v terms) equal(w terms) bool {
	return len(v) == len(w) && !slices.ContainsFunc(v, func(t term) bool { return w.of(t.of) != t.by })
}

// plus returns v + k*w; k is not zero.
func (v terms) plus(k int64, w terms) terms {
	sum := make(terms, 0, len(v)+len(w))
	for _, t := range v {
		if t.by += k * w.of(t.of); t.by != 0 {
			sum = append(sum, t)
		}
	}
	for _, t := range w {
		if v.of(t.of) == 0 {
			sum = append(sum, term{t.of, k * t.by})
		}
	}
	return sum
}

func constant(c int64) linear { return linear{c: c} }

func variable(d *cc.Declarator) linear { return linear{v: terms{{d, 1}}} }

func (a linear) isConstant() bool { return len(a.v) == 0 }

// plus returns a + k*b.
func (a linear) plus(k int64, b linear) linear {
	r := linear{a.c + k*b.c, a.v}
	if len(b.v) > 0 && k != 0 {
		r.v = a.v.plus(k, b.v)
	}
	return r
}

func (a linear) add(b linear) linear { return a.plus(1, b) }

func (a linear) sub(b linear) linear { return a.plus(-1, b) }

func (a linear) addc(c int64) linear { return a.plus(1, constant(c)) }

func (a linear) scale(k int64) linear { return constant(0).plus(k, a) }

func (a linear) equal(b linear) bool { return a.c == b.c && a.v.equal(b.v) }

// atLeast reports whether a - b is a constant that is not negative.
func (a linear) atLeast(b linear) bool { return a.c >= b.c && a.v.equal(b.v) }

// atLeastSum reports whether a - (b + c) is a constant that is not negative. Nothing is made for it: it is asked of all pairs of constraints.
func (a linear) atLeastSum(b, c linear) bool {
	if a.c < b.c+c.c || len(a.v) > len(b.v)+len(c.v) {
		return false
	}
	for _, of := range [...]terms{a.v, b.v, c.v} {
		for _, t := range of {
			if a.v.of(t.of) != b.v.of(t.of)+c.v.of(t.of) {
				return false
			}
		}
	}
	return true
}

// small reports whether all of a is within maxCoefficient.
func (a linear) small() bool {
	ok := a.c < maxCoefficient && a.c > -maxCoefficient
	for _, c := range a.v.all() {
		ok = ok && c < maxCoefficient && c > -maxCoefficient
	}
	return ok
}

// fold returns x op y if that is affine. Both are within maxCoefficient.
func fold(op string, x, y linear) (linear, bool) {
	switch op {
	case "+":
		return x.add(y), true
	case "-":
		return x.sub(y), true
	case "*":
		if y.isConstant() {
			x, y = y, x
		}
		if !x.isConstant() || abs(x.c) >= 1<<20 && !y.within(1<<20) {
			return linear{}, false
		}
		return y.scale(x.c), true
	case "<<":
		if !y.isConstant() || y.c < 0 || y.c > 20 {
			return linear{}, false
		}
		return x.scale(1 << y.c), true
	}
	if op == "/" && !x.isConstant() && y.isConstant() && y.c > 0 {
		return x.divided(y.c)
	}
	if !x.isConstant() || !y.isConstant() || y.c <= 0 {
		return linear{}, false
	}
	switch op {
	case "&":
		return constant(x.c & y.c), true
	case "/":
		return constant(x.c / y.c), true
	case "%":
		return constant(x.c % y.c), true
	case ">>":
		return constant(x.c >> min(y.c, 62)), true
	}
	return linear{}, false
}

// divided returns a / n, if n divides all of a.
func (a linear) divided(n int64) (linear, bool) {
	if a.c%n != 0 {
		return linear{}, false
	}
	q := constant(a.c / n)
	for d, c := range a.v.all() {
		if c%n != 0 {
			return linear{}, false
		}
		q = q.plus(c/n, variable(d))
	}
	return q, true
}

// within reports whether all of a is below bound.
func (a linear) within(bound int64) bool {
	ok := abs(a.c) < bound
	for _, c := range a.v.all() {
		ok = ok && abs(c) < bound
	}
	return ok
}
