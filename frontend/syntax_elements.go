package frontend

import (
	"slices"

	"modernc.org/cc/v4"

	"github.com/hexcc/hexcc/scop"
)

// This file puts the element that a pointer of a body leads to in the place of the pointer, where that is a struct, or a member of one:
//
//	const cell *c = &g[i][j];
//	cell *o = &q[i][j];             =>   q[i][j].h = g[i][j].h + 0.5 * g[i][j].u;
//	o->h = c->h + 0.5 * c->u;
//
// The pointer is declared with the address, and set nowhere else; so are the variables in the address, from there on.

// withElements returns s, the body of a function, with elements in the place of such pointers that within holds of.
func (u *unit) withElements(s stmt, within func(where) bool) stmt {
	return elementPointers{u, s, within}.in(s)
}

// elementPointers are those of a function.
type elementPointers struct {
	*unit
	body   stmt
	within func(where) bool
}

// in returns s, a part of the body, with elements in the place of pointers that are declared in it.
func (ep elementPointers) in(s stmt) stmt {
	s = mapInner(s, ep.in)
	b, ok := s.(block)
	if !ok {
		return s
	}
	for k := range b.items {
		if d, ok := b.items[k].(declStmt); ok && ep.within(d.where) {
			b.items[k] = ep.declaration(d, b.items[k+1:])
		}
	}
	return b
}

// declaration returns d without the pointers to elements that it declares, and puts these elements in rest, the statements behind it.
func (ep elementPointers) declaration(d declStmt, rest []stmt) stmt {
	places := map[*cc.Declarator]expr{}
	var kept []varDecl
	for _, v := range d.vars {
		if v.init != nil {
			v.init = mapExpr(v.init, throughPlaces(places))
		}
		if a, ok := ep.place(v, rest); ok {
			places[v.decl] = a
		} else {
			kept = append(kept, v)
		}
	}
	if len(places) == 0 {
		return d
	}
	for j := range rest {
		rest[j] = replaced(rest[j], throughPlaces(places))
	}
	return declStmt{d.where, kept}
}

// place returns the address that v holds in rest, the statements behind its declaration.
func (ep elementPointers) place(v varDecl, rest []stmt) (a unary, ok bool) {
	if v.init == nil || !isPointer(v.decl) || isVolatile(v.decl) || v.decl.IsStatic() {
		return unary{}, false
	}
	init := withoutCasts(v.init)
	if b, sums := init.(binary); sums && b.op == "+" { // p + k is &p[k]
		if p, ok := lvalue(b.x); ok && (p.typ.Kind() == cc.Ptr || p.typ.Kind() == cc.Array) {
			init = unary{b.where, "&", index{b.where, b.x, b.y}}
		}
	}
	a, ok = init.(unary)
	if !ok || a.op != "&" || assigns(ep.body, v.decl) {
		return unary{}, false
	}
	p, ok := lvalue(a.x)
	_, isStruct := p.typ.(*cc.StructType)
	if !ok || len(p.subs) == 0 || !isStruct && len(p.fields) == 0 || typeName(p.typ) != typeName(pointedTo(v.decl.Type())) {
		return unary{}, false
	}
	eachExpr(a.x, func(e expr) {
		switch x := e.(type) {
		case ident:
			ok = ok && !slices.ContainsFunc(rest, func(s stmt) bool { return assigns(s, x.decl) })
		case assign, otherExpr:
			ok = false
		}
	})
	for _, sub := range p.subs {
		ok = ok && ep.isSteady(sub, rest)
	}
	return a, ok
}

// withoutSizes returns e with numbers in the place of integers that are members of structs, such as d->n, which rest leaves alone.
func (ep elementPointers) withoutSizes(e expr, rest []stmt) expr {
	return mapExpr(e, func(e expr) expr {
		m, ok := e.(memberExpr)
		if !ok {
			return e
		}
		_, named := m.x.(ident)
		t, isNumber := numberType(m.field.Type())
		if !named || !isNumber || t.IsFloat() || slices.ContainsFunc(rest, func(s stmt) bool { return ep.setsMember(s, m.field.Name(), map[*cc.FunctionDefinition]bool{}) }) {
			return e
		}
		return numberAt(m.where, 0)
	})
}

// setsMember reports whether s may set a member of that name, or calls a function that may; seen are functions that were asked.
func (ep elementPointers) setsMember(s stmt, name string, seen map[*cc.FunctionDefinition]bool) (sets bool) {
	is := func(e expr) bool { m, ok := e.(memberExpr); return ok && m.field.Name() == name }
	eachExprIn(s, func(e expr) {
		switch x := e.(type) {
		case assign:
			sets = sets || is(x.x)
		case unary:
			sets = sets || x.op == "&" && is(x.x)
		case otherExpr:
			sets = true
		case call:
			f, named := x.fun.(ident)
			if _, computed := scop.Computable(f.name); named && computed {
				return
			}
			fd := ep.definition(f)
			if sets = sets || fd == nil; sets || seen[fd] {
				return
			}
			seen[fd] = true
			sets = ep.setsMember(convertBlock(fd.CompoundStatement), name, seen)
		}
	})
	return sets
}

// isSteady reports whether e reads nothing but variables, and sizes that rest leaves alone: no element, which may change, and in functions neither.
func (ep elementPointers) isSteady(e expr, rest []stmt) bool {
	steady := true
	eachExpr(ep.withoutSizes(e, rest), func(e expr) {
		switch x := e.(type) {
		case index, memberExpr:
			steady = false
		case unary:
			steady = steady && x.op != "*" && x.op != "&"
		case call:
			f, named := x.fun.(ident)
			fd := ep.definition(f)
			if steady = steady && named && fd != nil; !steady {
				return
			}
			for _, s := range convertBlock(fd.CompoundStatement).items {
				returns := isJump(s, "'return'")
				if _, declares := s.(declStmt); !returns && !declares {
					steady = false
				}
				for _, e := range exprsOf(s) {
					eachExpr(e, func(e expr) {
						switch e.(type) {
						case call, assign, otherExpr:
							steady = false
						}
					})
					steady = steady && ep.isSteady(e, rest)
				}
			}
		}
	})
	return steady
}

// throughPlaces returns the function that puts what pointers lead to in the place of p->m, (*p).m, *p and p[0], and their addresses in that of
// their names.
func throughPlaces(places map[*cc.Declarator]expr) func(expr) expr {
	of := func(e expr) expr {
		if x, ok := e.(unary); ok && x.op == "&" {
			for _, a := range places {
				if sameExpr(x, a) {
					return x
				}
			}
		}
		return nil
	}
	return func(e expr) expr {
		switch x := e.(type) {
		case ident:
			if a := places[x.decl]; a != nil {
				return a
			}
		case unary:
			if a := of(x.x); x.op == "*" && a != nil {
				return target(x.where, a)
			}
		case index:
			if v, zero := literal(x.sub); zero && v == 0 {
				if a := of(x.base); a != nil {
					return target(x.where, a)
				}
			}
		case memberExpr:
			if a := of(x.x); x.arrow && a != nil {
				x.x, x.arrow = target(x.x.at(), a), false
				return x
			}
		}
		return e
	}
}
