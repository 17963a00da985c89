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

// A reason says why an expression is not affine.
type reason struct {
	where
	text  string // such as "'idx[i]' is read from an array"
	help  string
	typed *ident // whose type is not part of the model
}

const affineRule = "allowed: sums of loop variables and parameters with constant factors"

// linear returns e over the iterators of loops and parameters, or why not.
func (b *builder) linear(e expr, loops []loop) (linear, *reason) {
	switch e := e.(type) {
	case number:
		if v, ok := intValue(e.val); ok {
			return constant(v), nil
		}
		if t, _ := numberType(e.typ); !t.IsFloat() {
			return linear{}, b.because(e, "is too large", "")
		}
		return linear{}, b.because(e, "is not an integer", "")
	case ident:
		return b.linearIdent(e, loops)
	case unary:
		x, why := b.linear(e.x, loops)
		switch e.op {
		case "+":
			return x, why
		case "-":
			if why == nil && isUnsigned(intType(e.x)) {
				b.oblige(e, x.scale(-1), loops)
			}
			return x.scale(-1), why
		}
	case binary:
		return b.linearBinary(e, loops)
	case cast:
		if t, ok := numberType(e.typ); ok && !t.IsFloat() {
			x, why := b.linear(e.x, loops)
			if why == nil {
				b.obligeOperand(e.x, x, t, loops)
			}
			return x, why
		}
	case cond:
		if v, known := b.decide(e.c, loops); known && v {
			return b.linear(e.x, loops)
		} else if known {
			return b.linear(e.y, loops)
		}
	case index:
		if v, _, ok := b.tableValue(e, loops); ok {
			return constant(v), nil
		}
		return linear{}, b.because(e, "is read from an array", b.tableHelp(e))
	case call:
		return linear{}, b.because(e, "is a function call", "compute the value before #pragma scop, into a variable")
	}
	return linear{}, b.because(e, "is not a sum", "")
}

func (b *builder) because(e expr, text, help string) *reason {
	return &reason{e.at(), fmt.Sprintf("'%s' %s", b.textOf(e), text), help, nil}
}

func (b *builder) linearIdent(e ident, loops []loop) (linear, *reason) {
	d := e.decl
	switch {
	case d == nil:
		return linear{}, b.because(e, "is not declared", "")
	case inLoops(loops, d):
		return variable(d), nil
	case b.localOf(d) != nil:
		return b.linearLocal(e, b.localOf(d))
	case b.iterators[d]:
		return linear{}, b.because(e, "is a loop variable, but of no loop around this place", "")
	}
	t, ok := storedType(d.Type())
	if !ok || t.IsFloat() {
		return linear{}, b.because(e, fmt.Sprintf("is of type '%s'", typeName(d.Type())), "use an integer")
	}
	if b.attached(d) != "" {
		why := b.because(e, "is of no type for that", "")
		why.typed = &e
		return linear{}, why
	}
	if w, ok := b.written[d]; ok {
		why := b.because(e, fmt.Sprintf("is assigned in the region (line %d)", w.first.Line), "write its value here instead")
		return linear{}, why
	}
	if v, ok := b.constValue(d); ok {
		return constant(v), nil
	}
	b.param(e, calculated(t))
	return variable(d), nil
}

// localOf returns the local that d is in the nest that is being read, or nil.
func (b *builder) localOf(d *cc.Declarator) *local {
	if b.current == nil {
		return nil
	}
	return b.current.locals[d]
}

// linearLocal returns the value that local e has at this place.
func (b *builder) linearLocal(e ident, l *local) (linear, *reason) {
	switch {
	case l.value == nil || !l.set:
		return linear{}, b.because(e, "has no value here that is a sum of loop variables and parameters", "write its value here instead")
	}
	b.obligations = append(b.obligations, l.owed...)
	return *l.value, nil
}

// param notes that the region depends on parameter e.
func (b *builder) param(e ident, t scop.Type) {
	if _, known := b.params[e.decl]; !known {
		b.params[e.decl] = scop.Param{Name: b.nameOf(e.decl), Type: t, C: b.expressionOf(e.decl)}
	}
}

// inRegion reports whether d is declared in the region.
func (b *builder) inRegion(d *cc.Declarator) bool {
	at := b.f.offset(d.Position())
	for _, w := range b.inlined {
		if from, to, ok := b.f.bytes(w); ok && from <= at && at < to || d.Position().Filename == w.first.Filename && !ok {
			return true
		}
	}
	for _, f := range b.flows { // a parameter of a function that is inlined
		if f.to == d && d.IsParam() && !b.ofFunction(d) {
			return true
		}
	}
	return at >= b.r.Start && at < b.r.End
}

