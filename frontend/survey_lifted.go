package frontend

import (
	"slices"

	"modernc.org/cc/v4"
)

// This file puts functions that look at neighbours under a condition in front of the statements whose expressions call them:
//
//	v[k] = div(p, x) - g[k];    =>   double d = 0;  if (x > 0) d -= p[x - 1];  ..   the statements of div
//	                                 v[k] = (double)d - g[k];                       in the place of its return
//
// In a body, conditions on loop variables take a nest apart, and what they guard is inside of its array; in an expression they
// are values, under which both sides are read.

// A lifter goes through statements.
type lifter struct {
	*survey
	calls callStack
	left  int // how many calls may still be put in front of their statements
}

// maxLifted bounds the calls of a region that are put in front of their statements.
const maxLifted = 64

// lifted returns ss with functions that guard elements in front of the statements that call them.
func (sv *survey) lifted(ss []stmt) []stmt {
	l := &lifter{survey: sv, left: maxLifted}
	return l.stmts(ss)
}

// hasLiftable reports whether an expression of ss calls a function that guards elements.
func (sv *survey) hasLiftable(ss []stmt) (found bool) {
	for _, s := range ss {
		eachExprIn(s, func(e expr) {
			if c, ok := e.(call); ok {
				found = found || sv.guards(c) != nil
			}
		})
	}
	return found
}

// guards returns the function of the file that c calls, if it returns a number, uses elements and reads some of them under a condition only, by if, ?:, && or
// ||; or nil. One that returns an integer must use elements that are no constants: else it may compute an index.
func (sv *survey) guards(c call) *cc.FunctionDefinition {
	f, ok := c.fun.(ident)
	if !ok {
		return nil
	}
	fd := sv.definition(f)
	if fd == nil {
		return nil
	}
	t, ok := fd.Declarator.Type().(*cc.FunctionType)
	if !ok {
		return nil
	}
	result, isNumber := storedType(t.Result())
	if !isNumber {
		return nil
	}
	body, elements := convertBlock(fd.CompoundStatement), false
	eachExprIn(body, func(e expr) {
		if x, ok := e.(index); ok {
			elements = elements || result.IsFloat() || !isConstElement(x)
		}
	})
	branches := contains(body, func(s stmt) bool { _, ok := s.(ifStmt); return ok || guardsElements(s, nil) })
	if !branches || !elements || hasEffects(fd, body) {
		return nil
	}
	return fd
}

// hasEffects reports whether body, of fd, may do anything but compute a value: calls as statements count as such.
func hasEffects(fd *cc.FunctionDefinition, body stmt) (found bool) {
	own := parameters(fd)
	eachStmt(body, func(s stmt) {
		switch s := s.(type) {
		case declStmt:
			for _, v := range s.vars {
				if found = found || v.decl.StorageDuration() != cc.Automatic; !found {
					own = append(own, v.decl)
				}
			}
		case exprStmt:
			_, isCall := s.x.(call)
			found = found || isCall
		}
	})
	eachExprIn(body, func(e expr) {
		if a, ok := e.(assign); ok {
			x, variable := a.x.(ident)
			found = found || !variable || !slices.Contains(own, x.decl)
		}
	})
	return found
}

func (l *lifter) stmts(ss []stmt) (out []stmt) {
	for _, s := range ss {
		out = append(out, l.stmt(s)...)
	}
	return out
}

func (l *lifter) stmt(s stmt) []stmt {
	switch s := s.(type) {
	case block:
		s.items = l.stmts(s.items)
		return []stmt{s}
	case forStmt:
		s.body = l.one(s.body)
		return []stmt{s}
	case ifStmt:
		s.then = l.one(s.then)
		if s.orElse != nil {
			s.orElse = l.one(s.orElse)
		}
		return []stmt{s}
	case otherStmt:
		s.inner = l.stmts(s.inner)
		return []stmt{s}
	case declStmt:
		return l.declaration(s)
	case exprStmt:
		if a, ok := s.x.(assign); ok && a.y != nil {
			return l.before(a.y, func(y expr) stmt { a.y = y; return exprStmt{s.where, a} })
		}
	case resultStmt:
		return l.before(s.x, func(x expr) stmt { return resultStmt{s.where, x} })
	}
	return []stmt{s}
}

func (l *lifter) one(s stmt) stmt {
	if out := l.stmt(s); len(out) != 1 {
		return block{s.at(), out}
	} else {
		return out[0]
	}
}

// declaration declares variables, and then sets those whose first values are lifted.
func (l *lifter) declaration(s declStmt) (out []stmt) {
	for _, v := range s.vars {
		_, isNumber := storedType(v.decl.Type())
		if c := l.first(v.init); c == nil || !isNumber || v.decl.IsStatic() {
			out = append(out, declStmt{s.where, []varDecl{v}})
			continue
		}
		x, init := ident{v.where, v.decl.Name(), v.decl}, v.init
		v.init, v.list = nil, nil
		out = append(out, declStmt{s.where, []varDecl{v}})
		out = append(out, l.before(init, func(y expr) stmt { return exprStmt{v.where, assign{v.where, "=", x, y}} })...)
	}
	return out
}

