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
	decls    map[string]*cc.Declarator // by root and way
	of       map[*cc.Declarator]member
	views    map[*cc.Declarator]scop.Type // of arrays of structs
	elements map[*cc.Declarator]element   // that are variables of their own
	texts    map[*cc.Declarator]standIn   // that are made of others
	spaceOf  map[string]string            // in C++, the namespaces of variables outside of functions
	statics  map[string]cxxStatic         // in C++, static members of classes
	anyRow   bool                         // a size is that of any row of a vector of vectors, and not of the first one
}

// A standIn is a variable that stands for a text of C.
type standIn struct{ name, text string }

// An element is a variable that stands for an element of a small array.
type element struct {
	array *cc.Declarator
	at    int64 // counted row by row
}

// A member says what a member is part of.
type member struct {
	root  *cc.Declarator // the variable
	way   string         // from there, such as "->level.v"
	field *cc.Field      // nil for an element, such as "->size[1]"
	like  *cc.Declarator // of an element, a variable of its type
	at    []int64        // the subscripts of an element
	kind  string         // of an element, way without subscripts, such as "->size[]"
}

// declared returns a variable of the type and qualifiers of m.
func (m member) declared() *cc.Declarator {
	if m.field == nil {
		return m.like
	}
	return m.field.Declarator()
}

func newMembers() *members {
	return &members{decls: map[string]*cc.Declarator{}, of: map[*cc.Declarator]member{}, views: map[*cc.Declarator]scop.Type{}, elements: map[*cc.Declarator]element{}, texts: map[*cc.Declarator]standIn{}}
}

