package frontend

import (
	"fmt"

	"modernc.org/cc/v4"

	"github.com/hexcc/hexcc/scop"
)

// This file finds the values of constants.

// constValue returns the value of d, if it is const and begins with a constant.
func (sv *survey) constValue(d *cc.Declarator) (int64, bool) {
	if !d.IsConst() || isVolatile(d) || d.IsParam() || sv.attached(d) != "" {
		return 0, false
	}
	if v, known := sv.consts[d]; known {
		return v.value, v.ok
	}
	sv.consts[d] = known{} // until it is computed: its value may name itself
	v, ok := sv.constant(sv.initOf(d))
	sv.consts[d] = known{v, ok}
	return v, ok
}

// A known is what is known of a constant.
type known struct {
	value int64
	ok    bool
}

// constant returns the value of e, if that is an integer constant.
func (sv *survey) constant(e expr) (int64, bool) {
	switch e := e.(type) {
	case number:
		return intValue(e.val)
	case ident:
		if e.decl != nil {
			return sv.constValue(e.decl)
		}
	case unary:
		v, ok := sv.constant(e.x)
		return -v, ok && e.op == "-"
	case binary:
		x, ok1 := sv.constant(e.x)
		y, ok2 := sv.constant(e.y)
		if ok1 && ok2 {
			r, ok := fold(e.op, constant(x), constant(y))
			return r.c, ok && r.small()
		}
	}
	return 0, false
}

// A tableKey is an array of constants or, of one of structs, a member of all of them.
type tableKey struct {
	*cc.Declarator
	field *cc.Field
}

// tableOfPath returns the variable and the subscripts of e, an element of an array of constants or a member of one, and
// the values of all elements, or of that member of all.
func (sv *survey) tableOfPath(e expr) (p path, values []int64, ok bool) {
	p, ok = lvalue(e)
	if !ok || len(p.fields) > 1 || len(p.subs) == 0 {
		return p, nil, false
	}
	d := p.root.decl
	shape, ok := shapeOf(d)
	if !ok || shape.pointer || len(p.subs) != len(shape.dims) || p.shape != d.Type() {
		return p, nil, false
	}
	key := tableKey{Declarator: d}
	if len(p.fields) == 1 {
		if key.field = p.fields[0].Field; p.fields[0].after != len(p.subs) || key.field.IsBitfield() || !isStruct(key.field.ParentType()) {
			return p, nil, false
		}
	}
	values, known := sv.tables[key]
	if !known {
		if t, ok := storedType(p.typ); ok && sv.isTable(d, shape, p.typ) {
			values = tableOfIntegers(sv.declarationOf(d).list, t, shape, key.field)
		}
		sv.tables[key] = values
	}
	return p, values, values != nil
}

// tableHelp says what to do about a subscript or bound that holds e, an element of an array.
func (sv *survey) tableHelp(e expr) string {
	help := "compute the index from loop variables and parameters instead"
	p, ok := lvalue(e)
	if !ok || len(p.fields) > 0 || isPointer(p.root.decl) || p.root.decl.IsParam() {
		return help
	}
	d := p.root.decl
	shape, ok := shapeOf(d)
	if !ok || sv.tables[tableKey{Declarator: d}] != nil || isVolatile(d) || sv.stores(d) {
		return help
	}
	isConst := d.IsConst() || shape.elem.Attributes().IsConst()
	switch list := sv.declarationOf(d).list; {
	case !isConst && list != nil:
		return fmt.Sprintf("if nothing changes '%s', declare it as const, with its values; or %s", d.Name(), help)
	case isConst && list == nil:
		return fmt.Sprintf("declare '%s' with its values in this file; or %s", d.Name(), help)
	}
	return help
}

// isTable reports whether nothing can change the elements of d, an array of integers of a size that is a number, or of structs
// with a member of type number.
func (sv *survey) isTable(d *cc.Declarator, shape shape, number cc.Type) bool {
	t, ok := storedType(number)
	if !ok || t.IsFloat() || !shape.elem.Attributes().IsConst() && !d.IsConst() || isVolatile(d) || d.IsParam() || sv.u.members.is(d) || sv.attached(d) != "" || sv.inRegion(d) {
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

// tableOfIntegers returns the elements of an array that begins with n, or a member of all of them; nil if not all are
// constants that its type t holds.
func tableOfIntegers(n *cc.Initializer, t scop.Type, shape shape, field *cc.Field) []int64 {
	if n == nil {
		return nil // of another file
	}
	count, size, offset := int64(1), shape.elem.Size(), int64(0)
	for _, dim := range shape.dims {
		count *= dim.Len()
	}
	if field != nil {
		offset = field.Offset()
	}
	values := make([]int64, count)
	lo, hi := t.Range()
	if !eachInitial(n, func(n *cc.Initializer) bool {
		at := n.Offset() / size
		if field != nil && n.Len() > 1 {
			return false
		}
		if n.Offset()%size != offset {
			return field != nil // another member
		}
		v, ok := intValue(n.AssignmentExpression.Value())
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
