package ctext

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/scop"
)

// This file prints the expressions of statements. The tree says every
// conversion; the text leaves out those that C makes by itself, and has the
// parentheses that C needs and no more.
//
// Where it is asked for, a product that may end up in a sum is spelled __fmul_rn
// or __dmul_rn, which no CUDA compiler contracts to a fused multiply-add: the results
// are those of the original program whatever the flags. Other products read as the
// user wrote them.

// Precedences of C, loosest first.
const (
	precCond = 1 + iota
	precOr
	precAnd
	precBitOr
	precBitXor
	precBitAnd
	precEqual
	precLess
	precShift
	precSum
	precProduct
	precUnary
	precPostfix
)

var precedences = map[string]int{
	"||": precOr, "&&": precAnd, "|": precBitOr, "^": precBitXor, "&": precBitAnd, "==": precEqual, "!=": precEqual,
	"<": precLess, "<=": precLess, ">": precLess, ">=": precLess, "<<": precShift, ">>": precShift,
	"+": precSum, "-": precSum, "*": precProduct, "/": precProduct, "%": precProduct,
}

// A value is the text of an expression, its precedence, and the type that C++ gives it.
type value struct {
	text string
	prec int
	t    scop.Type
}

// at returns v for a place that binds as tightly as prec.
func (v value) at(prec int) string {
	if v.prec < prec {
		return "(" + v.text + ")"
	}
	return v.text
}

// A Valuer prints the expressions of one instance of a statement.
type Valuer struct {
	Indexer
	Iters map[string]affine.Expr
	Read  func(*scop.Access) string
	// Rounded: products that may end up in a sum are spelled such that they are rounded.
	Rounded bool
	// Typed: every operand has the type that the tree gives it, also where C would convert it by itself.
	Typed bool
	// Halves: what holds a scop.Half are its bits, which functions convert: see HalfFunctions.
	Halves bool
	// Function returns what a function of math.h is called; nil: as there.
	Function func(name string) string
	// Vector, if it is set, returns for a call in vectors, of which math.h knows nothing, what is called and how operands are
	// printed, for one of numbers "".
	Vector func(scop.Call) (function string, operand func(scop.Expr) string)
	Places bool // marks say what computes which expression of the source: see Unplaced
}

// Assigned returns e for a place that converts to the type of e, as an assignment does.
func (v Valuer) Assigned(e scop.Expr, sum bool) string {
	return v.value(v.bare(e), sum && e.Type().IsFloat()).text
}

// bare drops one conversion of C's own from e, if it has one that need not be spelled.
func (v Valuer) bare(e scop.Expr) scop.Expr {
	if v.Typed {
		return e
	}
	return bare(e)
}

func bare(e scop.Expr) scop.Expr {
	c, ok := e.(scop.Cast)
	if ok && c.T == scop.Bool && c.X.Type() != scop.Bool { // what holds one in memory is no _Bool, and would cut the value down
		return e
	}
	if ok && (c.T == scop.Half || c.X.Type() == scop.Half) {
		return e
	}
	if ok && c.Implicit {
		return c.X
	}
	return e
}

// value returns e with the type that the tree gives it. sum says that e may be
// an operand of a sum, perhaps by way of variables or conversions.
func (v Valuer) value(e scop.Expr, sum bool) value {
	x := v.unplaced(e, sum)
	x.text = v.Placed(x.text, e)
	return x
}