// ofFunction reports whether d is a parameter of the function around the region.
func (b *builder) ofFunction(d *cc.Declarator) bool {
	return slices.Contains(parameters(b.r.function), d)
}

func inLoops(loops []loop, d *cc.Declarator) bool {
	for _, l := range loops {
		if l.decl == d {
			return true
		}
	}
	return false
}

func (b *builder) linearBinary(e binary, loops []loop) (linear, *reason) {
	if !slices.Contains([]string{"+", "-", "*", "/", "%", "<<", ">>", "&"}, e.op) {
		return linear{}, b.because(e, "is not a sum", "")
	}
	x, why := b.linear(e.x, loops)
	if why != nil {
		return linear{}, why
	}
	y, why := b.linear(e.y, loops)
	if why != nil {
		return linear{}, why
	}
	r, ok := fold(e.op, x, y)
	if !ok {
		return linear{}, b.because(e, notLinear(e.op), "")
	}
	if !r.small() {
		return linear{}, b.because(e, "is too large", "")
	}
	if t := intType(e); isUnsigned(t) {
		b.obligeOperand(e.x, x, t, loops)
		b.obligeOperand(e.y, y, t, loops)
		b.oblige(e, r, loops)
		if t == scop.Uint && e.op != "-" {
			b.obligeFit(e, r, t, loops)
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

// fold returns x op y if that is affine. Both are within maxCoefficient.
func fold(op string, x, y linear) (linear, bool) {
	switch op {
	case "+":
		return x.add(y), true
	case "-":
		return x.sub(y), true
	case "*":
		if y.isConstant() {
			x, y = y, x
		}
		if !x.isConstant() || abs(x.c) >= 1<<20 && !y.within(1<<20) {
			return linear{}, false
		}
		return y.scale(x.c), true
	case "<<":
		if !y.isConstant() || y.c < 0 || y.c > 20 {
			return linear{}, false
		}
		return x.scale(1 << y.c), true
	}
	if !x.isConstant() || !y.isConstant() || y.c <= 0 {
		return linear{}, false
	}
	switch op {
	case "&":
		return constant(x.c & y.c), true
	case "/":
		return constant(x.c / y.c), true
	case "%":
		return constant(x.c % y.c), true
	case ">>":
		return constant(x.c >> min(y.c, 62)), true
	}
	return linear{}, false
}

// subscript returns e, which may be a remainder, or notes what is wrong.
func (b *builder) subscript(e expr, loops []loop) (subscript, bool) {
	if s, ok := b.remainder(e, loops); ok {
		return s, true
	}
	x, why := b.linear(e, loops)
	if why != nil {
		b.notAffine("subscript", e, why)
		return subscript{}, false
	}
	return subscript{linear: x}, true
}

// notAffine reports that e, a subscript or bound, is not affine.
func (b *builder) notAffine(what string, e expr, why *reason) {
	if why.typed != nil {
		b.checkAttached(*why.typed)
		return
	}
	help := why.help
	if help == "" {
		help = "rewrite it as such a sum, or keep this loop out of the region"
	}
	b.errorf("HX101", why.where, affineRule, help, "%s '%s' is not affine", what, b.textOf(e))
	d := b.errs[len(b.errs)-1]
	d.Notes = append(d.Notes, diag.Note{Msg: why.text})
}

// remainder returns x % m, x & m-1, and m-1 - x % m.
func (b *builder) remainder(e expr, loops []loop) (subscript, bool) {
	switch e := e.(type) {
	case cast:
		if t, ok := numberType(e.typ); ok && !t.IsFloat() {
			return b.remainder(e.x, loops)
		}
	case binary:
		m, why := b.linear(e.y, loops)
		switch {
		case e.op == "%" && why == nil && m.isConstant() && m.c > 0:
			x, why := b.linear(e.x, loops)
			if why == nil && x.isConstant() && x.c >= 0 {
				return subscript{}, false // a number
			}
			return subscript{x, m.c, &x}, why == nil
		case e.op == "&" && why == nil && m.isConstant() && m.c > 0 && m.c&(m.c+1) == 0:
			x, why := b.linear(e.x, loops)
			if why == nil && x.isConstant() {
				return subscript{}, false
			}
			return subscript{x, m.c + 1, nil}, why == nil // of negative numbers too
		case e.op == "-":
			c, why := b.linear(e.x, loops)
			s, ok := b.remainder(e.y, loops)
			if ok && why == nil && c.equal(constant(s.mod-1)) {
				// m-1 - x mod m = (-x-1) mod m = ((m-1)*x + m-1) mod m
				return subscript{s.linear.scale(s.mod - 1).addc(s.mod - 1), s.mod, s.left}, true
			}
		}
	}
	return subscript{}, false
}
