package frontend

import (
	"fmt"
	"slices"
	"strings"

	"modernc.org/cc/v4"

	"github.com/hexcc/hexcc/scop"
)

// This file takes elements of arrays for parameters, which the region reads by subscripts that are numbers and does not write: the
// extent vec->size[1], or the place of a source of three, sources[2].i.

// elementParam returns the variable that stands for e, an integer that lies in an array, or in a struct in one, if it is a parameter.
func (ar *affineReader) elementParam(e expr, at place) (x ident, ok bool) {
	p, t, ok := ar.constantElement(e)
	if d := p.root.decl; !ok || at.locals[d] != nil || ar.seemsTable(p) {
		return ident{}, false
	}
	numbers, start := make([]int64, len(p.subs)), ar.mark()
	for k, sub := range p.subs {
		v, why := ar.linear(sub, at)
		if why != nil || !v.isConstant() || v.c < 0 {
			ar.back(start)
			return ident{}, false
		}
		numbers[k] = v.c
	}
	d := ar.u.memberOfElement(p, numbers, t)
	return ident{e.at(), ar.u.members.name(d), d}, true
}

// constantElement returns the path to e, and its type, if it is an integer that lies in an array, or in a struct in one, which
// the region does not write.
func (sv *survey) constantElement(e expr) (p path, t scop.Type, ok bool) {
	p, ok = lvalue(e)
	d := p.root.decl
	if !ok || len(p.subs) == 0 || p.choice != nil || p.cast || p.throughPointer() || isVolatile(d) {
		return p, 0, false
	}
	t, isNumber := storedType(p.typ)
	if !isNumber || t.IsFloat() || strings.Contains(typeName(p.typ), "volatile") || slices.ContainsFunc(p.fields, isOddField) {
		return p, 0, false
	}
	_, assigned := sv.written[d]
	return p, t, !assigned && !sv.inRegion(d) && !sv.stores(d) && sv.attached(d) == ""
}

// isOddField reports whether f is a bit-field, or a member of a union.
func isOddField(f fieldStep) bool {
	_, union := f.ParentType().(*cc.UnionType)
	return union || f.IsBitfield()
}

// seemsTable reports whether p leads into an array that begins with constants and is not set before the region: it is meant to be a
// table of them, and tableHelp says what it lacks.
func (sv *survey) seemsTable(p path) bool {
	d := p.root.decl
	shape, ok := shapeOf(d)
	if !ok || isPointer(d) || d.IsParam() || sv.u.members.is(d) || len(p.fields) > 0 {
		return false
	}
	if list := sv.declarationOf(d).list; list == nil {
		return shape.elem.Attributes().IsConst() || d.IsConst()
	} else if t, _ := storedType(p.typ); tableOfIntegers(list, t, shape, nil) == nil {
		return false
	}
	set := false
	eachStmt(sv.r.body, func(s stmt) {
		for _, x := range exprsOf(s) {
			eachExpr(x, func(e expr) {
				if a, ok := e.(assign); ok {
					to, ok := lvalue(a.x)
					set = set || ok && to.root.decl == d
				}
			})
		}
	})
	return !set
}

// memberOfElement returns a variable of type t that stands for the element at p, of which the subscripts are numbers.
func (u *unit) memberOfElement(p path, numbers []int64, t scop.Type) *cc.Declarator {
	m := u.elementsLike(p)
	m.like, m.at, m.way = u.numbers[t], numbers, m.kind
	for _, n := range numbers {
		m.way = strings.Replace(m.way, "[]", fmt.Sprintf("[%d]", n), 1)
	}
	return u.members.decl(m)
}

// elementsLike returns what the elements at p have in common, whatever the subscripts.
func (u *unit) elementsLike(p path) member {
	m := member{root: p.root.decl}
	if outer, ok := u.members.of[m.root]; ok {
		m.root, m.kind = outer.root, outer.way
	}
	fields := p.fields
	for k := range len(p.subs) + 1 {
		for len(fields) > 0 && fields[0].after == k {
			m.kind += "." + fields[0].Name()
			fields = fields[1:]
		}
		if k < len(p.subs) {
			m.kind += "[]"
		}
	}
	return m
}