// unplaced is value without marks around all of it.
func (v Valuer) unplaced(e scop.Expr, sum bool) value {
	switch e := e.(type) {
	case scop.Const:
		if named, ok := v.constant(e); ok {
			return named
		}
		return literal(e)
	case scop.Read:
		return value{v.Read(e.From), precPostfix, e.Type()}
	case scop.Var:
		return v.variable(e)
	case scop.Unary:
		return v.unary(e, sum)
	case scop.Binary:
		return v.binary(e, sum)
	case scop.Cast:
		if e.T == scop.Bool {
			return v.condition(e)
		}
		if e.Implicit && e.T == scop.Int && e.X.Type() == scop.Bool {
			return v.value(e.X, false) // arithmetic promotes it
		}
		if v.Typed && e.X.Type() == e.T {
			return v.value(e.X, sum)
		}
		x := v.value(bare(e.X), sum && e.X.Type().IsFloat())
		if v.Halves && (e.T == scop.Half || e.X.Type() == scop.Half) {
			return value{halfConversion(e.X.Type(), e.T) + "(" + x.text + ")", precPostfix, e.T}
		}
		return cast(e.T, x)
	case scop.Call:
		return value{v.call(e), precPostfix, e.T}
	case scop.Cond:
		x, y := v.converted(e.X, e.Y, sum)
		c := v.condition(e.C)
		return value{c.at(precOr) + " ? " + x.at(precOr) + " : " + y.at(precCond), precCond, e.Type()}
	}
	panic(fmt.Sprintf("ctext: expr: unknown expression %T", e))
}

// call returns a call of a function of math.h.
func (v Valuer) call(e scop.Call) string {
	function, operand := v.function(e.Func), func(a scop.Expr, sum bool) string { return v.value(a, sum).text }
	if v.Vector != nil {
		if name, vector := v.Vector(e); name != "" {
			function, operand = name, func(a scop.Expr, _ bool) string { return vector(a) }
		}
	}
	args := make([]string, len(e.Args))
	for i, a := range e.Args {
		args[i] = operand(a, e.IsFMA() && i == 2) // it is added, and compilers that contract know what fma does
	}
	return function + "(" + strings.Join(args, ", ") + ")"
}

// function returns what a function of math.h is called.
func (v Valuer) function(name string) string {
	if v.Function == nil {
		return name
	}
	return v.Function(name)
}

// cast returns x converted to t.
func cast(t scop.Type, x value) value {
	return value{"(" + t.String() + ")" + x.at(precUnary), precUnary, t}
}

func (v Valuer) variable(e scop.Var) value {
	name := ""
	switch e.Kind {
	case scop.LocalVar:
		return value{v.Local[e.Name], precPostfix, e.T}
	case scop.IterVar:
		x := v.iterator(v.Iters[e.Name])
		if e.T != v.Index {
			return cast(e.T, x)
		}
		return x
	case scop.ParamVar:
		name = v.Use(e.Name)
		if e.T != v.Index {
			return cast(e.T, value{name, precPostfix, v.Index})
		}
	default:
		name = v.Outer[e.Name]
		v.Uses[name] = true
	}
	return value{name, precPostfix, e.T}
}

// iterator returns the value of an iterator.
func (v Valuer) iterator(e affine.Expr) value {
	prec := precPostfix
	if s, ok := e.(affine.Sum); ok {
		switch {
		case len(s.Terms) > 1 || len(s.Terms) == 1 && s.Const != 0:
			prec = precSum
		case len(s.Terms) == 1 && s.Terms[0].Coef > 1:
			prec = precProduct
		case len(s.Terms) == 1 && s.Terms[0].Coef < 0, s.Const < 0:
			prec = precUnary
		}
	}
	return value{v.Indexer.Expr(e), prec, v.Index}
}

func (v Valuer) unary(e scop.Unary, sum bool) value {
	if e.Op == "!" {
		return value{"!" + v.condition(e.X).at(precUnary), precUnary, scop.Bool}
	}
	x := v.value(e.X, sum)
	text := x.at(precUnary)
	if begins(text) == e.Op[0] {
		text = "(" + text + ")" // - -x
	}
	return value{e.Op + text, precUnary, x.t}
}

