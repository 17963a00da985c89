package frontend

import (
	"slices"

	"modernc.org/cc/v4"

	"github.com/hexcc/hexcc/scop"
)

// This file finds operations on _Float16 whose values depend on the compiler: some calculate them in float, as gcc does for most
// processors and scop.Half says, others round each to _Float16.

// calculatesHalves reports whether the region, or a function that it calls, has such an operation.
func (as *assembly) calculatesHalves() (found bool) {
	as.eachPart(func(s stmt) {
		eachExprIn(s, func(e expr) { found = found || as.calculatesHalf(e) })
	})
	return found
}

// calculatesHalf reports whether e is such an operation itself. Comparisons of numbers as they are, and with small integers, are none.
func (as *assembly) calculatesHalf(e expr) bool {
	mixed := func(x, y expr) bool {
		s, t := as.ofC(x), as.ofC(y)
		return s == scop.Half && !t.IsFloat() && !holdsExactly(y) || t == scop.Half && !s.IsFloat() && !holdsExactly(x)
	}
	switch e := e.(type) {
	case number:
		return e.typ != nil && e.typ.Kind() == cc.Float16
	case binary:
		if slices.Contains([]string{"+", "-", "*", "/"}, e.op) {
			return as.ofC(e) == scop.Half
		}
		return slices.Contains([]string{"<", "<=", ">", ">=", "==", "!="}, e.op) && mixed(e.x, e.y)
	case cond:
		return mixed(e.x, e.y)
	case assign:
		if e.op == "=" || as.ofC(e.x) != scop.Half {
			return false
		}
		return e.y == nil || as.ofC(e.y) == scop.Half || !as.ofC(e.y).IsFloat()
	}
	return false
}

// holdsExactly reports whether e is an integer that _Float16 holds.
func holdsExactly(e expr) bool {
	v, ok := literal(e)
	return ok && abs(v) <= 2048
}
