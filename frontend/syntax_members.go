package frontend

import (
	"cmp"
	"fmt"
	"strings"

	"modernc.org/cc/v4"

	"github.com/hexcc/hexcc/scop"
)

// This file gives members of structs the place of variables: g.nx, s->u and
// s->level.v are read like variables of those names, wherever the struct itself
// is a variable or is pointed to by one. Members of elements of arrays, such as
// cell[i].x, are not; they are part of a path.

// members are the members that a file uses like variables.
type members struct {
	decls map[string]*cc.Declarator // by root and way
	of    map[*cc.Declarator]member
	views map[*cc.Declarator]scop.Type // of arrays of structs
}

// A member says what a member is part of.
type member struct {
	root  *cc.Declarator // the variable
	way   string         // from there, such as "->level.v"
	field *cc.Field
}

func newMembers() *members {
	return &members{map[string]*cc.Declarator{}, map[*cc.Declarator]member{}, map[*cc.Declarator]scop.Type{}}
}

// decl returns a declarator of its own for a member, with the type and
// qualifiers of the field.
func (ms *members) decl(m member) *cc.Declarator {
	key := fmt.Sprintf("%p%s", m.root, m.way)
	if d := ms.decls[key]; d != nil {
		return d
	}
	d := *m.field.Declarator()
	ms.decls[key], ms.of[&d] = &d, m
	return &d
}

// is reports whether d is a member.
func (ms *members) is(d *cc.Declarator) bool { _, ok := ms.of[d]; return ok }

// rootOf returns the variable that d is, or is part of.
func (ms *members) rootOf(d *cc.Declarator) *cc.Declarator {
	if m, ok := ms.of[d]; ok {
		return m.root
	}
	return d
}

// name returns the name of d as the user knows it: s->u.
func (ms *members) name(d *cc.Declarator) string {
	if m, ok := ms.of[d]; ok {
		return m.root.Name() + m.way
	}
	return d.Name()
}

// compare orders by declaration: members of one field by that of the variables they belong to.
func (ms *members) compare(d, e *cc.Declarator) int {
	seq := func(d *cc.Declarator) int { t := d.NameTok(); return t.Seq() }
	return cmp.Or(cmp.Compare(seq(d), seq(e)), cmp.Compare(seq(ms.rootOf(d)), seq(ms.rootOf(e))), cmp.Compare(ms.name(d), ms.name(e)), cmp.Compare(ms.views[d], ms.views[e]))
}

// identifier returns the name of d as one identifier: s_u.
func (ms *members) identifier(d *cc.Declarator) string {
	return strings.NewReplacer("->", "_", ".", "_").Replace(ms.name(d))
}

// resolved returns e with members as variables.
func (ms *members) resolved(e expr) expr {
	return mapExpr(e, func(e expr) expr {
		m, ok := e.(memberExpr)
		if !ok {
			return e
		}
		x, arrow := m.x, m.arrow
		if u, ok := x.(unary); ok && u.op == "*" && !arrow { // (*p).x is p->x
			x, arrow = u.x, true
		}
		if u, ok := x.(unary); ok && u.op == "&" && arrow { // (&s)->x is s.x
			x, arrow = u.x, false
		}
		base, ok := x.(ident)
		_, union := m.field.ParentType().(*cc.UnionType)
		if !ok || base.decl == nil || m.field.Declarator() == nil || union {
			return e
		}
		in := member{root: base.decl, field: m.field}
		if outer, ok := ms.of[base.decl]; ok {
			in.root, in.way = outer.root, outer.way
		}
		if arrow {
			in.way += "->" + m.field.Name()
		} else {
			in.way += "." + m.field.Name()
		}
		d := ms.decl(in)
		return ident{m.where, ms.name(d), d}
	})
}

// resolvedStmt returns s with members as variables.
func (ms *members) resolvedStmt(s stmt) stmt { return mapStmt(s, ms.resolved) }

// view returns the variable that stands for the members of type elem of array d.
func (ms *members) view(d *cc.Declarator, elem scop.Type) *cc.Declarator {
	key := fmt.Sprintf("%p %v", d, elem)
	if v := ms.decls[key]; v != nil {
		return v
	}
	v := *d
	ms.decls[key], ms.views[&v] = &v, elem
	return &v
}
