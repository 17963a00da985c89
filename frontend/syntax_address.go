package frontend

import (
	"fmt"

	"modernc.org/cc/v4"
)

// This file puts the address that a function of the file returns in the place of its call, where what it points to is meant: *at(g, i, j),
// at(g, i, j)[k] and at(g, i, j)->m.

// maxAddressDepth bounds how many such functions call each other.
const maxAddressDepth = 8

// addressed returns s with addresses in the place of such calls.
func (u *unit) addressed(s stmt) stmt {
	return replaced(s, func(e expr) expr { return u.pointed(e, maxAddressDepth) })
}

// extent returns the size of array a, which is no constant, in the same way.
func (u *unit) extent(a *cc.ArrayType) expr {
	return u.members.resolved(mapExpr(convertExpr(a.SizeExpression()), func(e expr) expr { return u.pointed(e, maxAddressDepth) }))
}

// pointed returns e, without its call where that returns an address.
func (u *unit) pointed(e expr, depth int) expr {
	switch x := e.(type) {
	case unary:
		if a := u.address(x.x, depth); x.op == "*" && a != nil {
			return target(x.where, a)
		}
	case index:
		if a := u.address(x.base, depth); a != nil {
			if v, ok := literal(x.sub); ok && v == 0 {
				return target(x.where, a)
			}
			x.base = a
			return x
		}
	case memberExpr:
		if a := u.address(x.x, depth); x.arrow && a != nil {
			x.x, x.arrow = target(x.x.at(), a), false
			return x
		}
	case call: // of a method that returns an index
		if a := u.returned(x, depth, func(t cc.Type) bool { return elemOf(t) != nil }); a != nil { // or of what returns an address, such as that of a row
			return widened(a, x.where)
		}
		if f, ok := x.fun.(ident); ok && u.methods[f.name] != "" {
			if a := u.returned(x, depth, isWhole); a != nil {
				return widened(a, x.where) // as the program has it
			}
			isNumber := func(t cc.Type) bool { _, ok := storedType(t); return ok }
			if a, ok := u.returned(x, depth, isNumber).(index); ok { // or an element by its value
				return widened(a, x.where) // as the program has it
			}
		}
	}
	return e
}

// isWhole reports whether t is an integer.
func isWhole(t cc.Type) bool {
	n, ok := storedType(t)
	return ok && !n.IsFloat()
}

// target returns what a points to, which stands where the call does.
func target(at where, a expr) expr {
	x, ok := a.(unary)
	if !ok || x.op != "&" {
		return unary{at, "*", a}
	}
	switch x.x.(type) {
	case index, memberExpr, ident, unary:
		return widened(x.x, at)
	}
	return unary{at, "*", a}
}

// address returns the address that the call e returns, over its arguments: nil if e is no call of a function of the file that does nothing
// but compute one from values without side effects.
func (u *unit) address(e expr, depth int) expr {
	return u.returned(e, depth, func(t cc.Type) bool { return pointedTo(t) != nil })
}

// returned returns what the call e returns, over its arguments: nil if e is no call of a function of the file that does nothing but compute
// a value that fits from values without side effects.
func (u *unit) returned(e expr, depth int, fits func(cc.Type) bool) expr {
	c, ok := e.(call)
	if !ok || depth == 0 {
		return nil
	}
	f, ok := c.fun.(ident)
	if !ok {
		return nil
	}
	fd := u.definition(f)
	if fd == nil || u.attributes.names[fd.Declarator.Name()+"()"] != "" {
		return nil
	}
	t, ok := fd.Declarator.Type().(*cc.FunctionType)
	params := parameters(fd)
	if !ok || t.IsVariadic() || len(params) != len(c.args) || !fits(t.Result()) {
		return nil
	}
	body := convertBlock(fd.CompoundStatement)
	args := map[*cc.Declarator]expr{}
	for i, d := range params {
		if hasEffect(c.args[i]) || differs(body, d) {
			return nil
		}
		args[d] = c.args[i]
		if _, isNumber := storedType(d.Type()); isNumber {
			args[d] = inType(c.args[i], d.Type())
		}
	}
	put := func(e expr) expr {
		return mapExpr(mapExpr(e, putting(args)), func(e expr) expr { return u.pointed(e, depth-1) })
	}
	for i, s := range body.items {
		switch s := s.(type) {
		case declStmt:
			for _, v := range s.vars {
				_, isNumber := storedType(v.decl.Type())
				if v.init == nil || sets(v.init) || differs(body, v.decl) || v.decl.IsStatic() {
					return nil
				}
				args[v.decl] = put(v.init)
				if isNumber {
					args[v.decl] = inType(args[v.decl], v.decl.Type())
				}
			}
		case otherStmt:
			if !isJump(s, "'return'") || len(s.exprs) != 1 || i != len(body.items)-1 || sets(s.exprs[0]) {
				return nil
			}
			a := put(s.exprs[0])
			if isWhole(t.Result()) {
				return inType(a, t.Result())
			}
			if inner := u.address(a, depth-1); inner != nil {
				return inner
			}
			return a
		default:
			return nil
		}
	}
	return nil
}

// differs reports whether d may hold something else at the end of body than at its beginning.
func differs(body stmt, d *cc.Declarator) bool {
	return assigns(body, d) || isStruct(d.Type()) && changes(body, d)
}

// sets reports whether something in e sets a variable, or may.
func sets(e expr) (found bool) {
	eachExpr(e, func(e expr) {
		switch e.(type) {
		case assign, otherExpr:
			found = true
		}
	})
	return found
}

// elementHelp says what to write in the place of e, which points to what is not known.
func elementHelp(e unary) string {
	if c, ok := e.x.(call); ok {
		if f, ok := c.fun.(ident); ok {
			return fmt.Sprintf("write it as an element of an array, such as A[i], or let '%s' be a function of this file that does nothing but return the address of one, such as &A[i]", f.name)
		}
	}
	return "write it as an element of an array, such as A[i]"
}
