package frontend

import (
	"fmt"

	"modernc.org/cc/v4"

	"github.com/hexcc/hexcc/scop"
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

// initOf returns the first value of d, or nil.
func (src *source) initOf(d *cc.Declarator) expr { return src.declarationOf(d).init }

// declarationOf returns the declaration of d.
func (src *source) declarationOf(d *cc.Declarator) (found varDecl) {
	look := func(s stmt) {
		if s, ok := s.(declStmt); ok {
			for _, v := range s.vars {
				if v.decl == d {
					found = v
				}
			}
		}
	}
	eachStmt(src.r.body, look)
	for tu := src.u.ast.TranslationUnit; tu != nil; tu = tu.TranslationUnit {
		if n := tu.ExternalDeclaration.Declaration; n != nil && declares(n, d) {
			look(convertDecl(n))
		}
	}
	return found
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

// tableValue returns the value of e, if that is an element of an array of integers that is const and begins with constants, such
// as static const int dx[4] = {1, 0, -1, 0}, by subscripts that are numbers at this place.
func (ar *affineReader) tableValue(e expr, at place) (value int64, t scop.Type, ok bool) {
	p, values, ok := ar.tableOfPath(e)
	if !ok {
		return 0, 0, false
	}
	shape, _ := shapeOf(p.root.decl)
	t, _ = storedType(shape.elem)
	element, start := int64(0), ar.mark()
	for k, sub := range p.subs {
		x, why := ar.linear(sub, at)
		n := shape.dims[k].Len()
		if why != nil || !x.isConstant() || x.c < 0 || x.c >= n {
			ar.back(start)
			return 0, 0, false
		}
		element = element*n + x.c
	}
	return values[element], t, true
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

// stores reports whether the region sets elements of d.
func (sv *survey) stores(d *cc.Declarator) (found bool) {
	for _, s := range sv.stmts {
		eachExprIn(s, func(e expr) {
			if x, ok := e.(assign); ok {
				p, ok := lvalue(x.x)
				found = found || ok && len(p.subs) > 0 && p.root.decl == d
			}
		})
	}
	return found
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

// maxTableElements bounds the elements of an array whose values are looked up.
const maxTableElements = 4096

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
