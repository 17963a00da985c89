package frontend

import (
	"maps"
	"slices"

	"modernc.org/cc/v4"
)

// This file walks through statements in their order, with what variables that hold an index are set to on the way.

func (ix *indexer) stmts(ss []stmt) (out []stmt) {
	for _, s := range ss {
		if t := ix.stmt(s); t != nil {
			out = append(out, t)
		}
	}
	return out
}

// stmt returns s with values written out, nil if s only sets a pointer that is.
func (ix *indexer) stmt(s stmt) stmt {
	switch s := s.(type) {
	case block:
		s.items = ix.stmts(s.items)
		return s
	case declStmt:
		return ix.declaration(s)
	case exprStmt:
		x := ix.statement(s.x)
		if x == nil && s.x != nil {
			return nil
		}
		s.x = x
		return s
	case ifStmt:
		return ix.choice(s)
	case forStmt:
		return ix.loop(s)
	case resultStmt:
		s.x = ix.rewritten(s.x, ix.result != nil)
		if ix.result != nil {
			ix.set(ix.result, s.x)
		}
		return s
	case otherStmt:
		ix.impure = true
		ix.forget(s)
		for i, e := range s.exprs {
			s.exprs = slices.Clone(s.exprs)
			s.exprs[i] = ix.rewritten(e, false)
		}
		s.inner = ix.stmts(s.inner)
		ix.forget(s)
		return s
	}
	return s
}

func (ix *indexer) declaration(s declStmt) stmt {
	var vars []varDecl
	for _, v := range s.vars {
		if v.init == nil {
			delete(ix.values, v.decl)
			ix.values[v.decl] = indexValue{nil, ix.branches, false}
			vars = append(vars, v)
			continue
		}
		init := ix.rewritten(v.init, isPointer(v.decl))
		whole := ix.index(init)
		if v.init = plainSum(init, whole); !ix.pointers[v.decl] {
			vars = append(vars, v)
		}
		delete(ix.values, v.decl)
		ix.set(v.decl, whole)
	}
	if s.vars = vars; len(vars) == 0 {
		return nil
	}
	return s
}

// plainSum returns what is stored where e is, whose value is whole: that of a function which is a plain sum is written out, since names of such sums stay.
func plainSum(e, whole expr) expr {
	calls := false
	eachExpr(e, func(e expr) {
		_, is := e.(call)
		calls = calls || is
	})
	if calls && isIndex(whole) && isSum(whole) {
		return whole
	}
	return e
}

// statement returns e, a statement, with values written out, nil if it only sets a pointer that is.
func (ix *indexer) statement(e expr) expr {
	switch x := e.(type) {
	case assign:
		to, ok := x.x.(ident)
		if !ok || to.decl == nil {
			ix.impure = true
			break
		}
		ix.impure = ix.impure || !ix.isAutomatic(to.decl)
		value := ix.index(valueAfter(x))
		if x.y != nil {
			x.y = ix.rewritten(x.y, false)
			if x.op == "=" {
				x.y = plainSum(x.y, value)
			}
		}
		if !isPointer(to.decl) || ix.pointers[to.decl] {
			ix.set(to.decl, value)
		} else {
			ix.drop(to.decl)
		}
		if ix.pointers[to.decl] {
			return nil
		}
		return x
	case comma:
		var xs []expr
		for _, y := range x.xs {
			if y = ix.statement(y); y != nil {
				xs = append(xs, y)
			}
		}
		if len(xs) == 0 {
			return nil
		}
		x.xs = xs
		return x
	case call:
		ix.impure = true
	}
	e = ix.rewritten(e, false)
	eachExpr(e, func(e expr) {
		if a, ok := e.(assign); ok {
			if to, ok := a.x.(ident); ok && to.decl != nil {
				ix.drop(to.decl)
			}
		}
	})
	return e
}