// condition returns e where C asks whether a number is 0.
func (v Valuer) condition(e scop.Expr) value {
	if c, ok := e.(scop.Cast); ok && c.T == scop.Bool {
		x := v.value(c.X, false)
		if x.t == scop.Bool {
			return x
		}
		return value{x.at(precEqual+1) + " != 0", precEqual, scop.Bool}
	}
	return v.value(e, false)
}

func (v Valuer) binary(e scop.Binary, sum bool) value {
	prec := precedences[e.Op]
	if prec == 0 {
		panic(fmt.Sprintf("ctext: binary: unknown operator %q", e.Op))
	}
	switch e.Op {
	case "&&", "||":
		return v.logical(e, prec)
	case "<<", ">>":
		x, y := v.value(e.X, false), v.value(bare(e.Y), false)
		return value{x.at(max(prec, precProduct)) + " " + e.Op + " " + y.at(precUnary), prec, e.Type()}
	}
	inSum := e.Op == "+" || e.Op == "-"
	if v.Rounded && e.X.Type().IsFloat() && sum {
		if text, ok := v.product(e); ok {
			return text
		}
	}
	x, y := v.converted(e.X, e.Y, inSum)
	left, right := prec, prec+1
	switch e.Op {
	case "&", "|", "^", "==", "!=", "<", "<=", ">", ">=":
		left, right = precSum, precSum // a < b == c reads badly, and compilers warn of it
		if e.Op == "&" || e.Op == "|" || e.Op == "^" {
			left, right = precUnary, precUnary
		}
	}
	return value{x.at(left) + " " + e.Op + " " + y.at(right), prec, e.Type()}
}

// logical returns x && y or x || y, with parentheses where they mix.
func (v Valuer) logical(e scop.Binary, prec int) value {
	operand := func(o scop.Expr) string {
		c := v.condition(o)
		if b, ok := o.(scop.Binary); ok && b.Op == e.Op {
			return c.text
		}
		return c.at(precBitOr)
	}
	x := operand(e.X)
	y := v.condition(e.Y).at(precBitOr)
	return value{x + " " + e.Op + " " + y, prec, scop.Bool}
}

// product returns e, a product or a quotient that is one, such that it is
// rounded before it is added to anything.
func (v Valuer) product(e scop.Binary) (value, bool) {
	call := "__fmul_rn"
	if e.X.Type() == scop.Double {
		call = "__dmul_rn"
	}
	y := e.Y
	switch e.Op {
	case "*":
	case "/":
		// Compilers divide by a power of two with a product, which is the same.
		r, ok := reciprocal(y)
		if !ok {
			return value{}, false
		}
		y = r
	default:
		return value{}, false
	}
	text := fmt.Sprintf("%s(%s, %s)", call, v.Assigned(e.X, false), v.Assigned(y, false))
	return value{text, precPostfix, e.Type()}, true
}

// reciprocal returns 1/e if e is a constant whose reciprocal is exact.
func reciprocal(e scop.Expr) (scop.Expr, bool) {
	t := e.Type()
	if c, ok := e.(scop.Cast); ok {
		e = c.X
	}
	c, ok := e.(scop.Const)
	if !ok {
		return nil, false
	}
	f := c.F
	if !c.T.IsFloat() {
		f = float64(c.I)
	}
	if m, exp := math.Frexp(f); math.Abs(m) != 0.5 || exp < -100 || exp > 100 {
		return nil, false
	}
	return scop.Const{T: t, F: 1 / f}, true
}

// converted returns x and y, which have the same type in the tree, as operands
// that C's usual arithmetic conversions bring to that type.
func (v Valuer) converted(x, y scop.Expr, sum bool) (value, value) {
	t := x.Type()
	for _, drop := range [][2]bool{{true, true}, {true, false}, {false, true}} {
		a, b := x, y
		if drop[0] {
			a = v.bare(x)
		}
		if drop[1] {
			b = v.bare(y)
		}
		p, q := v.value(a, sum), v.value(b, sum)
		if usual(p.t, q.t) == t || t == scop.Bool {
			return p, q
		}
	}
	return v.value(x, sum), v.value(y, sum)
}

