package frontend

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"modernc.org/cc/v4"

	"github.com/hexcc/hexcc/scop"
)

// This file reads the expressions of a body, with the types that C gives them:
// every conversion becomes a Cast.

// value returns e as a number, or notes what is wrong.
func (sr *statementReader) value(e expr) (scop.Expr, bool) {
	if c, ok := sr.named(e); ok {
		return c, true
	}
	return sr.unnamed(e)
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
		return promoted(scop.Cast{T: t, X: x}), true
	case call:
		return sr.call(e)
	case assign:
		sr.errorf("HX103", e.where, "allowed: values without side effects", "assign in a statement of its own", "assignment '%s' inside an expression", sr.textOf(e))
	case comma:
		sr.errorf("HX103", e.where, "allowed: values without side effects", "write two statements", "comma in expression '%s'", sr.textOf(e))
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
	a, ok := sr.access(e, false)
	if !ok {
		return nil, false
	}
	sr.byAccess[a.Access] = a
	return promoted(scop.Read{From: a.Access}), true
}

// promoted returns x in the type in which C calculates with it (C 6.3.1.1).
func promoted(x scop.Expr) scop.Expr { return convert(x, calculated(x.Type()), true) }

// stored returns x as a variable of type t holds it, in the type in which C calculates with t.
func stored(x scop.Expr, t scop.Type) scop.Expr {
	if t.IsNarrow() {
		return promoted(scop.Cast{T: t, X: x})
	}
	return convert(x, t, true)
}

const valueRule = "allowed: array elements, scalars, numbers, operators and functions of math.h"

const typeRule = "allowed: float, double, and signed and unsigned char, short, int and long"

// number returns a literal in its own type.
func (ns *notes) number(e number) (scop.Expr, bool) {
	t, ok := numberType(e.typ)
	if !ok {
		ns.errorf("HX106", e.where, typeRule, "write a number of such a type", "'%s' is of type '%s'", ns.textOf(e), typeName(e.typ))
		return nil, false
	}
	c := scop.Const{T: t, Text: e.text}
	switch v := e.val.(type) {
	case cc.Int64Value:
		c.I = int64(v)
		if e.typ == nil && c.I != int64(int32(c.I)) {
			ns.errorf("HX106", e.where, "allowed: enumerators that fit an int", "write the number itself", "the value %d of '%s' is too large", c.I, ns.textOf(e))
			return nil, false
		}
	case cc.UInt64Value:
		c.I = int64(v)
	case cc.Float64Value:
		c.F = floatValue(e.text, t, float64(v))
	default:
		ns.errorf("HX106", e.where, typeRule, "compute it before #pragma scop, into a variable", "the value of '%s' is not known", ns.textOf(e))
		return nil, false
	}
	return c, true
}

// floatValue returns the literal text rounded once to t; v is its value in double.
func floatValue(text string, t scop.Type, v float64) float64 {
	if t != scop.Float {
		return v
	}
	digits := strings.TrimRight(text, "fF")
	if strings.HasPrefix(strings.ToLower(text), "0x") {
		digits, _, _ = strings.Cut(strings.ToLower(text), "p")
		digits += strings.TrimRight(strings.ToLower(text)[len(digits):], "f")
	}
	if f, err := strconv.ParseFloat(digits, 32); err == nil {
		return f
	}
	return float64(float32(v))
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
	sr.scalars[d] = scop.Scalar{Name: sr.nameOf(d), Type: t, C: sr.expressionOf(d), Fixed: sr.fixed(d, t)}
	return scop.Var{T: t, Name: sr.nameOf(d), Kind: scop.ScalarVar}, true
}

