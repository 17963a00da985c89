package frontend

import (
	"modernc.org/cc/v4"

	"github.com/hexcc/hexcc/scop"
)

// This file looks for side effects: in statements that only set scalars, of which nothing is translated
// unless something uses the scalars, and in expressions whose value nobody uses.

// checkEffects reports the calls in s that may do more than compute a value.
func (ns *notes) checkEffects(s stmt) {
	statements := map[where]bool{}
	eachStmt(s, func(s stmt) {
		e, ok := s.(exprStmt)
		if !ok {
			return
		}
		if c, ok := e.x.(call); ok {
			statements[c.where] = true
			if f, named := c.fun.(ident); !named || ns.definition(f) == nil { // others are written out
				ns.errorf("HX103", c.where, bodyRule, "keep the call out of the region", "call of '%s' as a statement: what it does is not known", ns.textOf(c.fun))
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
			ns.errorf("HX103", c.where, callRule, "write its expression here", "call of '%s'", ns.textOf(c.fun))
		case ns.definition(f) == nil:
			ns.checkFunction(c, f)
		case ns.hasEffects(ns.definition(f), map[*cc.FunctionDefinition]bool{}):
			ns.errorf("HX103", c.where, callRule, "write its expression here, or keep the call out of the region",
				"function '%s' does more than compute its value", f.name)
		}
	})
}

// hasEffects reports whether fd may set anything but its own variables, or call
// what does. seen are the functions on the way.
func (src *source) hasEffects(fd *cc.FunctionDefinition, seen map[*cc.FunctionDefinition]bool) (found bool) {
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
			if named && src.definition(f) != nil {
				found = found || src.hasEffects(src.definition(f), seen)
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
func (ex *expander) effectsOf(e expr) (all []stmt) {
	both := func(xs []expr) []stmt {
		for _, x := range xs {
			all = append(all, ex.effectsOf(x)...)
		}
		return all
	}
	under := func(test expr, then, orElse []stmt) []stmt {
		if len(then)+len(orElse) == 0 {
			return ex.effectsOf(test)
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
		return under(e.c, ex.effectsOf(e.x), ex.effectsOf(e.y))
	case binary:
		switch e.op {
		case "&&":
			return under(e.x, ex.effectsOf(e.y), nil)
		case "||":
			return under(e.x, nil, ex.effectsOf(e.y))
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
		if named && ex.definition(f) != nil {
			return []stmt{ex.expandCall(e, ex.definition(f))}
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
