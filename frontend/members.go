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

// mapExpr returns e with f applied to it and to every expression in it, inside out.
func mapExpr(e expr, f func(expr) expr) expr {
	if e == nil {
		return nil
	}
	in := func(e expr) expr { return mapExpr(e, f) }
	all := func(es []expr) []expr {
		out := make([]expr, len(es))
		for i, e := range es {
			out[i] = in(e)
		}
		return out
	}
	switch x := e.(type) {
	case index:
		x.base, x.sub = in(x.base), in(x.sub)
		e = x
	case memberExpr:
		x.x = in(x.x)
		e = x
	case call:
		x.fun, x.args = in(x.fun), all(x.args)
		e = x
	case unary:
		x.x = in(x.x)
		e = x
	case binary:
		x.x, x.y = in(x.x), in(x.y)
		e = x
	case assign:
		x.x, x.y = in(x.x), in(x.y)
		e = x
	case cond:
		x.c, x.x, x.y = in(x.c), in(x.x), in(x.y)
		e = x
	case cast:
		x.x = in(x.x)
		e = x
	case comma:
		x.xs = all(x.xs)
		e = x
	case otherExpr:
		x.inner = all(x.inner)
		e = x
	}
	return f(e)
}

// mapStmt returns s with f applied to each expression that stands in it.
func mapStmt(s stmt, f func(expr) expr) stmt {
	if s == nil {
		return nil
	}
	all := func(ss []stmt) []stmt {
		out := make([]stmt, len(ss))
		for i, s := range ss {
			out[i] = mapStmt(s, f)
		}
		return out
	}
	on := func(e expr) expr {
		if e == nil {
			return nil
		}
		return f(e)
	}
	switch x := s.(type) {
	case block:
		x.items = all(x.items)
		return x
	case declStmt:
		vars := make([]varDecl, len(x.vars))
		for i, v := range x.vars {
			vars[i] = varDecl{v.where, v.decl, on(v.init), v.list}
		}
		x.vars = vars
		return x
	case exprStmt:
		x.x = on(x.x)
		return x
	case forStmt:
		x.init, x.cond, x.step, x.body = mapStmt(x.init, f), on(x.cond), on(x.step), mapStmt(x.body, f)
		return x
	case ifStmt:
		x.cond, x.then, x.orElse = on(x.cond), mapStmt(x.then, f), mapStmt(x.orElse, f)
		return x
	case resultStmt:
		x.x = on(x.x)
		return x
	case otherStmt:
		exprs := make([]expr, len(x.exprs))
		for i, e := range x.exprs {
			exprs[i] = on(e)
		}
		x.inner, x.exprs = all(x.inner), exprs
		return x
	}
	return s
}

// nameOf returns the name of d in the program: its own, if it is one identifier that formulas, too, can have,
// and that no iterator or local has; else one that no other variable of the region has.
func (sym *symbols) nameOf(d *cc.Declarator) string {
	if name := sym.nameIn[d]; name != "" {
		return name
	}
	want := scop.Plain(sym.u.members.identifier(d))
	name := want
	if !sym.keepsName(d) {
		name = sym.fresh(want)
	}
	sym.names[name], sym.nameIn[d] = true, name
	return name
}

// keepsName reports whether the name of d in the program is that in C.
func (sym *symbols) keepsName(d *cc.Declarator) bool {
	return !sym.u.members.is(d) && scop.IsPlain(d.Name()) && !isReserved(d.Name()) && !sym.own[d.Name()]
}

// fresh returns name, or name with a number where something of the region has it.
func (sym *symbols) fresh(name string) string {
	u := name
	for i := 1; sym.names[u] || sym.own[u] || isReserved(u); i++ {
		u = fmt.Sprintf("%s_%d", name, i)
	}
	return u
}

// expressionOf returns how C reads d, if that is not by its name.
func (sym *symbols) expressionOf(d *cc.Declarator) string {
	if name := sym.u.members.name(d); name != sym.nameOf(d) {
		return name
	}
	return ""
}

// mayOverlap reports whether d, or the struct that it is a member of, is reached through a pointer.
func (src *source) mayOverlap(d *cc.Declarator) bool {
	return isPointer(d) || tableOf(d.Type()) > 0 || strings.Contains(src.u.members.of[d].way, "->")
}

// isRestrict reports whether what d leads to is reached through a restrict
// pointer only: d itself, or for arrays inside of a struct the pointer to that.
func (src *source) isRestrict(d *cc.Declarator) bool {
	if tableOf(d.Type()) > 0 {
		return restrictTable(d)
	}
	m, ok := src.u.members.of[d]
	if !ok || isPointer(d) {
		return isRestrict(d)
	}
	return strings.Count(m.way, "->") == 1 && strings.HasPrefix(m.way, "->") && isRestrict(m.root)
}

// sameStruct reports whether d and e are different arrays inside of one struct.
func (src *source) sameStruct(d, e *cc.Declarator) bool {
	x, ok := src.u.members.of[d]
	y, too := src.u.members.of[e]
	if !ok || !too || isPointer(d) || isPointer(e) || x.root != y.root || x.way == y.way {
		return false
	}
	arrow := strings.LastIndex(x.way, "->")
	return arrow == strings.LastIndex(y.way, "->") && (arrow < 0 || x.way[:arrow] == y.way[:arrow])
}

// checkMembersApart reports arrays of structs of which a member is also read
// as a variable of its own: p[i].x and p->x.
func (st *storage) checkMembersApart() {
	used := map[*cc.Declarator]bool{}
	for d := range st.params {
		used[d] = true
	}
	for d := range st.scalars {
		used[d] = true
	}
	for d := range st.arrays {
		used[d] = true
	}
	for _, d := range inOrder(st.source, st.arrays) {
		if st.arrays[d].record == nil {
			continue
		}
		root := st.arrays[d].decl
		in := st.u.members.of[root]
		for _, e := range inOrder(st.source, used) {
			m, ok := st.u.members.of[e]
			other := st.arrays[e]
			if !ok || m.root != st.u.members.rootOf(root) || !strings.HasPrefix(m.way, in.way+"->") ||
				!st.arrays[d].stored && (other == nil || !other.stored) {
				continue
			}
			st.errorf("HX104", tokenAt(d.NameTok()), "one element must have one name in the region", fmt.Sprintf("write '%s[0]' in both places", st.u.members.name(root)),
				"'%s' is an element of array '%s', and one of them is written", st.u.members.name(e), st.u.members.name(root))
		}
	}
}
