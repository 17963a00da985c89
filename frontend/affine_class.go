package frontend

import (
	"fmt"
	"slices"

	"modernc.org/cc/v4"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/scop"
)

// This file finds remainders in subscripts and bounds that are different from one iteration to the next, as programs have them that keep each
// colour of a checkerboard in an array of half the width:
//
//	red[i][k] += w * (black[i][k] + black[i][k + 1 - 2 * (i & 1)]);
//
// In a residue class of i, such as that of all even numbers, it is a number, and the subscript a sum.

// mostClasses bounds the classes that are looked at one by one.
const mostClasses = 8

// A residueClass is where dividend leaves rest when it is divided by mod.
type residueClass struct {
	e        binary // the remainder as it is written
	dividend linear
	mod      int64
	rest     int64
}

// classIn returns the first class, that of 0, of a remainder in e; ok is false if there is none, or where its quotient has so few values that
// the nest is taken apart by those: see affine_wrap.go.
func (ar *affineReader) classIn(e expr, at place) (c residueClass, ok bool) {
	defer ar.try()()
	eachExpr(e, func(e expr) {
		d, divides := ar.division(e, at)
		if ok || !divides || !d.m.isConstant() || d.m.c < 2 || d.m.c > mostClasses {
			return
		}
		if _, _, few := ar.turns(d, at); few {
			return
		}
		ok = slices.ContainsFunc(at.loops[1:], func(l loop) bool { return d.x.v.of(l.decl)%d.m.c != 0 })
		c = residueClass{e.(binary), d.x, d.m.c, 0}
	})
	return c, ok
}

// others returns all classes of c's remainder.
func (c residueClass) others() (all []residueClass) {
	for rest := range c.mod {
		c.rest = rest
		all = append(all, c)
	}
	return all
}

// test is the condition that an instance is in c.
func (c residueClass) test() expr {
	return binary{c.e.where, "==", c.e, numberAt(c.e.where, c.rest)}
}

// ends returns that the dividend is not before the first number of c, nor behind the last one, where known says between which numbers it is: of
// the odd numbers from 0 on, 1 is the first.
func (c residueClass) ends(known []linear) (constraints []linear) {
	for _, r := range known {
		for _, x := range []linear{c.dividend, c.dividend.scale(-1)} {
			away := r.sub(x) // x >= -away
			if !away.isConstant() {
				continue
			}
			rest := c.rest
			if !x.equal(c.dividend) {
				rest = -rest
			}
			if first := affine.Remainder(rest+away.c, c.mod); first > 0 {
				constraints = append(constraints, x.addc(away.c-first))
			}
		}
	}
	return constraints
}

// put returns e with numbers in place of the remainders that the class determines. Where what they divide must not be negative, and what else must
// hold of it, is left to checkRemainders of those, to which seen is told.
func (ar *affineReader) put(c residueClass, e expr, at place, seen func(binary)) expr {
	defer ar.try()()
	return mapExpr(e, func(e expr) expr {
		if d, ok := ar.division(e, at); ok && d.m.isConstant() && c.mod%d.m.c == 0 {
			if more := d.x.sub(c.dividend); isMultiple(more, d.m.c) {
				if n, ok := numberLike(e, affine.Remainder(c.rest+more.c, d.m.c)); ok {
					seen(e.(binary))
					return n
				}
			}
		}
		return ofNumbers(e)
	})
}

// isMultiple reports whether a less its constant is a multiple of m, whatever its variables are.
func isMultiple(a linear, m int64) bool {
	for _, k := range a.v.all() {
		if k%m != 0 {
			return false
		}
	}
	return true
}

// checkRemainders notes what must hold for remainders to be those of residue classes.
func (ar *affineReader) checkRemainders(es []binary, at place) {
	for _, e := range es {
		d, ok := ar.division(e, at)
		if !ok || d.floor {
			continue
		}
		before := len(ar.obligations)
		ar.require("HX110", e, fmt.Sprintf("the left side of '%s' may be negative", ar.textOf(e)), d.x, at)
		for i := range ar.obligations[before:] {
			ar.obligations[before+i].tested = "is not negative"
		}
	}
}

// numberLike returns v as an expression of the type of e, a sum or remainder of integers; ok is false if nothing in e is of that type.
func numberLike(e expr, v int64) (n number, ok bool) {
	n = numberAt(e.at(), v)
	t := intType(e)
	if t == scop.Int {
		return n, true
	}
	of := func(typ cc.Type) {
		if s, isNumber := storedType(typ); isNumber && s == t {
			n.typ, ok = typ, true
		}
	}
	eachExpr(e, func(e expr) {
		switch e := e.(type) {
		case number:
			if e.typ != nil {
				of(e.typ)
			}
		case ident:
			if e.decl != nil {
				of(e.decl.Type())
			}
		case cast:
			of(e.typ)
		case index, memberExpr:
			if p, found := lvalue(e); found {
				of(p.typ)
			}
		}
	})
	return n, ok
}

// ofNumbers returns e, or what numbers in it make of it where that is no sum: 0 ^ 1, !1, 1 == 0, 1 ? i : j.
func ofNumbers(e expr) expr {
	truth := func(v bool) expr { return truthNumber(e.at(), v) }
	switch x := e.(type) {
	case unary:
		if v, ok := literal(x.x); ok && x.op == "!" {
			return truth(v == 0)
		}
	case cond:
		if v, ok := literal(x.c); ok && isIndex(x.x) && isIndex(x.y) && intType(x.x) == intType(x.y) {
			if v != 0 {
				return x.x
			}
			return x.y
		}
	case binary:
		a, ok1 := literal(x.x)
		b, ok2 := literal(x.y)
		if !ok1 || !ok2 || a < 0 || b < 0 { // negative ones are others in unsigned types
			return e
		}
		bits := map[string]int64{"^": a ^ b, "|": a | b}
		if v, ok := bits[x.op]; ok {
			if n, ok := numberLike(e, v); ok {
				return n
			}
		}
		switch x.op {
		case "==":
			return truth(a == b)
		case "!=":
			return truth(a != b)
		}
	}
	return e
}
