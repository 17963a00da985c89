package frontend

import (
	"math/big"
	"slices"

	"modernc.org/cc/v4"

	"github.com/hexcc/hexcc/scop"
)

// This file reads the expressions of a body, with the types that C gives them:
// every conversion becomes a Cast.

// value returns e as a number, or notes what is wrong.
func (sr *statementReader) value(e expr) (scop.Expr, bool) {
	if c, ok := sr.named(e); ok {
		return sr.placed(c, e), true
	}
	x, ok := sr.unnamed(e)
	if ok {
		x = sr.placed(x, e)
	}
	return x, ok
}

// placed returns x, the value of e, with the place of that.
func (sr *statementReader) placed(x scop.Expr, e expr) scop.Expr {
	at := sr.f.span(e.at())
	return scop.Placed(x, &at)
}

// unnamed is value of what is no constant with a name.
func (sr *statementReader) unnamed(e expr) (scop.Expr, bool) {
	switch e := e.(type) {
	case number:
		return sr.number(e)
	case ident:
		return sr.variable(e)
	case index, memberExpr:
		return sr.element(e)
	case unary:
		if e.op == "*" {
			return sr.element(e)
		}
		return sr.unary(e)
	case binary:
		return sr.binary(e)
	case cond:
		return sr.conditional(e)
	case cast:
		x, ok := sr.value(e.x)
		if !sr.checkCast(e.where, e.name, e.typ) {
			return nil, false
		}
		t, known := storedType(e.typ)
		if !known {
			sr.errorf("HX106", e.where, typeRule, "cast to one of these", "cast to '%s'", typeName(e.typ))
			return nil, false
		}
		if !ok {
			return nil, false
		}
		if t == scop.Half {
			return promoted(convert(x, t, false)), true
		}
		return promoted(scop.Cast{T: t, X: x}), true
	case call:
		return sr.call(e)
	case assign:
		sr.errorf("HX103", e.where, "allowed: values without side effects", "assign in a statement of its own", "assignment '%s' inside an expression", sr.textOf(e))
	case comma:
		sr.errorf("HX103", e.where, "allowed: values without side effects", "write two statements", "comma in expression '%s'", sr.textOf(e))
	case literalExpr:
		return sr.unnamed(otherExpr{e.where, "compound literal", e.inner})
	case otherExpr:
		sr.errorf("HX102", e.where, valueRule, "compute it before #pragma scop, into a variable", "%s '%s' in a loop nest", e.what, oneLine(sr.f.slice(e.where)))
	}
	return nil, false
}

// element returns the value of the array element e.
func (sr *statementReader) element(e expr) (scop.Expr, bool) {
	if v, t, ok := sr.tableValue(e, sr.place()); ok {
		return scop.Const{T: calculated(t), I: v}, true
	}
	if x, found, ok := sr.lookup(e); found {
		return x, ok
	}
	a, ok := sr.access(e, false)
	if !ok {
		return nil, false
	}
	sr.byAccess[a.Access] = a
	return promoted(scop.Read{From: a.Access}), true
}

const valueRule = "allowed: array elements, scalars, numbers, operators and functions of math.h"

const typeRule = "allowed: float, double, long double, float and double complex, _Float16, _Bool, and signed and unsigned char, short, int and long"

// number returns a literal in its own type.
func (sr *statementReader) number(e number) (scop.Expr, bool) {
	t, ok := numberType(e.typ)
	if !ok {
		sr.errorf("HX106", e.where, typeRule, "write a number of such a type", "'%s' is of type '%s'", sr.textOf(e), typeName(e.typ))
		return nil, false
	}
	c := scop.Const{T: t, Text: e.text}
	switch v := e.val.(type) {
	case cc.Int64Value:
		c.I = int64(v)
		if e.typ == nil && c.I != int64(int32(c.I)) {
			sr.errorf("HX106", e.where, "allowed: enumerators that fit an int", "write the number itself", "the value %d of '%s' is too large", c.I, sr.textOf(e))
			return nil, false
		}
	case cc.UInt64Value:
		c.I = int64(v)
	case cc.Float64Value:
		c.F = floatValue(e.text, t, float64(v))
	case cc.Complex64Value: // of I and numbers such as 2.0if
		c.F = float64(imag(v))
	case cc.Complex128Value:
		c.F = imag(v)
	case *cc.LongDoubleValue: // of a number such as 0.1f16
		near, _ := (*big.Float)(v).Float64()
		c.F = floatValue(e.text, t, near)
	default:
		sr.errorf("HX106", e.where, typeRule, "compute it before #pragma scop, into a variable", "the value of '%s' is not known", sr.textOf(e))
		return nil, false
	}
	return c, true
}

