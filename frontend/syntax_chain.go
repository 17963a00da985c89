package frontend

import "github.com/hexcc/hexcc/scop"

// This file makes statements of chains of assignments: a = b = c.

// unchained returns a chain of assignments as one statement each, in the order in which C stores: the last one first. The value
// of b = c is c as b holds it, so the assignment on its left computes c again, converted to the type of b, or reads b where
// the store to b may change c. ok is false if e is no such chain. separate reports whether elements found from
// two variables are never the same.
func unchained(e assign, separate func(x, y ident) bool) (ss []stmt, ok bool) {
	in, ok := e.y.(assign)
	if !ok || e.op != "=" || in.op != "=" {
		return nil, false
	}
	value := in.y
	if ss, ok = unchained(in, separate); ok {
		value = ss[len(ss)-1].(exprStmt).x.(assign).y
	} else {
		ss = []stmt{exprStmt{in.where, in}}
	}
	p, ok := lvalue(in.x)
	if !ok {
		return nil, false
	}
	if _, isNumber := numberType(p.typ); !isNumber {
		return nil, false
	}
	again := in.x
	if len(p.subs) > 0 && keepsValue(value, p, separate) {
		again = cast{in.where, p.typ, value, nil}
	}
	return append(ss, exprStmt{e.where, assign{e.where, "=", e.x, again}}), true
}

// keepsValue reports whether value is the same before and after it is stored to element p. An element of the type of p is
// also where it is p itself.
func keepsValue(value expr, p path, separate func(x, y ident) bool) bool {
	if q, ok := lvalue(value); ok && q.typ.Kind() == p.typ.Kind() {
		return true
	}
	keeps := true
	eachExpr(value, func(e expr) {
		switch e := e.(type) {
		case index, memberExpr:
			q, ok := lvalue(e)
			keeps = keeps && (!ok || separate(p.root, q.root)) // what is no element is part of one
		case unary:
			keeps = keeps && e.op != "*"
		case call:
			f, named := e.fun.(ident)
			_, known := scop.Computable(f.name)
			keeps = keeps && named && known
		}
	})
	return keeps
}