// decl returns a declarator of its own for a member, with the type and
// qualifiers of the field.
func (ms *members) decl(m member) *cc.Declarator {
	key := fmt.Sprintf("%p%s", m.root, m.way)
	if d := ms.decls[key]; d != nil {
		return d
	}
	d := *m.declared()
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

// around returns the outermost variable or member around member d for which is holds, and how d is found from there; nil if there is none.
func (ms *members) around(d *cc.Declarator, is func(*cc.Declarator) bool) (outer *cc.Declarator, way string) {
	m, ok := ms.of[d]
	if !ok {
		return nil, ""
	}
	if is(m.root) {
		return m.root, m.way
	}
	for i := 1; i < len(m.way); i++ {
		if m.way[i] != '.' && !strings.HasPrefix(m.way[i:], "->") {
			continue
		}
		if o := ms.decls[fmt.Sprintf("%p%s", m.root, m.way[:i])]; o != nil && o != d && ms.is(o) && is(o) {
			return o, m.way[i:]
		}
	}
	return nil, ""
}

// beside returns the member that is found from outer, a variable or a member, as d is by way from another one like that.
func (ms *members) beside(outer *cc.Declarator, way string, d *cc.Declarator) *cc.Declarator {
	m := ms.of[d]
	in := member{outer, way, m.field, m.like, m.at, strings.TrimPrefix(m.kind, strings.TrimSuffix(m.way, way))}
	if of, ok := ms.of[outer]; ok {
		in.root, in.way = of.root, of.way+way
		if in.kind != "" {
			in.kind = of.way + in.kind
		}
	}
	return ms.decl(in)
}

// name returns the name of d as the user knows it: s->u.
func (ms *members) name(d *cc.Declarator) string {
	if rows := ms.rowsOf(d); rows != "" { // there may be none
		return fmt.Sprintf("(%s.size() > 0 ? %s[0].size() : 0)", rows, rows)
	}
	if m, ok := ms.of[d]; ok {
		return ms.name(m.root) + m.way
	}
	if q, ok := ms.texts[d]; ok {
		return q.text
	}
	if e, ok := ms.elements[d]; ok {
		return fmt.Sprintf("%s[%d]", ms.name(e.array), e.at)
	}
	if s, ok := ms.statics[d.Name()]; ok && d.Linkage() != cc.None {
		return s.text
	}
	if space := ms.spaceOf[d.Name()]; space != "" && d.Linkage() != cc.None {
		return space + d.Name()
	}
	return d.Name()
}

// computed returns a variable that stands for a text of C, which is made of d and others.
func (ms *members) computed(d *cc.Declarator, is standIn) *cc.Declarator {
	key := fmt.Sprintf("%p %s", d, is.text)
	if q := ms.decls[key]; q != nil {
		return q
	}
	q := *d
	ms.decls[key], ms.texts[&q] = &q, is
	return &q
}

// arrayOf returns the array that d is an element of, or d.
func (ms *members) arrayOf(d *cc.Declarator) *cc.Declarator {
	if e, ok := ms.elements[d]; ok {
		return e.array
	}
	return d
}

// element returns a variable of type t that stands for an element of a small array, counted row by row.
func (u *unit) element(array *cc.Declarator, at int64, t scop.Type) *cc.Declarator {
	key := fmt.Sprintf("%p[%d]", array, at)
	if d := u.members.decls[key]; d != nil {
		return d
	}
	d := *u.numbers[t]
	u.members.decls[key], u.members.elements[&d] = &d, element{array, at}
	return &d
}

// compare orders by declaration: members of one field by that of the variables they belong to, and what is computed last.
func (ms *members) compare(d, e *cc.Declarator) int {
	seq := func(d *cc.Declarator) int { t := ms.arrayOf(d).NameTok(); return t.Seq() }
	return cmp.Or(cmp.Compare(seq(d), seq(e)), cmp.Compare(seq(ms.rootOf(d)), seq(ms.rootOf(e))), cmp.Compare(len(ms.texts[d].text), len(ms.texts[e].text)), cmp.Compare(ms.name(d), ms.name(e)), cmp.Compare(ms.views[d], ms.views[e]))
}

// identifier returns the name of d as one identifier: s_u.
func (ms *members) identifier(d *cc.Declarator) string {
	if q, ok := ms.texts[d]; ok {
		return q.name
	}
	if _, ok := ms.statics[d.Name()]; ok {
		return d.Name()
	}
	name := ms.name(d)
	if rows := ms.rowsOf(d); rows != "" {
		name = rows + ".row_size"
	}
	return strings.NewReplacer("->", "_", "::", "_", ".", "_", "[", "_", "]", "", "(", "", ")", "").Replace(name)
}

// resolved returns e with members as variables.
func (ms *members) resolved(e expr) expr {
	return mapExpr(e, func(e expr) expr {
		m, ok := e.(memberExpr)
		if !ok {
			return e
		}
		x, arrow := m.x, m.arrow
		for {
			u, ok := x.(unary)
			if ok && u.op == "*" && !arrow { // (*p).x is p->x
				x, arrow = u.x, true
			} else if ok && u.op == "&" && arrow { // (&s)->x is s.x
				x, arrow = u.x, false
			} else {
				break
			}
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

// passed returns the variable that member d of a parameter is where the parameter is given arg; nil if that is no variable.
func (ms *members) passed(d *cc.Declarator, arg expr) *cc.Declarator {
	m, ok := ms.of[d]
	way := m.way
	if u, isUnary := arg.(unary); isUnary && u.op == "&" && strings.HasPrefix(way, "->") { // (&s)->x is s.x
		arg, way = u.x, "."+way[2:]
	} else if isUnary && u.op == "*" && strings.HasPrefix(way, ".") { // (*p).x is p->x
		arg, way = u.x, "->"+way[1:]
	}
	x, isName := arg.(ident)
	if !ok || !isName || x.decl == nil {
		return nil
	}
	in := member{x.decl, way, m.field, m.like, m.at, m.kind}
	if outer, ok := ms.of[x.decl]; ok {
		in.root, in.way = outer.root, outer.way+way
	}
	return ms.decl(in)
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

// before returns the variable that stands for what d holds when the region begins.
func (ms *members) before(d *cc.Declarator) *cc.Declarator {
	key := fmt.Sprintf("%p before", d)
	if b := ms.decls[key]; b != nil {
		return b
	}
	b := *d
	if ms.decls[key] = &b; ms.is(d) {
		ms.of[&b] = ms.of[d]
	}
	return &b
}

// row returns the variable that stands for the distance of rows that d leads to, by the level of pointers.
func (ms *members) row(d *cc.Declarator, level int) *cc.Declarator {
	m := member{root: d, way: ".row"}
	if of, ok := ms.of[d]; ok {
		m.root, m.way = of.root, of.way+".row"
	}
	if level > 0 {
		m.way += fmt.Sprint(level)
	}
	key := fmt.Sprintf("%p%s row", m.root, m.way)
	if v := ms.decls[key]; v != nil {
		return v
	}
	v := *d
	ms.decls[key], ms.of[&v] = &v, m
	return &v
}
