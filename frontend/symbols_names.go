package frontend

import (
	"fmt"
	"slices"
	"strings"

	"modernc.org/cc/v4"

	"github.com/hexcc/hexcc/scop"
)

// This file gives the variables of a program their names. A variable keeps that of C, if it is one identifier that
// formulas, too, can have, and if no two things of a region get one name: s->n is s_n, a second i is i_1.

// takeNames notes the names that variables of the region keep.
func (sym *symbols) takeNames() {
	for _, s := range sym.stmts {
		eachStmt(s, sym.surveyNames)
	}
	for d := range sym.affine {
		if !sym.iterators[d] {
			sym.take(sym.u.members.name(d)) // that of a member is no identifier: it takes none
		}
	}
}

// surveyNames notes the names of the variables that s uses and that keep their
// names: all but iterators and locals.
func (sym *symbols) surveyNames(s stmt) {
	note := func(e expr) {
		x, ok := e.(ident)
		if !ok || x.decl == nil || sym.iterators[x.decl] {
			return
		}
		if _, written := sym.written[x.decl]; !written {
			sym.names[x.name] = true
		}
	}
	for _, e := range append(exprsOf(s), initExpr(s)) {
		eachExpr(e, note)
	}
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
	return !sym.u.members.is(d) && sym.u.members.texts[d].text == "" && scop.IsPlain(d.Name()) && sym.u.members.identifier(d) == d.Name() && !isReserved(d.Name()) && !sym.own[d.Name()]
}

// take notes that something of the region has a name.
func (sym *symbols) take(name string) { sym.names[name] = true }

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
	name := sym.u.members.name(d)
	if t, ok := storedType(d.Type()); ok && sym.f.isScoped(d.Type()) {
		return fmt.Sprintf("(%v)%s", t, name)
	}
	if name != sym.nameOf(d) {
		return name
	}
	return ""
}

// unique returns name, or name with a number where another variable of the
// region, or one of others, has it.
func (sym *symbols) unique(others map[string]bool, name string) string {
	name = scop.Plain(name)
	u := name
	for i := 1; sym.names[u] || others[u] || isReserved(u); i++ {
		u = fmt.Sprintf("%s_%d", name, i)
	}
	others[u], sym.own[u] = true, true
	return u
}

// viewName returns the name of a view of the array x: cell_double.
func (sym *symbols) viewName(x ident, elem scop.Type) string {
	return sym.fresh(sym.nameOf(x.decl) + "_" + strings.ReplaceAll(strings.TrimSuffix(elem.String(), " int"), " ", "_"))
}

// reserved are the names with a meaning in isl notation.
var reserved = []string{"and", "or", "not", "exists", "mod", "true", "false", "floor", "floord", "ceil", "ceild", "min", "max", "implies"}

func isReserved(name string) bool { return slices.Contains(reserved, name) }
