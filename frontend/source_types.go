package frontend

import (
	"slices"
	"strings"

	"modernc.org/cc/v4"

	"github.com/hexcc/hexcc/scop"
)

// This file finds the types of values, as C has them, before they are read.

// ofC returns the type that C gives e if that is one of floating point, else one of integers.
func (src *source) ofC(e expr) scop.Type {
	widest := func(x, y expr) scop.Type {
		s, t := src.ofC(x), src.ofC(y)
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
		return src.ofC(e.x)
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
		return src.ofC(e.x)
	case comma:
		return src.ofC(e.xs[len(e.xs)-1])
	case call:
		f, _ := e.fun.(ident)
		if fd := src.definition(f); fd != nil {
			return of(fd.Declarator.Type().(*cc.FunctionType).Result())
		}
		return mathType(f.name)
	}
	return scop.Int
}

// valueType returns the type of e, a number; ok is false where that is not known.
func (src *source) valueType(e expr) (t scop.Type, ok bool) {
	switch e.(type) {
	case unary, binary:
		if isTruth(e) {
			return scop.Int, true
		}
	}
	if t = src.ofC(e); t.IsFloat() {
		return t, true
	}
	var known func(e expr) bool
	known = func(e expr) bool {
		switch x := e.(type) {
		case call:
			f, _ := x.fun.(ident)
			if fd := src.definition(f); fd != nil {
				result, _ := storedType(fd.Declarator.Type().(*cc.FunctionType).Result())
				return calculated(result) == scop.Int
			}
			return f.name == "abs"
		case assign, comma, literalExpr, otherExpr:
			return false
		}
		return isTruth(e) || !slices.ContainsFunc(children(e), func(e expr) bool { return !known(e) })
	}
	return intType(e), known(e)
}

// fits reports whether an integer of type t may be v.
func fits(v int64, t scop.Type) bool {
	if !t.IsNarrow() {
		return true
	}
	lo, hi := t.Range()
	return lo <= v && v <= hi
}

// withoutIdleCasts returns e without casts to types that hold all values that they are applied to.
func (src *source) withoutIdleCasts(e expr) expr {
	c, ok := e.(cast)
	if !ok {
		return e
	}
	to, number := storedType(c.typ)
	from, known := src.valueType(c.x)
	if x := variableOf(c.x); x != nil {
		from, known = storedType(x.Type())
	}
	holds := to == from || to == scop.Double && from == scop.Float || to == scop.LongDouble && (from == scop.Float || from == scop.Double)
	if calculated(from) == scop.Int {
		holds = holds || to == scop.Int || to == scop.Long || to == scop.Double || to == scop.LongDouble
	}
	if !number || !known || !holds || c.typ.Kind() == cc.Bool {
		return e
	}
	return src.withoutIdleCasts(c.x)
}

// mathType returns the type of the result of a function, and of its arguments if they are real.
func mathType(name string) scop.Type {
	if _, gives, ok := scop.ComplexFunction(name); ok {
		return gives
	}
	switch name {
	case "abs":
		return scop.Int
	case "labs", "llabs":
		return scop.Long
	}
	if base, ok := strings.CutSuffix(name, "l"); ok {
		if _, known := scop.Computable(base); known {
			return scop.LongDouble
		}
	}
	if base, ok := strings.CutSuffix(name, "f"); ok {
		if _, known := scop.Computable(base); known {
			return scop.Float
		}
	}
	return scop.Double
}