// before returns the statement that with makes of e, in the statements of the first function in e that is lifted.
func (l *lifter) before(e expr, with func(expr) stmt) []stmt {
	c := l.first(e)
	if c == nil {
		return []stmt{with(e)}
	}
	l.left--
	return []stmt{l.call(*c, func(value expr) []stmt {
		return l.before(mapExpr(e, func(x expr) expr {
			if sameExpr(x, *c) {
				return value
			}
			return x
		}), with)
	})}
}

// first returns the first call in e that may be lifted, which is evaluated whenever e is, or nil. Nothing in e may have other effects.
func (l *lifter) first(e expr) (found *call) {
	if e == nil || l.left <= 0 {
		return nil
	}
	var walk func(e expr)
	walk = func(e expr) {
		switch x := e.(type) {
		case cond:
			walk(x.c)
			return
		case binary:
			if x.op == "&&" || x.op == "||" {
				walk(x.x)
				return
			}
		case call:
			for _, a := range x.args {
				walk(a)
			}
			if fd := l.guards(x); found == nil && fd != nil && !l.calls.holds(fd) && len(parameters(fd)) == len(x.args) && sameExpr(x, x) {
				found = &x
			}
			return
		}
		for _, x := range children(e) {
			walk(x)
		}
	}
	effects := false
	eachExpr(e, func(e expr) {
		_, sets := e.(assign)
		effects = effects || sets
	})
	if walk(e); effects {
		return nil
	}
	return found
}

// call returns the statements of the function that c calls, with rest of its value in the place of each return.
func (l *lifter) call(c call, rest func(value expr) []stmt) stmt {
	fd := l.guards(c)
	params, ok := l.enter(l.calls, c, fd)
	if !ok {
		return otherStmt{where: c.where, what: refusedCall}
	}
	l.noLongerCalls(fd)
	body := convertBlock(fd.CompoundStatement)
	l.inlined = append(l.inlined, body.where)
	args := map[*cc.Declarator]expr{}
	out := block{where: c.where}
	for i, d := range params {
		if l.isNamed(params, c.args, i, body) {
			args[d] = c.args[i]
			continue
		}
		own := *d
		out.items = append(out.items, declStmt{c.args[i].at(), []varDecl{{c.args[i].at(), &own, c.args[i], nil}}})
		args[d] = ident{c.args[i].at(), d.Name(), &own}
	}
	eachStmt(body, func(s stmt) { // other calls have variables of their own
		if s, ok := s.(declStmt); ok {
			for _, v := range s.vars {
				own := *v.decl
				args[v.decl] = ident{v.where, v.decl.Name(), &own}
			}
		}
	})
	inside := &lifter{l.survey, l.calls.with(fd, c.where), l.left}
	ss, open := lowerJumps(flatten(declaredAs(l.bodyWith(fd, putting(args)), args).(block).items), "'return'")
	if open {
		l.errorf("HX103", c.where, pureRule, "end every way through it with return", "function '%s' may end without a value", fd.Declarator.Name())
	}
	result := fd.Declarator.Type().(*cc.FunctionType).Result()
	out.items = append(out.items, returning(inside.stmts((&expander{l.survey, inside.calls}).expand(ss)), func(s resultStmt) []stmt { return rest(cast{c.where, result, s.x, nil}) })...)
	return out
}

// returning returns ss with what f makes of each result in its place.
func returning(ss []stmt, f func(resultStmt) []stmt) (out []stmt) {
	for _, s := range ss {
		switch s := s.(type) {
		case resultStmt:
			out = append(out, f(s)...)
		case block:
			s.items = returning(s.items, f)
			out = append(out, s)
		case ifStmt:
			s.then = block{s.where, returning(flatten([]stmt{s.then}), f)}
			if s.orElse != nil {
				s.orElse = block{s.where, returning(flatten([]stmt{s.orElse}), f)}
			}
			out = append(out, s)
		default:
			out = append(out, s)
		}
	}
	return out
}

// declaredAs returns s with variables declared as those that stand for them.
func declaredAs(s stmt, as map[*cc.Declarator]expr) stmt {
	switch x := s.(type) {
	case block:
		x.items = mapAll(x.items, func(s stmt) stmt { return declaredAs(s, as) })
		return x
	case declStmt:
		x.vars = slices.Clone(x.vars)
		for i, v := range x.vars {
			if d, ok := as[v.decl].(ident); ok {
				x.vars[i].decl = d.decl
			}
		}
		return x
	case forStmt:
		if x.init != nil {
			x.init = declaredAs(x.init, as)
		}
		x.body = declaredAs(x.body, as)
		return x
	case ifStmt:
		if x.then = declaredAs(x.then, as); x.orElse != nil {
			x.orElse = declaredAs(x.orElse, as)
		}
		return x
	case otherStmt:
		x.inner = mapAll(x.inner, func(s stmt) stmt { return declaredAs(s, as) })
		return x
	}
	return s
}
