package frontend

import (
	"modernc.org/cc/v4"

	"github.com/hexcc/hexcc/scop"
)

// This file reads elements of small arrays at subscripts that are data, such as the coefficients of the material that a cell is made of:
//
//	float ca[3];
//	e[i] = ca[mat[i]] * e[i];     =>   int k = mat[i];
//	                                   e[i] = (k == 0 ? ca[0] : k == 1 ? ca[1] : ca[2]) * e[i];
//
// C lets the program use no subscript outside of the array. All elements are read, whichever is taken.

// maxLookup bounds the elements of an array that is read so.
const maxLookup = 16

// lookup returns the value of e, if that is an element of a small array at one subscript that is data; ok is false if it is none.
func (sr *statementReader) lookup(e expr) (x scop.Expr, found, ok bool) {
	p, isElement := lvalue(e)
	if !isElement || p.choice != nil || p.cast || p.throughPointer() {
		return nil, false, false
	}
	at, n := -1, int64(0)
	for k, sub := range p.subs {
		if !sr.isData(sub) {
			continue
		}
		a, isArray := p.types[k].(*cc.ArrayType)
		if at >= 0 || !isArray || a.Len() < 1 || a.Len() > maxLookup || k == 0 && p.root.decl.IsParam() {
			return nil, false, false
		}
		if sr.u.members.is(p.root.decl) && a.Len() == 1 {
			return nil, false, false // the last member of a struct may be declared so and hold more
		}
		at, n = k, a.Len()
	}
	if _, written := atSubscript(e, len(p.subs)-1-at, 0); at < 0 || !written {
		return nil, false, false
	}
	which, ok := sr.value(p.subs[at])
	if !ok {
		return nil, true, false
	}
	l := sr.newLocal(sr.unique(sr.n.names, "k"), which.Type(), len(sr.tests))
	sr.let(l, which)
	for v := n - 1; v >= 0; v-- {
		of, _ := atSubscript(e, len(p.subs)-1-at, v)
		elem, read := sr.element(of)
		switch {
		case !read:
			return nil, true, false
		case x == nil:
			x = elem
		default:
			x = scop.Cond{C: scop.Binary{Op: "==", X: l.read(), Y: scop.Const{T: which.Type(), I: v}}, X: elem, Y: x}
		}
	}
	return x, true, true
}

// isData reports whether e, a subscript, is no sum of loop variables and parameters but an integer that elements or locals decide.
func (sr *statementReader) isData(e expr) (data bool) {
	defer sr.try()()
	if _, ok := sr.subscript(e, sr.place()); ok {
		return false
	}
	eachExpr(e, func(e expr) {
		switch e := e.(type) {
		case index, call:
			data = true
		case ident:
			data = data || e.decl != nil && sr.n.locals[e.decl] != nil
		}
	})
	t := intType(e)
	return data && !t.IsFloat()
}

// atSubscript returns e, an element, with v in the place of a subscript, which so many others stand behind; ok is false if it is not written in brackets.
func atSubscript(e expr, behind int, v int64) (elem expr, ok bool) {
	switch x := e.(type) {
	case memberExpr:
		if x.x, ok = atSubscript(x.x, behind, v); !ok || x.arrow {
			return nil, false
		}
		return x, true
	case index:
		if behind == 0 {
			x.sub = number{x.sub.at(), "", "", nil, cc.Int64Value(v), "", nil}
			return x, true
		}
		x.base, ok = atSubscript(x.base, behind-1, v)
		return x, ok
	}
	return nil, false
}
