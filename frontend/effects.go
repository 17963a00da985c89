package frontend

import (
	"modernc.org/cc/v4"

	"github.com/hexcc/hexcc/scop"
)

// This file looks for side effects: in statements that only set scalars, of which nothing is translated
// unless something uses the scalars, and in expressions whose value nobody uses.

// checkEffects reports the calls in s that may do more than compute a value.
func (b *builder) checkEffects(s stmt) {
	statements := map[where]bool{}
	eachStmt(s, func(s stmt) {
		e, ok := s.(exprStmt)
		if !ok {
			return
		}
		if c, ok := e.x.(call); ok {
			statements[c.where] = true
			if f, named := c.fun.(ident); !named || b.definition(f) == nil { // others are written out
				b.errorf("HX103", c.where, bodyRule, "keep the call out of the region", "call of '%s' as a statement: what it does is not known", b.textOf(c.fun))
			}
		}
	})
	eachExprIn(s, func(e expr) {
		c, ok := e.(call)
		if !ok || statements[c.where] {
			return
		}
		f, named := c.fun.(ident)
		switch {
		case !named:
			b.errorf("HX103", c.where, callRule, "write its expression here", "call of '%s'", b.textOf(c.fun))
		case b.definition(f) == nil:
			b.checkFunction(c, f)
		case b.hasEffects(b.definition(f), map[*cc.FunctionDefinition]bool{}):
			b.errorf("HX103", c.where, callRule, "write its expression here, or keep the call out of the region",
				"function '%s' does more than compute its value", f.name)
		}
	})
}

// hasEffects reports whether fd may set anything but its own variables, or call
// what does. seen are the functions on the way.
func (b *builder) hasEffects(fd *cc.FunctionDefinition, seen map[*cc.FunctionDefinition]bool) (found bool) {
	if seen[fd] {
		return true
	}
	seen[fd] = true
	body := convertBlock(fd.CompoundStatement)
	eachStmt(body, func(s stmt) {
		if o, ok := s.(otherStmt); ok && o.what == "assembly" {
			found = true
		}
	})
	eachExprIn(body, func(e expr) {
		switch e := e.(type) {
		case assign:
			x, ok := e.x.(ident)
			found = found || !ok || x.decl == nil || x.decl.StorageDuration() != cc.Automatic
		case call:
			f, named := e.fun.(ident)
			if named && b.definition(f) != nil {
				found = found || b.hasEffects(b.definition(f), seen)
			} else {
				_, known := scop.Computable(f.name)
				found = found || !named || !known
			}
		case otherExpr:
			found = true
		}
	})
	return found
}

// effectsOf returns statements that do what C does to compute e, but for the value: none if that has no effect. What is not
// allowed in a region stays in them, to be refused.
func (b *builder) effectsOf(e expr) (all []stmt) {
	both := func(xs []expr) []stmt {
		for _, x := range xs {
			all = append(all, b.effectsOf(x)...)
		}
		return all
	}
	under := func(test expr, then, orElse []stmt) []stmt {
		if len(then)+len(orElse) == 0 {
			return b.effectsOf(test)
		}
		s := ifStmt{e.at(), test, block{e.at(), then}, nil}
		if len(orElse) > 0 {
			s.orElse = block{e.at(), orElse}
		}
		return []stmt{s}
	}
	switch e := e.(type) {
	case number:
		return nil
	case cond:
		return under(e.c, b.effectsOf(e.x), b.effectsOf(e.y))
	case binary:
		switch e.op {
		case "&&":
			return under(e.x, b.effectsOf(e.y), nil)
		case "||":
			return under(e.x, nil, b.effectsOf(e.y))
		}
		return both(children(e))
	case cast, comma:
		return both(children(e))
	case unary:
		if e.op != "*" {
			return both(children(e))
		}
	case call:
		f, named := e.fun.(ident)
		if named && b.definition(f) != nil {
			return []stmt{b.expandCall(e, b.definition(f))}
		}
		if _, known := scop.Computable(f.name); known {
			return both(e.args)
		}
	case otherExpr:
		if e.what == "string" {
			return nil
		}
	}
	if p, ok := lvalue(e); ok && !isVolatile(p.root.decl) && !p.typ.Attributes().IsVolatile() {
		return both(children(e)) // it is read, or is an address
	}
	return []stmt{exprStmt{e.at(), e}}
}
