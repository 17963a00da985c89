package frontend

import (
	"fmt"

	"modernc.org/cc/v4"

	"github.com/hexcc/hexcc/scop"
)

// This file reads arrays of structs, such as cell[i][j].flux[2], whose members
// are numbers. The members are one dimension more; for those of several types see view.

// recordOf returns the type of the numbers that t is made of, and how many there are; ok
// is false if they differ in type, or if t holds anything else.
func recordOf(t cc.Type) (elem scop.Type, count int64, ok bool) {
	if elem, ok := storedType(t); ok {
		return elem, 1, !t.Attributes().IsVolatile()
	}
	switch t := t.(type) {
	case *cc.ArrayType:
		elem, n, ok := recordOf(t.Elem())
		return elem, n * t.Len(), ok && t.Len() > 0
	case *cc.StructType:
		for i := range t.NumFields() {
			f := t.FieldByIndex(i)
			if f == nil || f.IsBitfield() {
				return 0, 0, false
			}
			e, n, ok := recordOf(f.Type())
			if !ok || i > 0 && e != elem {
				return 0, 0, false
			}
			elem, count = e, count+n
		}
		return elem, count, count > 0 && t.Size() == count*int64(elem.Size())
	}
	return 0, 0, false
}

// recordSubscript adds to acc the subscript of the member that p names, with the
// subscripts inner inside of it.
func (sr *statementReader) recordSubscript(acc *access, e expr, p path, inner []expr, at place) bool {
	if elem, n, ok := recordOf(p.typ); len(p.fields) == 0 || !ok || n != 1 || elem != acc.array.Elem {
		sr.errorf("HX106", e.at(), "allowed: members that are numbers", "read and write its members, one by one", "'%s' is of type '%s'", sr.textOf(e), typeName(p.typ))
		return false
	}
	size := int64(acc.array.Elem.Size())
	offset := int64(0)
	for _, f := range p.fields {
		if offset += f.Offset(); f.IsBitfield() {
			offset++ // no element
		}
	}
	if offset%size != 0 {
		sr.errorf("HX106", e.at(), "allowed: members that are numbers where their type is aligned", "keep it in an array of its own", "'%s' is a bit-field, or not aligned", sr.textOf(e))
		return false
	}
	sr.useMember(acc.array, p)
	member := constant(offset / size)
	for k, sub := range inner {
		a := p.types[len(p.types)-len(inner)+k].(*cc.ArrayType)
		l, why := sr.linear(sub, at)
		if why != nil {
			sr.notAffine("subscript", sub, why)
			return false
		}
		msg := fmt.Sprintf("subscript '%s' may be outside of the member, which has %d %s", sr.textOf(sub), a.Len(), plural(a.Len(), "element"))
		sr.require("HX105", sub, msg, l, at)
		sr.require("HX105", sub, msg, constant(a.Len()-1).sub(l), at)
		member = member.plus(a.Elem().Size()/size, l)
	}
	acc.index = append(acc.index, subscript{linear: member})
	acc.subs = append(acc.subs, e)
	return true
}
