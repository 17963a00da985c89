package frontend

import (
	"bytes"
	"cmp"
	"slices"
	"strings"

	"modernc.org/cc/v4"
)

// This file writes one body of a function in place of a call: what stands for its parameters, and for its own variables where a name means another one outside.

// An inlinedBody is the body of a function that is written.
type inlinedBody struct {
	*inliner
	put      map[*cc.Declarator]string // what stands for a variable
	declared []varDecl                 // variables of its own that have other names
}

// isSize reports whether e is computed of sizes alone: names that body leaves alone, and numbers.
func (b *inlinedBody) isSize(e expr, body stmt) bool {
	ok := true
	eachExpr(e, func(e expr) {
		switch e := e.(type) {
		case ident:
			ok = ok && e.decl != nil && !assigns(body, e.decl)
		case number, binary, cast:
		case unary:
			ok = ok && (e.op == "-" || e.op == "+")
		default:
			ok = false
		}
	})
	return ok
}

// text returns e with what stands for its variables.
func (b *inlinedBody) text(e expr) string {
	return exprText(mapExpr(e, func(e expr) expr {
		if x, ok := e.(ident); ok && b.put[x.decl] != "" {
			x.name, x.decl = b.put[x.decl], nil
			return x
		}
		return e
	}))
}

// write writes the text of the body, from one offset of the file to another.
func (b *inlinedBody) write(body block, from, to int, result string) {
	var edits []edit
	seen := map[int]bool{}
	replace := func(at where, name, text string) {
		k := b.f.offset(at.first)
		if seen[k] {
			return
		}
		if k < from || k+len(name) > to || string(b.f.text[k:k+len(name)]) != name {
			b.refuseOnRanks(body, "ranks cannot run this function where it is called: '"+name+"' stands in a macro", "write the macro out, or let the caller have a variable of that name")
			return
		}
		seen[k] = true
		edits = append(edits, edit{k, k + len(name), text})
	}
	eachExprIn(body, func(e expr) {
		u, ok := e.(unary)
		x, named := u.x.(ident)
		at, addressed := strings.CutPrefix(b.put[x.decl], "(&")
		if !ok || u.op != "*" || !named || !addressed || x.decl == nil {
			return
		}
		end := b.f.offset(x.first)
		if end < from || end > to {
			return
		}
		k := len(bytes.TrimRight(b.f.text[:end], " \t\r\n")) - 1
		if k >= from && b.f.text[k] == '*' { // *p is what p is the address of
			seen[end] = true
			edits = append(edits, edit{k, end + len(x.name), "(" + at})
		}
	})
	eachExprIn(body, func(e expr) {
		m, ok := e.(memberExpr)
		x, named := m.x.(ident)
		at, addressed := strings.CutPrefix(b.put[x.decl], "(&")
		if !ok || !m.arrow || !named || !addressed || x.decl == nil {
			return
		}
		k := b.f.offset(x.first)
		end := k + len(x.name)
		if k < from || end > to || seen[k] || string(b.f.text[k:end]) != x.name {
			return
		}
		arrow := bytes.TrimLeft(b.f.text[end:to], " \t\r\n")
		if bytes.HasPrefix(arrow, []byte("->")) { // p->x is a member of what p is the address of
			seen[k] = true
			edits = append(edits, edit{k, to - len(arrow) + len("->"), strings.TrimSuffix(at, ")") + "."})
		}
	})
	eachExprIn(body, func(e expr) {
		if x, ok := e.(ident); ok && x.decl != nil && b.put[x.decl] != "" {
			replace(x.where, x.name, b.put[x.decl])
		}
	})
	for _, v := range b.declared {
		replace(v.where, v.decl.Name(), b.put[v.decl])
	}
	eachStmt(body, func(s stmt) {
		if !isJump(s, "'return'") || b.failed {
			return
		}
		o := s.(otherStmt)
		last := len(body.items) > 0 && body.items[len(body.items)-1].at() == o.where
		a, _ := b.extent(s)
		switch {
		case !last:
			b.refuseOnRanks(s, "ranks cannot run this function where it is called: it returns before its end", "let it return at its end only")
		case len(o.exprs) == 0:
			edits = append(edits, edit{a, a + len("return"), ""})
		case result != "":
			edits = append(edits, edit{a, a + len("return"), result + " ="})
		default:
			edits = append(edits, edit{a, a + len("return"), "(void)"})
		}
	})
	if b.failed {
		return
	}
	slices.SortFunc(edits, func(x, y edit) int { return cmp.Compare(x.from, y.from) })
	kept := b.cursor
	b.edited(from, to, edits)
	b.cursor = kept
}