func (sr *statementReader) variable(e ident) (scop.Expr, bool) {
	d := e.decl
	if d == nil {
		sr.undeclared(e)
		return nil, false
	}
	for _, l := range sr.n.loops {
		if l.decl == d {
			return scop.Var{T: l.typ, Name: l.name, Kind: scop.IterVar}, true
		}
	}
	if l, ok := sr.n.locals[d]; ok {
		if !l.set {
			sr.carried(e)
			return nil, false
		}
		return l.read(), true
	}
	if sr.iterators[d] {
		sr.errorf("HX108", e.where, "a loop variable has a meaning only inside its loop", "use a variable of a loop around this statement", "'%s' is a loop variable, but of no loop around this place", e.name)
		return nil, false
	}
	if sr.isRefused(d) {
		return nil, false
	}
	t, ok := storedType(d.Type())
	t = calculated(t) // a function that takes an int gets the same value
	if !ok || isVolatile(d) {
		sr.errorf("HX106", e.where, typeRule+", not volatile", "copy it to a variable of such a type before #pragma scop", "'%s' is of type '%s'", e.name, typeName(d.Type()))
		return nil, false
	}
	if !sr.checkAttached(e) {
		return nil, false
	}
	if _, ok := sr.written[d]; ok {
		sr.carried(e)
		return nil, false
	}
	if sr.affine[d] && !t.IsFloat() {
		if _, isConst := sr.constValue(d); !isConst {
			sr.param(e, t)
			return scop.Var{T: t, Name: sr.nameOf(d), Kind: scop.ParamVar}, true
		}
	}
	if t == scop.Float || t == scop.Double {
		if c, ok := sr.constantVariable(d); ok {
			return c, true
		}
	}
	sr.scalar(d, t)
	return scop.Var{T: t, Name: sr.nameOf(d), Kind: scop.ScalarVar}, true
}

func (sr *statementReader) undeclared(x ident) {
	sr.errorf("HX005", x.where, "every variable is declared before it is used", "declare it", "'%s' is not declared", x.name)
}

func (sr *statementReader) unary(e unary) (scop.Expr, bool) {
	switch e.op {
	case "!":
		x, ok := sr.truth(e.x)
		if !ok {
			return nil, false
		}
		return fromBool(scop.Unary{Op: "!", X: x}), true
	case "+", "-", "~":
		x, ok := sr.value(e.x)
		if !ok {
			return nil, false
		}
		if e.op == "~" && x.Type().IsFloat() {
			sr.errorf("HX005", e.where, "C allows it for integers only", "cast it to an integer type", "'~' of a value of type '%s'", x.Type())
			return nil, false
		}
		return scop.Unary{Op: e.op, X: x}, true
	}
	sr.errorf("HX102", e.where, valueRule, elementHelp(e), "pointer expression '%s' in a loop nest", sr.textOf(e))
	return nil, false
}

func (sr *statementReader) binary(e binary) (scop.Expr, bool) {
	switch e.op {
	case "&&", "||":
		if v, known := constantTruth(e); known {
			return sr.unevaluated(v, e.x, e.y)
		}
		x, ok1 := sr.truth(e.x)
		if !ok1 {
			x = scop.Const{T: scop.Bool}
		}
		test := x
		if e.op == "||" {
			test = scop.Unary{Op: "!", X: x}
		}
		sr.tests = append(sr.tests, test)
		y, ok2 := sr.truth(e.y)
		sr.tests = sr.tests[:len(sr.tests)-1]
		if !ok1 || !ok2 {
			return nil, false
		}
		return fromBool(scop.Binary{Op: e.op, X: x, Y: y}), true
	}
	x, ok1 := sr.value(e.x)
	y, ok2 := sr.value(e.y)
	if !ok1 || !ok2 {
		return nil, false
	}
	return sr.arithmetic(e, e.op, x, y)
}

// arithmetic returns x op y after the usual arithmetic conversions (C 6.3.1.8).
func (sr *statementReader) arithmetic(e expr, op string, x, y scop.Expr) (scop.Expr, bool) {
	if slices.Contains(integerOps, op) && (x.Type().IsFloat() || y.Type().IsFloat()) {
		sr.errorf("HX005", e.at(), "C allows it for integers only", "cast them to an integer type", "'%s' of values of type '%s' and '%s'", op, x.Type(), y.Type())
		return nil, false
	}
	if !sr.checkComplex(e, op, x.Type(), y.Type()) {
		return nil, false
	}
	t := usual(x.Type(), y.Type())
	if op == "<<" || op == ">>" {
		t = x.Type()
	}
	r := scop.Binary{Op: op, X: convert(x, t, true), Y: convert(y, t, true)}
	if r.Type() == scop.Bool {
		return sr.placed(fromBool(r), e), true
	}
	return sr.placed(r, e), true
}

