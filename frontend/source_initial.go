package frontend

import (
	"modernc.org/cc/v4"

	"github.com/hexcc/hexcc/scop"
)

// This file reads the values of variables that are const where they are defined: programs that call the
// function around a region cannot give them others.

// isConstObject reports whether d is a constant of the file or an array of constants, and no pointer to any, nor a parameter.
func (src *source) isConstObject(d *cc.Declarator) bool {
	if d.IsParam() || src.u.members.is(d) || isPointer(d) || tableOf(d.Type()) > 0 {
		return false
	}
	if s, ok := shapeOf(d); ok {
		return d.IsConst() || s.elem.Attributes().IsConst()
	}
	return d.IsConst()
}

// fixed returns the values of d, whose elements are of type t, if it is const where it is defined; else nil.
func (src *source) fixed(d *cc.Declarator, t scop.Type) *scop.Fixed {
	if !src.isConstObject(d) || within(src.r.function, d) {
		return nil
	}
	count := int64(1)
	if s, ok := shapeOf(d); ok {
		for _, n := range s.dims {
			if n == nil || n.Len() <= 0 || n.Len() > maxTableElements || count > maxTableElements {
				return &scop.Fixed{}
			}
			count *= n.Len()
		}
	}
	stored, ok := storedType(d.Type())
	if !ok {
		stored = t // of an array
	}
	values := make([]uint64, count)
	n := src.declarationOf(d).list
	if n == nil || !eachInitial(n, func(n *cc.Initializer) bool {
		v, ok := initialValue(n, stored, t)
		at := n.Offset() / int64(stored.Size())
		if !ok || at < 0 || at+n.Len() > count {
			return false
		}
		for k := range n.Len() {
			values[at+k] = v
		}
		return true
	}) {
		return &scop.Fixed{}
	}
	return &scop.Fixed{Values: values}
}

// initialValue returns the bits, in type t, of the value that n gives a variable of type stored, if C computes it without a rounding that
// we do not.
func initialValue(n *cc.Initializer, stored, t scop.Type) (bits uint64, ok bool) {
	switch v := n.AssignmentExpression.Value().(type) {
	case cc.Int64Value, cc.UInt64Value:
		i, ok := intValue(v)
		if lo, hi := stored.Range(); !stored.IsFloat() && stored.Size() < 8 && (i < lo || i > hi) {
			return 0, false
		}
		if stored == scop.Half {
			return t.OfFloat(stored.Number(stored.OfInteger(i))), ok
		}
		return t.OfInteger(i), ok
	case cc.Float64Value:
		if !stored.IsFloat() {
			return 0, false
		}
		from, _ := numberType(n.AssignmentExpression.Type())
		if stored == scop.Half {
			return t.OfFloat(stored.Number(stored.OfFloat(float64(v)))), n.AssignmentExpression.Type().Kind() == cc.Double
		}
		switch e := convertExpr(n.AssignmentExpression).(type) {
		case number:
			return t.OfFloat(floatValue(e.text, from, float64(v))), n.AssignmentExpression.Type().Kind() != cc.LongDouble
		case unary:
			if x, ok := e.x.(number); ok && e.op == "-" && n.AssignmentExpression.Type().Kind() != cc.LongDouble {
				return t.OfFloat(-floatValue(x.text, from, -float64(v))), true
			}
		}
		return t.OfFloat(float64(v)), n.AssignmentExpression.Type().Kind() == cc.Double
	}
	return 0, false
}

// maxTableElements bounds the elements of an array whose values are looked up.
const maxTableElements = 4096
