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

// ofC returns the type that C gives e if that is one of floating point, else one of integers.
func (as *assembly) ofC(e expr) scop.Type {
	widest := func(x, y expr) scop.Type {
		s, t := as.ofC(x), as.ofC(y)
		for _, r := range []scop.Type{scop.LongDouble, scop.Double, scop.Float, scop.Half} {
			if s == r || t == r {
				return r
			}
		}
		return scop.Int
	}
	of := func(t cc.Type) scop.Type {
		stored, _ := storedType(t)
		return stored
	}
	element := func() scop.Type {
		p, _ := lvalue(e)
		return of(p.typ)
	}
	switch e := e.(type) {
	case number:
		if e.typ != nil && e.typ.Kind() == cc.Float16 {
			return scop.Half
		}
		return of(e.typ)
	case ident:
		if e.decl != nil {
			return of(e.decl.Type())
		}
	case unary:
		if e.op == "*" {
			return element()
		}
		return as.ofC(e.x)
	case index, memberExpr:
		return element()
	case binary:
		if slices.Contains([]string{"+", "-", "*", "/"}, e.op) {
			return widest(e.x, e.y)
		}
	case cond:
		return widest(e.x, e.y)
	case cast:
		return of(e.typ)
	case assign:
		return as.ofC(e.x)
	case comma:
		return as.ofC(e.xs[len(e.xs)-1])
	case call:
		f, _ := e.fun.(ident)
		if fd := as.definition(f); fd != nil {
			return of(fd.Declarator.Type().(*cc.FunctionType).Result())
		}
		return mathType(f.name)
	}
	return scop.Int
}
