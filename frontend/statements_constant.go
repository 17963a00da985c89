package frontend

import (
	"modernc.org/cc/v4"

	"github.com/hexcc/hexcc/scop"
)

// This file finds variables outside of the region that have one value whenever it runs: they begin with it, and nothing gives them another, as in
//
//	double dx = 1.0, dt = 0.1 * dx * dx;
//
// In a region they are numbers with a name. A compiler that sees those in a kernel drops a division by 1, and divides by 0.25 by multiplying;
// of an argument it knows nothing.

// constantVariable returns the value of d; ok is false where that is no number, may change, or is not computed of numbers and such variables alone.
func (sr *statementReader) constantVariable(d *cc.Declarator) (c scop.Const, ok bool) {
	if c, ok, known := sr.valueOf(d); known {
		return c, ok
	}
	sr.noteValue(d, c, false) // until it is computed: its first value may name itself
	c, ok = sr.computedOf(d)
	c.Name = scop.Plain(d.Name())
	sr.noteValue(d, c, ok)
	return c, ok
}

// computedOf is constantVariable of a variable that was not asked for yet.
func (sr *statementReader) computedOf(d *cc.Declarator) (c scop.Const, ok bool) {
	t, isNumber := storedType(d.Type())
	if first := sr.initOf(d); isNumber && !t.IsNarrow() && t != scop.Half && sr.staysAsItBegins(d) && first != nil {
		ok = true
		first = mapExpr(first, func(e expr) expr {
			switch e := e.(type) {
			case ident:
				if e.decl != nil {
					if v, known := sr.constantVariable(e.decl); known {
						return numberOf(v, e)
					}
				}
			case number, unary, binary, cast:
				return e
			}
			ok = false
			return e
		})
		if ok {
			back := sr.try()
			x, isValue := sr.value(first)
			back() // what is wrong in it is not of the region
			if ok = isValue && !x.Type().IsComplex(); ok {
				return folded(convert(x, t, true))
			}
		}
	}
	return c, false
}

// numberOf returns c, the value of variable e, as an expression.
func numberOf(c scop.Const, e ident) number {
	n := number{where: e.where, text: c.Text, typ: e.decl.Type(), val: cc.Int64Value(c.I)}
	if c.T.IsFloat() {
		n.val = cc.Float64Value(c.F)
	}
	return n
}

// staysAsItBegins reports whether d has the value that it begins with wherever it can be named. In C++ a variable may be changed by a reference wherever it is named, so
// there only constants do.
func (sr *statementReader) staysAsItBegins(d *cc.Declarator) bool {
	if d.IsParam() || isVolatile(d) || sr.u.members.is(d) || sr.attached(d) != "" {
		return false
	}
	return d.IsConst() || sr.f.cxx == nil && within(sr.r.function, d) && !d.AddressTaken() && d.WriteCount() == 1 && !sr.hasAssembly()
}

// hasAssembly reports whether the function around the region has assembly, of which it is not read what that sets.
func (src *source) hasAssembly() (found bool) {
	eachStmt(src.r.body, func(s stmt) {
		other, ok := s.(otherStmt)
		found = found || ok && other.what == "assembly"
	})
	return found
}
