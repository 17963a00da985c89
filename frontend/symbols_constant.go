package frontend

import (
	"fmt"

	"modernc.org/cc/v4"

	"github.com/hexcc/hexcc/scop"
)

// This file finds the values of constants.

// constValue returns the value of d, if it is const and begins with a constant.
func (sym *symbols) constValue(d *cc.Declarator) (int64, bool) {
	if !d.IsConst() || isVolatile(d) || d.IsParam() || sym.attached(d) != "" {
		return 0, false
	}
	if v, known := sym.consts[d]; known {
		return v.value, v.ok
	}
	sym.consts[d] = known{} // until it is computed: its value may name itself
	v, ok := sym.constant(sym.initOf(d))
	sym.consts[d] = known{v, ok}
	return v, ok
}

// A known is what is known of a constant.
type known struct {
	value int64
	ok    bool
}

// constant returns the value of e, if that is an integer constant.
func (sym *symbols) constant(e expr) (int64, bool) {
	switch e := e.(type) {
	case number:
		return intValue(e.val)
	case ident:
		if e.decl != nil {
			return sym.constValue(e.decl)
		}
	case unary:
		v, ok := sym.constant(e.x)
		return -v, ok && e.op == "-"
	case binary:
		x, ok1 := sym.constant(e.x)
		y, ok2 := sym.constant(e.y)
		if ok1 && ok2 {
			r, ok := fold(e.op, constant(x), constant(y))
			return r.c, ok && r.small()
		}
	}
	return 0, false
}

// tableOfPath returns the variable and the subscripts of e, an element of an array of constants, and the values of all its elements.
func (sym *symbols) tableOfPath(e expr) (p path, values []int64, ok bool) {
	p, ok = lvalue(e)
	if !ok || len(p.fields) > 0 || len(p.subs) == 0 {
		return p, nil, false
	}
	d := p.root.decl
	shape, ok := shapeOf(d)
	if !ok || shape.pointer || len(p.subs) != len(shape.dims) || p.shape != d.Type() {
		return p, nil, false
	}
	values, known := sym.tables[d]
	if !known {
		if sym.isTable(d, shape) {
			t, _ := storedType(shape.elem)
			values = tableOfIntegers(sym.declarationOf(d).list, t, shape)
		}
		sym.tables[d] = values
	}
	return p, values, values != nil
}

// tableHelp says what to do about a subscript or bound that holds e, an element of an array.
func (sym *symbols) tableHelp(e expr) string {
	help := "compute the index from loop variables and parameters instead"
	p, ok := lvalue(e)
	if !ok || len(p.fields) > 0 || isPointer(p.root.decl) || p.root.decl.IsParam() {
		return help
	}
	d := p.root.decl
	shape, ok := shapeOf(d)
	if !ok || sym.tables[d] != nil || isVolatile(d) || sym.stores(d) {
		return help
	}
	isConst := d.IsConst() || shape.elem.Attributes().IsConst()
	switch list := sym.declarationOf(d).list; {
	case !isConst && list != nil:
		return fmt.Sprintf("if nothing changes '%s', declare it as const, with its values; or %s", d.Name(), help)
	case isConst && list == nil:
		return fmt.Sprintf("declare '%s' with its values in this file; or %s", d.Name(), help)
	}
	return help
}

// isTable reports whether nothing can change the elements of d, an array of integers of a size that is a number.
func (sym *symbols) isTable(d *cc.Declarator, shape shape) bool {
	t, ok := storedType(shape.elem)
	if !ok || t.IsFloat() || !shape.elem.Attributes().IsConst() && !d.IsConst() || isVolatile(d) || d.IsParam() || sym.u.members.is(d) || sym.attached(d) != "" || sym.inRegion(d) {
		return false
	}
	total := int64(1)
	for _, n := range shape.dims {
		if n == nil || n.Len() <= 0 || n.Len() > maxTableElements {
			return false
		}
		total *= n.Len()
	}
	return total <= maxTableElements
}

// tableOfIntegers returns the elements of an array that begins with n; nil if not all are constants that its type holds.
func tableOfIntegers(n *cc.Initializer, t scop.Type, shape shape) []int64 {
	if n == nil {
		return nil // of another file
	}
	count := int64(1)
	for _, dim := range shape.dims {
		count *= dim.Len()
	}
	values := make([]int64, count)
	lo, hi := t.Range()
	if !eachInitial(n, func(n *cc.Initializer) bool {
		v, ok := intValue(n.AssignmentExpression.Value())
		at := n.Offset() / int64(t.Size())
		if !ok || t.Size() < 8 && (v < lo || v > hi) || at < 0 || at+n.Len() > count {
			return false
		}
		for k := range n.Len() {
			values[at+k] = v
		}
		return true
	}) {
		return nil
	}
	return values
}
