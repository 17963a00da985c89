package frontend

import (
	"fmt"

	"modernc.org/cc/v4"

	"github.com/hexcc/hexcc/scop"
)

// This file reads arrays of a few pointers, such as double *u[2], that choose
// a buffer by their first subscript: u[t % 2][i * m + j]. Each pointer leads to a
// plane of one array.

// maxTable bounds the pointers of such an array.
const maxTable = 16

// tableOf returns how many pointers to arrays a variable of type t is an array of; 0 if it is none.
func tableOf(t cc.Type) int {
	s, ok := shapeOfType(t)
	if !ok || len(s.dims) != 1 || s.dims[0] == nil || s.dims[0].Len() < 1 || s.dims[0].Len() > maxTable {
		return 0
	}
	if _, pointers := s.elem.(*cc.PointerType); !pointers {
		return 0
	}
	if inner, ok := shapeOfType(s.elem); ok {
		if _, more := inner.elem.(*cc.PointerType); !more {
			return int(s.dims[0].Len())
		}
	}
	return 0
}

// tablePlanes returns the planes of a.
func (sym *symbols) tablePlanes(a *array) (planes []scop.Plane) {
	s, _ := shapeOfType(elemOf(a.shape))
	for k := range a.table {
		name := sym.fresh(fmt.Sprintf("%s_%d", a.Name, k))
		sym.names[name] = true
		pointer := fmt.Sprintf("%s[%d]", sym.u.members.name(a.decl), k)
		planes = append(planes, scop.Plane{Name: name, Flat: "&" + pointer + zeros(len(s.dims)), Pointer: pointer})
	}
	return planes
}

// nameOfObject returns how the user writes o.
func (src *source) nameOfObject(o object) string {
	if o.table > 0 {
		return fmt.Sprintf("%s[%d]", src.u.members.name(o.decl), o.index)
	}
	return src.u.members.name(o.decl)
}

// restrictTable reports whether the pointers that d is an array of are restrict.
func restrictTable(d *cc.Declarator) bool {
	for n := d.DirectDeclarator; n != nil; n = n.DirectDeclarator {
		if n.Case == cc.DirectDeclaratorDecl {
			return restrictTable(n.Declarator)
		}
	}
	return d.Pointer != nil && hasRestrict(outermost(d.Pointer).TypeQualifiers)
}

// freshTable reports whether the function fills array d with blocks of its own,
// and nothing else can change it.
func (src *source) freshTable(d *cc.Declarator) bool {
	if isPointer(d) || src.u.members.is(d) || d.StorageDuration() != cc.Automatic {
		return false
	}
	fresh := true
	var look func(e expr)
	look = func(e expr) {
		switch x := e.(type) {
		case nil:
			return
		case index:
			if isIdent(x.base, d) {
				look(x.sub)
				return
			}
		case assign:
			if to, ok := x.x.(index); ok && isIdent(to.base, d) {
				value, null := literal(withoutCasts(x.y))
				fresh = fresh && x.op == "=" && (src.allocates(x.y) || null && value == 0)
			}
		case unary:
			if to, ok := x.x.(index); ok && x.op == "&" && isIdent(to.base, d) {
				fresh = false // the address of a pointer in the table
			}
		case ident:
			fresh = fresh && x.decl != d
		}
		for _, x := range children(e) {
			look(x)
		}
	}
	eachStmt(src.r.body, func(s stmt) {
		if s, ok := s.(declStmt); ok {
			for _, v := range s.vars {
				fresh = fresh && (v.decl != d || v.init == nil || src.allocatesAll(v.init))
			}
		}
		for _, e := range append(exprsOf(s), initExpr(s)) {
			look(e)
		}
	})
	return fresh
}

// allocatesAll reports whether e, the initial value of a table, is new objects and null pointers.
func (src *source) allocatesAll(e expr) bool {
	list, ok := e.(otherExpr)
	if !ok {
		return false
	}
	for _, x := range list.inner {
		value, constant := literal(withoutCasts(x))
		if !src.allocates(x) && (!constant || value != 0) {
			return false
		}
	}
	return true
}
