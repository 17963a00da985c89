package frontend

import "modernc.org/cc/v4"

// This file rewrites the grammar of syntax.go. Nothing is changed in place, and
// every part keeps its stretch of source.

// replaced returns s with f applied to every expression in it, inside out.
func replaced(s stmt, f func(expr) expr) stmt {
	return mapStmt(s, func(e expr) expr { return mapExpr(e, f) })
}

// mapInner returns s with f applied to the statements directly inside it: of blocks, branches, bodies of loops and what else holds some.
func mapInner(s stmt, f func(stmt) stmt) stmt {
	switch s := s.(type) {
	case block:
		s.items = mapAll(s.items, f)
		return s
	case forStmt:
		s.body = f(s.body)
		return s
	case ifStmt:
		s.then = f(s.then)
		if s.orElse != nil {
			s.orElse = f(s.orElse)
		}
		return s
	case otherStmt:
		s.inner = mapAll(s.inner, f)
		return s
	}
	return s
}

// putting returns the function that puts args in the place of names.
func putting(args map[*cc.Declarator]expr) func(expr) expr {
	return func(e expr) expr {
		switch x := e.(type) {
		case ident:
			if args[x.decl] != nil {
				return args[x.decl]
			}
		case unary:
			if v := numberBehind(x.x); v != nil && x.op == "*" {
				return v
			}
		case index:
			if v := numberBehind(x.base); v != nil {
				if n, constant := literal(x.sub); constant && n == 0 {
					return v
				}
			}
		}
		return e
	}
}

// numberBehind returns x where e is &x, of a variable or a compound literal that holds a number; else nil.
func numberBehind(e expr) expr {
	if v, ok := scalarAt(e); ok {
		return v
	}
	if l, ok := temporaryAt(e); ok {
		return inType(l.inner[0], l.typ)
	}
	return nil
}

// temporaryAt returns the compound literal of which e is the address, if that is a number.
func temporaryAt(e expr) (l literalExpr, ok bool) {
	u, ok := e.(unary)
	if !ok || u.op != "&" {
		return l, false
	}
	if l, ok = u.x.(literalExpr); !ok || len(l.inner) != 1 {
		return l, false
	}
	_, ok = storedType(l.typ)
	return l, ok
}

// scalarAt returns x where e is &x, of a variable that holds a number.
func scalarAt(e expr) (x ident, ok bool) {
	u, ok := e.(unary)
	if !ok || u.op != "&" {
		return ident{}, false
	}
	x, ok = u.x.(ident)
	if !ok || x.decl == nil {
		return ident{}, false
	}
	_, ok = storedType(x.decl.Type())
	return x, ok
}

func mapAll[T, U any](xs []T, f func(T) U) []U {
	var out []U
	for _, x := range xs {
		out = append(out, f(x))
	}
	return out
}

// contains reports whether s is, or holds, a statement that satisfies f.
func contains(s stmt, f func(stmt) bool) (found bool) {
	eachStmt(s, func(s stmt) { found = found || f(s) })
	return found
}

// eachExprIn calls f for every expression in s, loops' heads included, outside in.
func eachExprIn(s stmt, f func(expr)) {
	eachStmt(s, func(s stmt) {
		for _, e := range exprsOf(s) {
			eachExpr(e, f)
		}
	})
}

// mapExpr returns e with f applied to it and to every expression in it, inside out.
func mapExpr(e expr, f func(expr) expr) expr {
	if e == nil {
		return nil
	}
	return f(mapChildren(e, func(e expr) expr { return mapExpr(e, f) }))
}

// mapChildren returns e with in applied to the expressions directly inside it.
func mapChildren(e expr, in func(expr) expr) expr {
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
		if x.x = in(x.x); x.y != nil {
			x.y = in(x.y)
		}
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
	case literalExpr:
		x.inner = all(x.inner)
		e = x
	case otherExpr:
		x.inner = all(x.inner)
		e = x
	}
	return e
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
		divided := make([]expr, len(x.divided))
		for i, e := range x.divided {
			divided[i] = on(e)
		}
		x.divided = divided
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

// turnOf returns the statements of one iteration of f.
func turnOf(f forStmt, value int64) []stmt {
	d := iteratorOf(f)
	t := d.Type()
	if s, ok := storedType(t); ok && s.IsNarrow() {
		t = nil // C calculates with it as int
	}
	return mapAll(withoutContinue(f.body), func(s stmt) stmt {
		return replaced(s, func(e expr) expr {
			if isIdent(e, d) {
				return number{e.at(), "", "", t, cc.Int64Value(value), d.Name(), nil}
			}
			return e
		})
	})
}

// minMax recognises a < b ? a : b and its like as op of its two sides.
func minMax(c cond, op string) (x, y expr, ok bool) {
	test, isTest := c.c.(binary)
	if !isTest {
		return nil, nil, false
	}
	less := test.op == "<" || test.op == "<="
	if !less && test.op != ">" && test.op != ">=" {
		return nil, nil, false
	}
	straight := sameExpr(test.x, c.x) && sameExpr(test.y, c.y)
	crossed := sameExpr(test.x, c.y) && sameExpr(test.y, c.x)
	isMin := less && straight || !less && crossed
	isMax := !less && straight || less && crossed
	return c.x, c.y, op == "min" && isMin || op == "max" && isMax
}

// isExtreme reports whether c is the minimum or the maximum of what its condition compares.
func isExtreme(c cond) bool {
	_, _, isMin := minMax(c, "min")
	_, _, isMax := minMax(c, "max")
	return isMin || isMax
}
