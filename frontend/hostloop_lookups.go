package frontend

import (
	"slices"

	"modernc.org/cc/v4"

	"github.com/hexcc/hexcc/scop"
)

// This file finds elements of constant arrays whose subscripts change from step to step as no region can say: see series.

// A lookup is such an element, in an item of the body.
type lookup struct {
	index
	item int
}

// lookups returns those that calls get as arguments, or parts of these, and that are evaluated at each step.
func (s *series) lookups() (all []lookup) {
	others := s.alteredBy()
	for _, it := range s.body {
		if !it.scalar {
			others.add(it.stmt, nil)
		}
	}
	for i, it := range s.body {
		x, ok := it.stmt.(exprStmt)
		if !ok || it.scalar {
			continue
		}
		c, ok := x.x.(call)
		if !ok || slices.ContainsFunc(c.args, func(a expr) bool { return !s.onlyComputes(a) }) {
			continue
		}
		for _, a := range c.args {
			evaluated(a, func(e expr) bool {
				x, is := e.(index)
				is = is && s.looksUp(x, others)
				if is {
					all = append(all, lookup{x, i})
				}
				return is
			})
		}
	}
	return all
}

// evaluated calls f for the parts of e that are evaluated wherever e is, outside in; it leaves out what is inside of those for which f says so.
func evaluated(e expr, f func(expr) bool) {
	if e == nil || f(e) {
		return
	}
	switch e := e.(type) {
	case binary:
		evaluated(e.x, f)
		if e.op != "&&" && e.op != "||" {
			evaluated(e.y, f)
		}
	case cond:
		evaluated(e.c, f)
	case unary:
		evaluated(e.x, f)
	case cast:
		evaluated(e.x, f)
	}
}

// looksUp reports whether e is an element of an array of constant numbers, and its subscripts are computed from scalars that are not in others, one
// with a quotient, or a remainder, by a variable.
func (s *series) looksUp(e index, others *altered) bool {
	p, ok := lvalue(e)
	t := s.constantNumber(e)
	return ok && t != nil && cNames[calculated(*t)] != "" && hasQuotient(e) && !slices.ContainsFunc(p.subs, func(x expr) bool { return !s.isValue(x, others) })
}

// hasQuotient reports whether e has a quotient, or a remainder, by a variable, which no subscript of a region has.
func hasQuotient(e expr) (found bool) {
	eachExpr(e, func(e expr) {
		if b, is := e.(binary); is && (b.op == "/" || b.op == "%") {
			_, number := literal(b.y)
			found = found || !number
		}
	})
	return found
}

// looksUpBeside reports whether a statement of body outside of its loops has an element of a constant array whose subscripts no region has.
func (h *hostLoops) looksUpBeside(body stmt) bool {
	switch s := body.(type) {
	case forStmt:
		return false
	case block:
		return slices.ContainsFunc(s.items, h.looksUpBeside)
	default:
		found := false
		for _, e := range exprsOf(s) {
			eachExpr(e, func(e expr) {
				x, is := e.(index)
				found = found || is && hasQuotient(x.sub) && h.constantNumber(x) != nil
			})
		}
		return found
	}
}

// constantNumber returns the type of e, an element of an array of numbers that nothing changes, which every rank has; nil if it is none.
func (h *hostLoops) constantNumber(e expr) *scop.Type {
	p, ok := lvalue(e)
	if !ok || p.root.decl == nil || p.root.decl.IsParam() || isVolatile(p.root.decl) || p.root.decl.Type().Kind() != cc.Array {
		return nil
	}
	of := p.root.decl.Type()
	for of.Kind() == cc.Array {
		of = elemOf(of)
	}
	t, number := storedType(p.typ)
	if !number || of.Kind() != p.typ.Kind() || !p.root.decl.IsConst() && !of.Attributes().IsConst() {
		return nil
	}
	return &t
}
