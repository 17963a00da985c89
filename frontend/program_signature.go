package frontend

import (
	"reflect"
	"slices"

	"modernc.org/cc/v4"

	"github.com/hexcc/hexcc/scop"
)

// This file says how the function around a region is called, as its parser knows it: for programs that call it with
// data of their own.

// signature returns the signature of the function around the region.
func (as *assembly) signature() (s scop.Signature) {
	fd := as.r.function
	if as.f.cxx != nil {
		s.Space = as.f.cxx.spaces[fd.Declarator.Name()]
		s.Member = as.f.cxx.instances[fd.Declarator.Name()]
	}
	for _, p := range formals(fd) {
		f := scop.Formal{Type: typeName(p.Type()), Zero: zeroOf(p.Type()), Leads: leads(p.Type())}
		if d := p.Declarator; d != nil {
			f.Name, f.Pos = d.Name(), as.f.span(tokenAt(d.NameTok()))
			if as.f.cxx != nil && as.f.cxx.vectors[f.Name] {
				f.Unmade = "a std::vector"
			}
		}
		s.Parameters = append(s.Parameters, f)
	}
	roots := map[*cc.Declarator]bool{}
	for d := range as.params {
		roots[as.u.members.rootOf(d)] = true
	}
	for d := range as.scalars {
		roots[as.u.members.rootOf(d)] = true
	}
	for _, a := range as.arrays {
		for _, d := range a.objects() {
			roots[as.u.members.rootOf(d)] = true
		}
	}
	before := as.usedBefore()
	for _, d := range inOrder(as.source, roots) {
		hidden := before.names[d.Name()]
		switch {
		case slices.Contains(parameters(fd), d):
			hidden = before.changed[d]
		case within(fd, d):
			hidden = true
		}
		if hidden {
			s.Hidden = append(s.Hidden, d.Name())
		}
	}
	return s
}

// zeroOf returns a C expression for a value of type t, or "".
func zeroOf(t cc.Type) string {
	named := func(tag cc.Token, word string) string {
		if d := t.Typedef(); d != nil {
			return "(" + d.Name() + "){0}"
		}
		if name := tag.SrcStr(); name != "" {
			return "(" + word + " " + name + "){0}"
		}
		return ""
	}
	switch x := t.(type) {
	case *cc.StructType:
		return named(x.Tag(), "struct")
	case *cc.UnionType:
		return named(x.Tag(), "union")
	}
	return "0"
}

// leads says whether t is a pointer to objects.
func leads(t cc.Type) bool {
	x, ok := t.(*cc.PointerType)
	if !ok {
		return false
	}
	_, function := x.Elem().(*cc.FunctionType)
	return !function
}

// An earlierUse is what the function around a region does before it.
type earlierUse struct {
	names   map[string]bool         // that stand there
	changed map[*cc.Declarator]bool // variables that are assigned, or whose address is taken
}

// usedBefore looks through the function before the region.
func (as *assembly) usedBefore() earlierUse {
	use := earlierUse{map[string]bool{}, map[*cc.Declarator]bool{}}
	eachToken(reflect.ValueOf(as.r.function.CompoundStatement), func(t cc.Token) {
		if at := as.f.offset(t.Position()); at >= 0 && at < as.r.Start {
			use.names[t.SrcStr()] = true
		}
	})
	eachStmt(as.r.body, func(s stmt) {
		for _, e := range append(exprsOf(s), initExpr(s)) {
			eachExpr(e, func(e expr) {
				from, _, ok := as.f.bytes(e.at())
				if !ok || from >= as.r.Start {
					return
				}
				var changed expr
				switch e := e.(type) {
				case assign:
					changed = e.x
				case unary:
					if e.op == "&" {
						changed = e.x
					}
				}
				if x, ok := changed.(ident); ok {
					use.changed[x.decl] = true
				}
			})
		}
	})
	return use
}