func (ns *notes) undeclared(x ident) {
	ns.errorf("HX005", x.where, "every variable is declared before it is used", "declare it", "'%s' is not declared", x.name)
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
	sr.errorf("HX102", e.where, valueRule,
		"write it as an element of an array, such as A[i]", "pointer expression '%s' in a loop nest", sr.textOf(e))
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
func (ns *notes) arithmetic(e expr, op string, x, y scop.Expr) (scop.Expr, bool) {
	if slices.Contains(integerOps, op) && (x.Type().IsFloat() || y.Type().IsFloat()) {
		ns.errorf("HX005", e.at(), "C allows it for integers only", "cast them to an integer type", "'%s' of values of type '%s' and '%s'", op, x.Type(), y.Type())
		return nil, false
	}
	t := usual(x.Type(), y.Type())
	if op == "<<" || op == ">>" {
		t = x.Type()
	}
	r := scop.Binary{Op: op, X: convert(x, t, true), Y: convert(y, t, true)}
	if r.Type() == scop.Bool {
		return fromBool(r), true
	}
	return r, true
}

var integerOps = []string{"%", "&", "|", "^", "<<", ">>"}

// usual returns the common type of s and t.
func usual(s, t scop.Type) scop.Type {
	for _, r := range []scop.Type{scop.Double, scop.Float, scop.Ulong, scop.Long, scop.Uint} {
		if s == r || t == r {
			return r
		}
	}
	return scop.Int
}

// convert returns x in type t.
func convert(x scop.Expr, t scop.Type, implicit bool) scop.Expr {
	if x.Type() == t {
		return x
	}
	return scop.Cast{T: t, X: x, Implicit: implicit}
}

// fromBool returns condition x as C's int.
func fromBool(x scop.Expr) scop.Expr { return scop.Cast{T: scop.Int, X: x, Implicit: true} }

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
	start := len(sr.obligations)
	x, ok2 := sr.valueIf(c, e.x)
	between := len(sr.obligations)
	y, ok3 := sr.valueIf(scop.Unary{Op: "!", X: c}, e.y)
	if !ok1 || !ok2 || !ok3 {
		return nil, false
	}
	t := usual(x.Type(), y.Type())
	if v, known := sr.decide(e.c, sr.place()); known && v {
		sr.obligations = sr.obligations[:between]
		return convert(x, t, true), true
	} else if known {
		sr.obligations = slices.Delete(sr.obligations, start, between)
		return convert(y, t, true), true
	}
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
	for i, a := range args {
		args[i] = convert(a, t, true)
	}
	return scop.Call{T: t, Func: f.name, Args: args}, true
}

const callRule = "allowed: functions of math.h, abs, and functions that the file defines"

func (ns *notes) checkFunction(e call, f ident) bool {
	count, known := scop.Computable(f.name)
	switch {
	case f.decl != nil && f.decl.Type().Kind() != cc.Function:
		ns.errorf("HX103", e.where, callRule, "write its expression here", "call through pointer '%s'", f.name)
	case known && !isPrototype(f.decl):
		ns.errorf("HX103", f.where, callRule, "#include <math.h>", "function '%s' is not declared", f.name)
	case !known:
		ns.errorf("HX103", f.where, "it may have side effects; "+callRule, "write its expression here, or make it a macro", "function '%s' is not known", f.name)
	case len(e.args) != count:
		ns.errorf("HX103", e.where, fmt.Sprintf("'%s' takes %d %s", f.name, count, plural(int64(count), "argument")), "give it as many", "'%s' is called with %d %s", f.name, len(e.args), plural(int64(len(e.args)), "argument"))
	default:
		return true
	}
	return false
}

// isPrototype reports whether d is declared with the types of its arguments.
func isPrototype(d *cc.Declarator) bool {
	if d == nil {
		return false
	}
	f, ok := d.Type().(*cc.FunctionType)
	return ok && len(f.Parameters()) > 0
}

// mathType returns the type of the arguments and the result of a function.
func mathType(name string) scop.Type {
	switch name {
	case "abs":
		return scop.Int
	case "labs", "llabs":
		return scop.Long
	}
	if base, ok := strings.CutSuffix(name, "f"); ok {
		if _, known := scop.Computable(base); known {
			return scop.Float
		}
	}
	return scop.Double
}
