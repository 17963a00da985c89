package frontend

import (
	"modernc.org/cc/v4"
)

// This file finds the values of constants.

// intValue returns the value of an integer constant.
func intValue(v cc.Value) (int64, bool) {
	switch v := v.(type) {
	case cc.Int64Value:
		return int64(v), abs(int64(v)) < maxCoefficient
	case cc.UInt64Value:
		return int64(v), v < maxCoefficient
	}
	return 0, false
}

func abs(x int64) int64 { return max(x, -x) }

// within reports whether all of a is below bound.
func (a linear) within(bound int64) bool {
	ok := abs(a.c) < bound
	for _, c := range a.v {
		ok = ok && abs(c) < bound
	}
	return ok
}

// constValue returns the value of d, if it is const and begins with a constant.
func (b *builder) constValue(d *cc.Declarator) (int64, bool) {
	if !d.IsConst() || isVolatile(d) || d.IsParam() || b.attached(d) != "" {
		return 0, false
	}
	if v, known := b.consts[d]; known {
		return v.value, v.ok
	}
	b.consts[d] = known{} // until it is computed: its value may name itself
	v, ok := b.constant(b.initOf(d))
	b.consts[d] = known{v, ok}
	return v, ok
}

// A known is what is known of a constant.
type known struct {
	value int64
	ok    bool
}

// constant returns the value of e, if that is an integer constant.
func (b *builder) constant(e expr) (int64, bool) {
	switch e := e.(type) {
	case number:
		return intValue(e.val)
	case ident:
		if e.decl != nil {
			return b.constValue(e.decl)
		}
	case unary:
		v, ok := b.constant(e.x)
		return -v, ok && e.op == "-"
	case binary:
		x, ok1 := b.constant(e.x)
		y, ok2 := b.constant(e.y)
		if ok1 && ok2 {
			r, ok := fold(e.op, constant(x), constant(y))
			return r.c, ok && r.small()
		}
	}
	return 0, false
}

// initOf returns the first value of d, or nil.
func (b *builder) initOf(d *cc.Declarator) (init expr) {
	look := func(s stmt) {
		if s, ok := s.(declStmt); ok {
			for _, v := range s.vars {
				if v.decl == d {
					init = v.init
				}
			}
		}
	}
	eachStmt(b.r.body, look)
	for tu := b.u.ast.TranslationUnit; tu != nil; tu = tu.TranslationUnit {
		if n := tu.ExternalDeclaration.Declaration; n != nil && declares(n, d) {
			look(convertDecl(n))
		}
	}
	return init
}

// declares reports whether n declares d.
func declares(n *cc.Declaration, d *cc.Declarator) bool {
	for l := n.InitDeclaratorList; l != nil; l = l.InitDeclaratorList {
		if l.InitDeclarator.Declarator == d {
			return true
		}
	}
	return false
}