// usual returns the type of a sum of values of types a and b in C.
func usual(a, b scop.Type) scop.Type {
	if a.IsComplex() || b.IsComplex() {
		if usual(a.Part(), b.Part()) == scop.Double {
			return scop.ComplexDouble
		}
		return scop.ComplexFloat
	}
	return rankOrder[max(rank(a), rank(b))]
}

var rankOrder = []scop.Type{scop.Int, scop.Uint, scop.Long, scop.Ulong, scop.Float, scop.Double, scop.LongDouble}

func rank(t scop.Type) int {
	for i, r := range rankOrder {
		if r == t {
			return i
		}
	}
	return 0 // Bool is promoted to int
}

// literal returns the constant as the source spells it, if that has its type and value.
func literal(c scop.Const) value {
	if part := c.T.Part(); part != c.T { // GNU C's, as I is
		return value{"(__extension__ " + spellFloat(c.F, part) + "i)", precPostfix, c.T}
	}
	text := c.Text
	if t, ok := literalType(text); !ok || t != c.T {
		text = spell(c)
	}
	prec := precPostfix
	if strings.HasPrefix(text, "-") {
		prec = precUnary
	}
	return value{text, prec, c.T}
}

// literalType returns the type of a number in C, decimal or octal integers below 2^31 only.
func literalType(text string) (scop.Type, bool) {
	if text == "" || !strings.Contains("0123456789.", text[:1]) {
		return 0, false
	}
	lower := strings.ToLower(text)
	if _, err := strconv.ParseInt(lower, 0, 32); err == nil {
		return scop.Int, true
	}
	if _, err := strconv.ParseFloat(lower, 64); err == nil && strings.ContainsAny(lower, ".ep") {
		return scop.Double, true
	}
	if f, cut := strings.CutSuffix(lower, "f"); cut && !strings.HasPrefix(lower, "0x") && strings.ContainsAny(f, ".e") {
		_, err := strconv.ParseFloat(f, 64)
		return scop.Float, err == nil
	}
	if f, cut := strings.CutSuffix(lower, "l"); cut && (strings.HasPrefix(f, "0x") && strings.Contains(f, "p") || !strings.HasPrefix(f, "0x") && strings.ContainsAny(f, ".e")) {
		_, err := strconv.ParseFloat(f, 64)
		return scop.LongDouble, err == nil || errors.Is(err, strconv.ErrRange)
	}
	return 0, false
}

// spell returns the shortest literal of the value.
func spell(c scop.Const) string {
	switch c.T {
	case scop.Float, scop.Double:
		return spellFloat(c.F, c.T)
	case scop.LongDouble:
		return strconv.FormatFloat(c.F, 'x', -1, 64) + "L"
	case scop.Bool:
		return strconv.FormatInt(c.I, 10)
	case scop.Uint:
		return strconv.FormatUint(uint64(uint32(c.I)), 10) + "u"
	case scop.Ulong:
		return strconv.FormatUint(uint64(c.I), 10) + "ul"
	case scop.Long:
		return strings.TrimSuffix(Integer(c.I), "L") + "L"
	}
	return Integer(c.I)
}

func spellFloat(f float64, t scop.Type) string {
	bits, suffix := 64, ""
	if t == scop.Float {
		bits, suffix = 32, "f"
	}
	switch {
	case math.IsInf(f, 1):
		return "(1.0" + suffix + " / 0.0" + suffix + ")"
	case math.IsInf(f, -1):
		return "(-1.0" + suffix + " / 0.0" + suffix + ")"
	case f != f:
		return "(0.0" + suffix + " / 0.0" + suffix + ")"
	}
	text := strconv.FormatFloat(f, 'g', -1, bits)
	if !strings.ContainsAny(text, ".e") {
		text += ".0"
	}
	return text + suffix
}
