package frontend

import (
	"slices"
)

// This file reads remainders of sums of loop variables of space, as of dimensions whose ends are neighbours:
//
//	A[(i + 1) % n]        A[(i - 1 + n) % n]        A[(j - 1) & (N - 1)]
//
// Where the quotient is the same for all instances, the remainder is a sum: (i+1) % n is i+1 for i < n-1, and i+1-n for i = n-1. So a nest is
// taken apart where a quotient changes. What holds for large sizes only, such as that i+4 is less than 2*n, is owed: it is tested before the kernels run.

// A division is x divided by m: a % whose result has the sign of x, or, where floor is set, an & that rounds down.
type division struct {
	x, m  linear
	floor bool
}

// mostTurns bounds the quotients that are tried, which count from its negative on.
const mostTurns = 4

// largeSize is a size that is large.
const largeSize = 64

// typicalSize is more than parameters of typical runs are.
const typicalSize = 1 << 20

// division returns what e divides, if that depends on a loop of space: the remainder by a sum, or by a power of two.
func (ar *affineReader) division(e expr, at place) (d division, ok bool) {
	b, isBinary := e.(binary)
	if !isBinary || b.op != "%" && b.op != "&" {
		return d, false
	}
	x, why := ar.dividend(b, at)
	m, whyNot := ar.linear(b.y, at)
	if why != nil || whyNot != nil {
		return d, false
	}
	if b.op == "&" {
		if !m.isConstant() || m.c <= 0 || m.c&(m.c+1) != 0 {
			return d, false
		}
		m = m.addc(1)
	}
	if m.isConstant() && m.c <= 0 || !m.isConstant() && m.overLoops(at.loops) {
		return d, false
	}
	return division{x, m, b.op == "&" || ar.powerOfTwo(b, at)}, len(at.loops) > 1 && x.overLoops(at.loops[1:])
}

// overLoops reports whether the variable of one of the loops occurs in a.
func (a linear) overLoops(loops []loop) bool {
	return slices.ContainsFunc(loops, func(l loop) bool { return a.v.of(l.decl) != 0 })
}

// large returns what holds at a place, and that m is large.
func (d division) large(at place) []linear {
	all := at.known()
	if !d.m.isConstant() {
		all = append(all, d.m.addc(-largeSize))
	}
	return all
}

// from returns the sum that is >= 0 where the quotient is at least k.
func (d division) from(k int64) linear {
	if !d.floor && k <= 0 { // C rounds towards 0
		return d.x.sub(d.m.scale(k - 1)).addc(-1)
	}
	return d.x.sub(d.m.scale(k))
}

// below returns the sum that is >= 0 where the quotient is less than k.
func (d division) below(k int64) linear { return d.from(k).scale(-1).addc(-1) }

// turns returns the least and the greatest quotient at a place, for large sizes; ok is false if they are not known.
func (ar *affineReader) turns(d division, at place) (least, most int64, ok bool) {
	fr, known := ar.frame().with(at.loops), d.large(at)
	if !fr.proves(known, d.from(-mostTurns)) || !fr.proves(known, d.below(mostTurns+1)) { // as of a remainder by which planes take turns: that is seen at once
		return 0, 0, false
	}
	for least = mostTurns; least > -mostTurns && !fr.proves(known, d.from(least)); {
		least--
	}
	for most = least; most < mostTurns && !fr.proves(known, d.below(most+1)); {
		most++
	}
	return least, most, true
}

// wrapped returns the remainder as a sum, if the quotient is the same wherever at is.
func (ar *affineReader) wrapped(e binary, at place) (x linear, ok bool) {
	back := ar.try()
	d, ok := ar.division(e, at)
	if !ok {
		back()
		return linear{}, false
	}
	k, most, ok := ar.turns(d, at)
	if !ok || k < most {
		back()
		return linear{}, false
	}
	for _, claim := range []linear{d.from(k), d.below(k + 1)} {
		ar.requireTested(e, claim, at, "leads around the dimension once")
	}
	return d.x.sub(d.m.scale(k)), true
}

// requireTested notes that value must not be negative at a place, which is tested before the kernels run where it does not always hold: then
// claim holds of e.
func (ar *affineReader) requireTested(e expr, value linear, at place, claim string) {
	before := len(ar.obligations)
	ar.require("HX110", e, "'"+ar.textOf(e)+"' "+claim, value, at)
	if len(ar.obligations) > before {
		ar.obligations[before].tested = claim
	}
}

// caseAt returns where the quotient of a remainder in e, a subscript, changes, or the side of a condition: the sum is >= 0 on one side.
func (ar *affineReader) caseAt(e expr, at place) (side linear, ok bool) {
	defer ar.try()()
	eachExpr(e, func(e expr) {
		if ok {
			return
		}
		if c, choice := e.(cond); choice {
			side, ok = ar.sideOf(c, at)
			return
		}
		d, divides := ar.division(e, at)
		if !divides {
			return
		}
		least, most, known := ar.turns(d, at)
		if known && least < most {
			side, ok = d.below(least+1), true
		}
	})
	return side, ok
}