// checkComplex notes what is wrong with op on values of types s and t where one of them is complex.
func (sr *statementReader) checkComplex(e expr, op string, s, t scop.Type) bool {
	switch {
	case !s.IsComplex() && !t.IsComplex():
		return true
	case s == scop.LongDouble || t == scop.LongDouble:
		sr.errorf("HX106", e.at(), typeRule, "cast the long double to double", "'%s' of values of type '%s' and '%s'", op, s, t)
	case slices.Contains([]string{"<", "<=", ">", ">="}, op):
		sr.errorf("HX005", e.at(), "complex numbers have no order", "compare their parts, such as creal(z), or cabs(z)", "'%s' of values of type '%s' and '%s'", op, s, t)
	default:
		return true
	}
	return false
}

var integerOps = []string{"%", "&", "|", "^", "<<", ">>"}

// truth returns e as a condition.
func (sr *statementReader) truth(e expr) (scop.Expr, bool) {
	x, ok := sr.value(e)
	if !ok {
		return nil, false
	}
	if c, ok := x.(scop.Cast); ok && c.Implicit && c.X.Type() == scop.Bool {
		return c.X, true
	}
	return scop.Binary{Op: "!=", X: x, Y: scop.Const{T: x.Type()}}, true
}

func (sr *statementReader) conditional(e cond) (scop.Expr, bool) {
	c, ok1 := sr.truth(e.c)
	if !ok1 {
		c = scop.Const{T: scop.Bool}
	}
	var x, y scop.Expr
	var ok2, ok3 bool
	ofX := sr.owing(func() { x, ok2 = sr.valueIf(c, e.x) })
	ofY := sr.owing(func() { y, ok3 = sr.valueIf(scop.Unary{Op: "!", X: c}, e.y) })
	if !ok1 || !ok2 || !ok3 {
		sr.owe(append(ofX, ofY...)...)
		return nil, false
	}
	if !sr.checkComplex(e, "?:", x.Type(), y.Type()) {
		sr.owe(append(ofX, ofY...)...)
		return nil, false
	}
	t := usual(x.Type(), y.Type())
	if v, known := sr.decide(e.c, sr.place()); known && v {
		sr.owe(ofX...)
		return convert(x, t, true), true
	} else if known {
		sr.owe(ofY...)
		return convert(y, t, true), true
	}
	sr.owe(append(ofX, ofY...)...)
	return scop.Cond{C: c, X: convert(x, t, true), Y: convert(y, t, true)}, true
}

// valueIf returns e, which is computed only where test holds.
func (sr *statementReader) valueIf(test scop.Expr, e expr) (scop.Expr, bool) {
	sr.tests = append(sr.tests, test)
	x, ok := sr.value(e)
	sr.tests = sr.tests[:len(sr.tests)-1]
	return x, ok
}

// call returns a function of math.h, or abs, or the value of a function of the file.
func (sr *statementReader) call(e call) (scop.Expr, bool) {
	f, ok := e.fun.(ident)
	if ok {
		if fd := sr.definition(f); fd != nil {
			return sr.inline(e, fd)
		}
	}
	if !ok {
		sr.errorf("HX103", e.where, callRule, "write its expression here", "call of '%s'", sr.textOf(e.fun))
		return nil, false
	}
	var args []scop.Expr
	good := true
	for _, a := range e.args {
		x, ok := sr.value(a)
		good = good && ok
		args = append(args, x)
	}
	if !sr.checkFunction(e, f) || !good {
		return nil, false
	}
	t := mathType(f.name)
	of := t
	if z, _, ok := scop.ComplexFunction(f.name); ok {
		of = z
	}
	for i, a := range args {
		if sr.f.cxx != nil && a.Type().IsComplex() && !of.IsComplex() { // C would take the real part
			sr.errorf("HX103", e.where, complexRule, "write it with these", "'%s' of a complex number is not read", f.name)
			return nil, false
		}
		args[i] = convert(a, of, true)
	}
	return scop.Call{T: t, Func: f.name, Args: args}, true
}

const complexRule = "of the functions of std::complex, read are real, imag, conj, norm, arg, polar, abs, exp, log, sqrt, sin and cos, with std:: in front where the file has others of these names"

// unevaluated returns v, the value of a condition, of which xs are the parts: what is
// wrong with those is noted, but nothing that it takes to compute them.
func (sr *statementReader) unevaluated(v bool, xs ...expr) (scop.Expr, bool) {
	good := true
	sr.owing(func() {
		for _, x := range xs {
			_, ok := sr.value(x)
			good = good && ok
		}
	})
	c := scop.Const{T: scop.Int}
	if v {
		c.I = 1
	}
	return c, good
}
