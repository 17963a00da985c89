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
	for _, p := range formals(fd) {
		f := scop.Formal{Type: typeName(p.Type()), Zero: zeroOf(p.Type())}
		if d := p.Declarator; d != nil {
			f.Name, f.Pos = d.Name(), as.f.span(tokenAt(d.NameTok()))
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

// formals returns the parameters of fd, also those without a name.
func formals(fd *cc.FunctionDefinition) (ps []*cc.Parameter) {
	if t, ok := fd.Declarator.Type().(*cc.FunctionType); ok {
		for _, p := range t.Parameters() {
			if p.Type().Kind() != cc.Void {
				ps = append(ps, p)
			}
		}
	}
	return ps
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

// within reports whether d is declared in the body of fd.
func within(fd *cc.FunctionDefinition, d *cc.Declarator) bool {
	name, body := d.NameTok(), fd.CompoundStatement
	return body.Token.Seq() < name.Seq() && name.Seq() < body.Token2.Seq()
}

// An earlierUse is what the function around a region does before it.
type earlierUse struct {
	names   map[string]bool         // that stand there
	changed map[*cc.Declarator]bool // variables that are assigned, or whose address is taken
}

// usedBefore looks through the function before the region.
func (src *source) usedBefore() earlierUse {
	use := earlierUse{map[string]bool{}, map[*cc.Declarator]bool{}}
	eachToken(reflect.ValueOf(src.r.function.CompoundStatement), func(t cc.Token) {
		if at := src.f.offset(t.Position()); at >= 0 && at < src.r.Start {
			use.names[t.SrcStr()] = true
		}
	})
	eachStmt(src.r.body, func(s stmt) {
		for _, e := range append(exprsOf(s), initExpr(s)) {
			eachExpr(e, func(e expr) {
				from, _, ok := src.f.bytes(e.at())
				if !ok || from >= src.r.Start {
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

// eachToken calls visit for the identifiers in v, a part of a syntax tree.
func eachToken(v reflect.Value, visit func(cc.Token)) {
	if v.Kind() == reflect.Interface {
		v = v.Elem()
	}
	if v.Kind() != reflect.Pointer || v.IsNil() || v.Elem().Kind() != reflect.Struct {
		return
	}
	s := v.Elem()
	for i := range s.NumField() {
		if !s.Type().Field(i).IsExported() {
			continue
		}
		switch x := s.Field(i); x.Kind() {
		case reflect.Struct:
			if t, ok := x.Interface().(cc.Token); ok && t.Ch == rune(cc.IDENTIFIER) {
				visit(t)
			}
		case reflect.Pointer, reflect.Interface:
			eachToken(x, visit)
		}
	}
}
