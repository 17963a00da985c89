package frontend

import (
	"fmt"
	"slices"

	"modernc.org/cc/v4"

	"github.com/hexcc/hexcc/diag"
	"github.com/hexcc/hexcc/scop"
)

// This file decides what is affine: a sum of iterators and parameters with
// constant factors.

// An affineReader reads an expression at a place (see sums_place.go) as a sum of iterators and parameters, or says why it is
// none. That C computes the same, in its types, is owed: see sums_place.go and affine_obligation.go.
type affineReader struct {
	*symbols
	vars *variables
}

func newAffineReader(sym *symbols) *affineReader {
	return &affineReader{symbols: sym, vars: &variables{remainders: map[*cc.Declarator]subscript{}}}
}

// A reason says why an expression is not affine.
type reason struct {
	where
	text  string // such as "'idx[i]' is read from an array"
	help  string
	typed *ident // whose type is not part of the model
}

const affineRule = "allowed: sums of loop variables and parameters with constant factors"

// linear returns e over the iterators of the loops around it and parameters, or why not.
func (ar *affineReader) linear(e expr, at place) (linear, *reason) {
	switch e := e.(type) {
	case number:
		if v, ok := intValue(e.val); ok {
			return constant(v), nil
		}
		if t, _ := numberType(e.typ); !t.IsFloat() {
			return linear{}, ar.because(e, "is too large", "")
		}
		return linear{}, ar.because(e, "is not an integer", "")
	case ident:
		return ar.linearIdent(e, at)
	case unary:
		if t := intType(e); isModular(e, t) {
			return ar.unsignedSum(e, t, at)
		}
		x, why := ar.linear(e.x, at)
		switch e.op {
		case "+":
			return x, why
		case "-":
			return x.scale(-1), why
		}
	case binary:
		if t := intType(e); isModular(e, t) {
			return ar.unsignedSum(e, t, at)
		}
		return ar.linearBinary(e, at)
	case cast:
		if t, ok := numberType(e.typ); ok && !t.IsFloat() {
			x, why := ar.linear(e.x, at)
			if why == nil {
				ar.obligeOperand(e.x, x, t, at)
			}
			return x, why
		}
	case cond:
		if x, ok := ar.chosen(e, at); ok {
			return ar.linear(x, at)
		}
	case memberExpr:
		if v, _, ok := ar.tableValue(e, at); ok {
			return constant(v), nil
		}
		if x, ok := ar.elementParam(e, at); ok {
			return ar.linearIdent(x, at)
		}
	case index:
		if v, _, ok := ar.tableValue(e, at); ok {
			return constant(v), nil
		}
		if x, ok := ar.elementParam(e, at); ok {
			return ar.linearIdent(x, at)
		}
		return linear{}, ar.because(e, "is read from an array", ar.tableHelp(e))
	case call:
		return linear{}, ar.because(e, "is a function call", "compute the value before #pragma scop, into a variable")
	}
	return linear{}, ar.because(e, "is not a sum", "")
}

func (ar *affineReader) because(e expr, text, help string) *reason {
	return &reason{e.at(), fmt.Sprintf("'%s' %s", ar.textOf(e), text), help, nil}
}

func (ar *affineReader) linearIdent(e ident, at place) (linear, *reason) {
	d := e.decl
	switch {
	case d == nil:
		return linear{}, ar.because(e, "is not declared", "")
	case inLoops(at.loops, d):
		return variable(d), nil
	case at.locals[d] != nil:
		return ar.linearLocal(e, at.locals[d])
	case ar.iterators[d]:
		return linear{}, ar.because(e, "is a loop variable, but of no loop around this place", "")
	}
	t, ok := storedType(d.Type())
	if !ok || t.IsFloat() {
		return linear{}, ar.because(e, fmt.Sprintf("is of type '%s'", typeName(d.Type())), "use an integer")
	}
	if ar.attached(d) != "" {
		why := ar.because(e, "is of no type for that", "")
		why.typed = &e
		return linear{}, why
	}
	if w, ok := ar.written[d]; ok {
		why := ar.because(e, fmt.Sprintf("is assigned in the region (line %d)", w.first.Line), "write its value here instead")
		return linear{}, why
	}
	if v, ok := ar.constValue(d); ok {
		return constant(v), nil
	}
	ar.param(e, calculated(t))
	return variable(d), nil
}

// linearLocal returns the value that local e has at this place.
func (ar *affineReader) linearLocal(e ident, l *local) (linear, *reason) {
	switch {
	case l.value == nil || !l.set:
		return linear{}, ar.because(e, "has no value here that is a sum of loop variables and parameters", "write its value here instead")
	}
	ar.owe(l.owed...)
	return *l.value, nil
}