// choice reads both branches of s and joins the values that they leave.
func (ix *indexer) choice(s ifStmt) stmt {
	test := ix.withSums(s.cond)
	s.cond = ix.condition(s.cond)
	before := ix.values
	run := func(branch stmt) (stmt, map[*cc.Declarator]indexValue) {
		ix.values = maps.Clone(before)
		ix.branches++
		if branch != nil {
			if branch = ix.stmt(branch); branch == nil {
				branch = block{where: s.where}
			}
		}
		ix.branches--
		return branch, ix.values
	}
	var then, orElse map[*cc.Declarator]indexValue
	s.then, then = run(s.then)
	s.orElse, orElse = run(s.orElse)
	ix.values = map[*cc.Declarator]indexValue{}
	for d, x := range then {
		y, ok := orElse[d]
		switch {
		case !ok:
		case x.expr == nil || y.expr == nil:
			ix.values[d] = indexValue{nil, x.born, false}
		case sameExpr(x.expr, y.expr):
			x.branch = x.branch || y.branch
			ix.values[d] = x
		case isPointer(d) || !isIndex(test):
			ix.values[d] = indexValue{nil, x.born, false}
		default:
			ix.values[d] = indexValue{cond{s.cond.at(), test, x.expr, y.expr}, x.born, true}
		}
	}
	return s
}

// loop reads the body of f with what is known in all of its iterations.
func (ix *indexer) loop(f forStmt) stmt {
	ix.impure = true
	sums := ix.sums
	ix.sums = true
	if f.init != nil {
		f.init = mapStmt(f.init, func(e expr) expr {
			if a, ok := e.(assign); ok && a.y != nil {
				a.y = ix.rewritten(a.y, true)
				return a
			}
			return ix.rewritten(e, true)
		})
	}
	ix.forget(f)
	if f.cond != nil {
		f.cond = ix.rewritten(f.cond, true)
	}
	ix.sums = sums
	if f.body = ix.stmt(f.body); f.body == nil {
		f.body = block{where: f.where}
	}
	ix.forget(f)
	return f
}

// forget drops the values of what s sets, and those that are computed of it.
func (ix *indexer) forget(s stmt) {
	eachStmt(s, func(s stmt) {
		if d, ok := s.(declStmt); ok {
			for _, v := range d.vars {
				ix.drop(v.decl)
			}
		}
		if f, ok := s.(forStmt); ok && iteratorOf(f) != nil {
			ix.drop(iteratorOf(f))
		}
	})
	eachExprIn(s, func(e expr) {
		switch e := e.(type) {
		case assign:
			if x, ok := e.x.(ident); ok && x.decl != nil {
				ix.drop(x.decl)
			}
		case unary:
			if x, ok := e.x.(ident); ok && x.decl != nil && e.op == "&" {
				ix.drop(x.decl)
			}
		}
	})
}

// drop forgets the values of d and of its members, and those that are computed of them.
func (ix *indexer) drop(d *cc.Declarator) {
	of := func(x *cc.Declarator) bool { return x != nil && (x == d || ix.u.members.rootOf(x) == d) }
	for to, v := range ix.values {
		gone := of(to)
		if v.expr != nil {
			eachExpr(v.expr, func(e expr) {
				x, ok := e.(ident)
				gone = gone || ok && of(x.decl)
			})
		}
		if gone {
			ix.values[to] = indexValue{nil, v.born, false}
		}
	}
}

// set notes that d is set to e, in which values are written out.
func (ix *indexer) set(d *cc.Declarator, e expr) {
	if d == ix.result {
		ix.values[d] = indexValue{e, 0, false}
		return
	}
	born := ix.branches
	if old, ok := ix.values[d]; ok {
		born = old.born
	} else if !ix.inRegion(d) {
		born = 0
	}
	if old := ix.values[d]; old.expr != nil {
		e = mapExpr(e, func(e expr) expr {
			if isIdent(e, d) {
				return old.expr
			}
			return e
		})
	}
	ix.drop(d)
	ix.values[d] = indexValue{nil, born, false}
	switch {
	case mentions(e, d) || sizeOfExpr(e) > maxIndexSize || ix.attached(d) != "" || isVolatile(d):
	case ix.pointers[d]:
		if _, _, ok := pointer(e); ok {
			ix.values[d] = indexValue{e, born, false}
		}
	default:
		if t, ok := storedType(d.Type()); ok && !t.IsFloat() && isIndex(e) {
			ix.values[d] = indexValue{inType(e, d.Type()), born, ix.branches > born}
		}
	}
}

// maxIndexSize bounds the operators and operands of a value.
const maxIndexSize = 400
