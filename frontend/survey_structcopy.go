package frontend

import (
	"modernc.org/cc/v4"
)

// This file copies structs that hold arrays, as the populations of a cell, from one element of an array to another:
//
//	next[i] = cur[i - 1];    =>   next[i].f[0] = cur[i - 1].f[0];  next[i].f[1] = cur[i - 1].f[1];  ..

// mostCopied bounds the numbers of a struct that is copied.
const mostCopied = 64

// copied returns what s, the assignment a, does number by number, where it copies a struct with arrays between elements.
func (st *structs) copied(s exprStmt, a assign) ([]stmt, bool) {
	if a.y == nil || !isElement(a.x) || !isElement(a.y) {
		return nil, false
	}
	to, _ := lvalue(a.x)
	from, _ := lvalue(a.y)
	if typeName(to.typ) != typeName(from.typ) {
		return nil, false
	}
	if _, isStruct := to.typ.(*cc.StructType); !isStruct {
		return nil, false
	}
	var all []func(expr) expr
	if !st.numbersIn(to.typ, func(e expr) expr { return e }, &all) {
		return nil, false
	}
	st.whole[st.f.span(where{a.x.at().first, a.x.at().first}).Pos] = len(all)
	var out []stmt
	for _, of := range all {
		out = append(out, exprStmt{s.where, assign{s.where, "=", of(a.x), of(a.y)}})
	}
	return []stmt{block{s.where, out}}, true
}

// isElement reports whether e designates an element of an array, or a part of one.
func isElement(e expr) bool {
	p, ok := lvalue(e)
	return ok && len(p.subs) > 0
}

// numbersIn adds to all how each number in an object of type t follows from that, which of returns; false: there are others in it, or too many.
func (st *structs) numbersIn(t cc.Type, of func(expr) expr, all *[]func(expr) expr) bool {
	if t.Attributes() != nil && t.Attributes().IsVolatile() {
		return false
	}
	if _, number := storedType(t); number {
		*all = append(*all, of)
		return len(*all) <= mostCopied
	}
	switch t := t.(type) {
	case *cc.StructType:
		for i := range t.NumFields() {
			f := t.FieldByIndex(i)
			if f == nil || f.IsBitfield() || f.Declarator() == nil || !st.numbersIn(f.Type(), func(e expr) expr { return st.u.members.resolved(memberExpr{e.at(), of(e), f, false}) }, all) {
				return false
			}
		}
		return t.NumFields() > 0
	case *cc.ArrayType:
		for k := range t.Len() {
			if !st.numbersIn(t.Elem(), func(e expr) expr { return index{e.at(), of(e), numberAt(e.at(), k)} }, all) {
				return false
			}
		}
		return t.Len() > 0
	}
	return false
}