func (ar *affineReader) linearBinary(e binary, at place) (linear, *reason) {
	if !slices.Contains([]string{"+", "-", "*", "/", "%", "<<", ">>", "&"}, e.op) {
		return linear{}, ar.because(e, "is not a sum", "")
	}
	x, why := ar.dividend(e, at)
	if why != nil {
		return linear{}, why
	}
	y, why := ar.linear(e.y, at)
	if why != nil {
		return linear{}, why
	}
	r, ok := fold(e.op, x, y)
	if !ok {
		r, ok = ar.wrapped(e, at)
	}
	if !ok {
		r, ok = ar.quotient(e, x, y, at)
	}
	if !ok {
		return linear{}, ar.because(e, notLinear(e.op), "")
	}
	if !r.small() {
		return linear{}, ar.because(e, "is too large", "")
	}
	if t := intType(e); isUnsigned(t) {
		ar.obligeOperand(e.x, x, t, at)
		ar.obligeOperand(e.y, y, t, at)
		ar.oblige(e, r, at)
		if t == scop.Uint && e.op != "-" {
			ar.obligeFit(e, r, t, at)
		}
	}
	return r, nil
}

func notLinear(op string) string {
	switch op {
	case "*":
		return "is a product of variables"
	case "/":
		return "is a quotient"
	case "%":
		return "is a remainder; one may stand as a whole subscript, such as [(t+1)%2]"
	}
	return "is not a sum"
}

// subscript returns e, which may be a remainder, or notes what is wrong.
func (ar *affineReader) subscript(e expr, at place) (subscript, bool) {
	if s, ok := ar.remainder(e, at); ok {
		return s, true
	}
	x, why := ar.linear(e, at)
	if why != nil {
		ar.notAffine("subscript", e, why)
		return subscript{}, false
	}
	return subscript{linear: x}, true
}

// notAffine reports that e, a subscript or bound, is not affine.
func (ar *affineReader) notAffine(what string, e expr, why *reason) {
	if why.typed != nil {
		ar.checkAttached(*why.typed)
		return
	}
	help := why.help
	if help == "" {
		help = "rewrite it as such a sum, or keep this loop out of the region"
	}
	ar.errorf("HX101", why.where, affineRule, help, "%s '%s' is not affine", what, ar.textOf(e))
	d := ar.errs[len(ar.errs)-1]
	d.Notes = append(d.Notes, diag.Note{Msg: why.text})
}

// remainder returns x % m, x & m-1, m-1 - x % m, and !(x % 2).
func (ar *affineReader) remainder(e expr, at place) (subscript, bool) {
	switch e := e.(type) {
	case cast:
		if t, ok := numberType(e.typ); ok && !t.IsFloat() {
			return ar.remainder(e.x, at)
		}
	case unary:
		if s, ok := ar.remainder(e.x, at); ok && e.op == "!" && s.mod == 2 {
			return subscript{s.linear.addc(1), 2, s.left}, true // 1 - x mod 2
		}
	case binary:
		m, why := ar.linear(e.y, at)
		switch {
		case e.op == "%" && why == nil && m.isConstant() && m.c > 0:
			x, why := ar.dividend(e, at)
			if why == nil && x.isConstant() && x.c >= 0 {
				return subscript{}, false // a number
			}
			if _, ok := ar.wrapped(e, at); ok {
				return subscript{}, false // a sum
			}
			if ar.powerOfTwo(e, at) {
				return subscript{x, m.c, nil}, why == nil
			}
			return subscript{x, m.c, &x}, why == nil
		case e.op == "&" && why == nil && m.isConstant() && m.c > 0 && m.c&(m.c+1) == 0:
			x, why := ar.dividend(e, at)
			if why == nil && x.isConstant() {
				return subscript{}, false
			}
			if _, ok := ar.wrapped(e, at); ok {
				return subscript{}, false
			}
			return subscript{x, m.c + 1, nil}, why == nil // of negative numbers too
		case e.op == "-":
			c, why := ar.linear(e.x, at)
			s, ok := ar.remainder(e.y, at)
			if ok && why == nil && c.equal(constant(s.mod-1)) {
				// m-1 - x mod m = (-x-1) mod m = ((m-1)*x + m-1) mod m
				return subscript{s.linear.scale(s.mod - 1).addc(s.mod - 1), s.mod, s.left}, true
			}
		}
	}
	return subscript{}, false
}

// tableValue returns the value of e, if that is an element of an array of integers that is const and begins with constants, such
// as static const int dx[4] = {1, 0, -1, 0}, by subscripts that are numbers at this place.
func (ar *affineReader) tableValue(e expr, at place) (value int64, t scop.Type, ok bool) {
	p, values, ok := ar.tableOfPath(e)
	if !ok {
		return 0, 0, false
	}
	shape, _ := shapeOf(p.root.decl)
	t, _ = storedType(p.typ)
	element, start := int64(0), ar.mark()
	for k, sub := range p.subs {
		x, why := ar.linear(sub, at)
		n := shape.dims[k].Len()
		if why != nil || !x.isConstant() || x.c < 0 || x.c >= n {
			ar.back(start)
			return 0, 0, false
		}
		element = element*n + x.c
	}
	return values[element], t, true
}
