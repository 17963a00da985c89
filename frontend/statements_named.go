package frontend

import (
	"math"

	"github.com/hexcc/hexcc/scop"
)

// This file keeps the names of constants: of enumerators, and of macros without
// parameters that stand for a number, such as
//
//	#define C0 0.25
//	#define C1 (0.5 * C0)
//
// The number is computed as C does, and keeps the name beside its value. Names
// are for people: no meaning depends on them.

// named returns the value of e if that is a number with a name.
func (sr *statementReader) named(e expr) (scop.Const, bool) {
	name := sr.constantName(e)
	if name == "" {
		return scop.Const{}, false
	}
	start := sr.mark()
	x, ok := sr.unnamed(e)
	sr.back(start) // what is wrong is noted when the parts are read
	if !ok {
		return scop.Const{}, false
	}
	c, ok := folded(x)
	c.Name = scop.Plain(name)
	return c, ok
}

// folded returns the value of e, which holds no variables, as C computes it; ok is
// false where C gives it none, where it is not finite, and for operators that are left alone.
func folded(e scop.Expr) (c scop.Const, ok bool) {
	switch e := e.(type) {
	case scop.Const:
		return e, e.T != scop.LongDouble && !e.T.IsComplex() // of which we do not know all digits, or parts
	case scop.Cast:
		x, ok := folded(e.X)
		if !ok || e.T == scop.Bool || x.T == scop.Bool {
			return c, false
		}
		return converted(x, e.T)
	case scop.Unary:
		x, ok := folded(e.X)
		if !ok || e.Op != "-" && e.Op != "+" {
			return c, false
		}
		if e.Op == "+" {
			return valued(x.T, x.F, x.I)
		}
		return computed("-", scop.Const{T: x.T, F: math.Copysign(0, -1)}, x)
	case scop.Binary:
		x, ok1 := folded(e.X)
		y, ok2 := folded(e.Y)
		if !ok1 || !ok2 || x.T != y.T {
			return c, false
		}
		return computed(e.Op, x, y)
	}
	return c, false
}

// computed returns x op y for operands of one type.
func computed(op string, x, y scop.Const) (scop.Const, bool) {
	small := func(v int64) bool { return -1<<31 <= v && v < 1<<31 } // so that no result overflows
	if !x.T.IsFloat() && (!small(x.I) || !small(y.I)) {
		return scop.Const{}, false
	}
	switch op {
	case "+":
		return valued(x.T, x.F+y.F, x.I+y.I)
	case "-":
		return valued(x.T, x.F-y.F, x.I-y.I)
	case "*":
		return valued(x.T, x.F*y.F, x.I*y.I)
	case "/":
		if x.T.IsFloat() {
			return valued(x.T, x.F/y.F, 0)
		}
		if y.I != 0 && x.T != scop.Uint && x.T != scop.Ulong {
			return valued(x.T, 0, x.I/y.I)
		}
	}
	return scop.Const{}, false
}

// converted returns x in type t.
func converted(x scop.Const, t scop.Type) (scop.Const, bool) {
	switch {
	case x.T == scop.Ulong && x.I < 0: // above the numbers that are counted here
	case t.IsFloat() && x.T.IsFloat():
		return valued(t, x.F, 0)
	case t.IsFloat() && math.Abs(float64(x.I)) < 1<<53:
		return valued(t, float64(x.I), 0)
	case !t.IsFloat() && !x.T.IsFloat():
		return valued(t, 0, x.I)
	}
	return scop.Const{}, false
}

// valued returns a constant of type t, if its value is one: a float is rounded once from
// the sum, difference, product or quotient of floats in double, which is the rounded result.
func valued(t scop.Type, f float64, i int64) (scop.Const, bool) {
	if t == scop.Float {
		f = float64(float32(f))
	}
	switch t {
	case scop.LongDouble, scop.ComplexFloat, scop.ComplexDouble:
		return scop.Const{}, false
	case scop.Float, scop.Double:
		return scop.Const{T: t, F: f}, !math.IsInf(f, 0) && !math.IsNaN(f)
	case scop.Int:
		return scop.Const{T: t, I: i}, i == int64(int32(i))
	case scop.Uint:
		return scop.Const{T: t, I: i}, i == int64(uint32(i))
	case scop.Ulong:
		return scop.Const{T: t, I: i}, i >= 0
	case scop.Long:
		return scop.Const{T: t, I: i}, true
	}
	lo, hi := t.Range()
	return scop.Const{T: t, I: i}, !t.IsFloat() && lo <= i && i <= hi
}
