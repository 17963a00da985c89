package frontend

import "modernc.org/cc/v4"

// This file is the grammar of C as the rest of the package sees it: what the C
// front end parsed, with its 60 productions folded into these few and a stretch
// of source on each.

// An expr is an expression. Parentheses are not kept, but widen the stretch.
type expr interface{ at() where }

// The kinds of expr.
type (
	// ident is a variable or function; decl is nil if it is not declared.
	ident struct {
		where
		name string
		decl *cc.Declarator
	}
	// number is a literal, an enumerator, a character or a sizeof; val is unknown of the size of an array of variable length.
	number struct {
		where
		text string  // spelling of a literal, else ""
		name string  // of an enumerator
		typ  cc.Type // nil: int, of an enumerator or character
		val  cc.Value
		of   string  // the loop variable that it stands for, of a loop that is written out
		size cc.Type // of a sizeof that is no constant: what it is the size of, an array of variable length
	}
	index struct {
		where
		base, sub expr
	}
	// memberExpr is x.field, or x->field; of variables it becomes an ident: see members.
	memberExpr struct {
		where
		x     expr
		field *cc.Field
		arrow bool
	}
	call struct {
		where
		fun  expr
		args []expr
	}
	unary struct { // - + ~ ! * &
		where
		op string
		x  expr
	}
	binary struct {
		where
		op   string
		x, y expr
	}
	assign struct { // op is = += ++ --, the latter two with y nil
		where
		op   string
		x, y expr
	}
	cond struct {
		where
		c, x, y expr
	}
	cast struct {
		where
		typ  cc.Type
		x    expr
		name *cc.TypeName // as written
	}
	comma struct {
		where
		xs []expr
	}
	// literalExpr is a compound literal; inner are its values in the order of list.
	literalExpr struct {
		where
		typ   cc.Type
		list  *cc.Initializer
		inner []expr
	}
	// otherExpr is what no region may hold; inner is what it is made of.
	otherExpr struct {
		where
		what  string
		inner []expr
	}
)

// A stmt is a statement or declaration.
type stmt interface{ at() where }

// The kinds of stmt.
type (
	block struct {
		where
		items []stmt
	}
	declStmt struct {
		where
		vars []varDecl
	}
	exprStmt struct {
		where
		x expr // nil: the empty statement
	}
	forStmt struct {
		where
		head       where // for (...)
		init       stmt  // nil, declStmt or exprStmt
		cond, step expr  // may be nil
		body       stmt
		divided    []expr // what must not be negative where it begins: see colourLoops
	}
	ifStmt struct {
		where
		cond         expr
		then, orElse stmt // orElse may be nil
	}
	// resultStmt gives an inlined function its value: a return, made plain by lowerJumps.
	resultStmt struct {
		where
		x expr
	}
	// forgetStmt stands where the values of variables are no longer known: see pieces.
	forgetStmt struct {
		where
		decls []*cc.Declarator
	}
	// otherStmt is what no region may hold; a region may lie in one of inner.
	otherStmt struct {
		where
		what  string
		inner []stmt
		exprs []expr
	}
)

// A varDecl is one variable of a declaration.
type varDecl struct {
	where // of the name
	decl  *cc.Declarator
	init  expr            // may be nil
	list  *cc.Initializer // nil: none
}

// children returns the expressions directly inside e.
func children(e expr) []expr {
	switch e := e.(type) {
	case index:
		return []expr{e.base, e.sub}
	case memberExpr:
		return []expr{e.x}
	case call:
		return append([]expr{e.fun}, e.args...)
	case unary:
		return []expr{e.x}
	case binary:
		return []expr{e.x, e.y}
	case assign:
		if e.y == nil {
			return []expr{e.x}
		}
		return []expr{e.x, e.y}
	case cond:
		return []expr{e.c, e.x, e.y}
	case cast:
		return []expr{e.x}
	case comma:
		return e.xs
	case literalExpr:
		return e.inner
	case otherExpr:
		return e.inner
	}
	return nil
}

// eachExpr calls f for e and every expression in it, outside in.
func eachExpr(e expr, f func(expr)) {
	if e == nil {
		return
	}
	f(e)
	for _, x := range children(e) {
		eachExpr(x, f)
	}
}

// eachStmt calls f for s and every statement in it, outside in.
func eachStmt(s stmt, f func(stmt)) {
	if s == nil {
		return
	}
	f(s)
	switch s := s.(type) {
	case block:
		for _, x := range s.items {
			eachStmt(x, f)
		}
	case forStmt:
		eachStmt(s.init, f)
		eachStmt(s.body, f)
	case ifStmt:
		eachStmt(s.then, f)
		eachStmt(s.orElse, f)
	case otherStmt:
		for _, x := range s.inner {
			eachStmt(x, f)
		}
	}
}

// exprsOf returns the expressions directly inside s.
func exprsOf(s stmt) (xs []expr) {
	add := func(e expr) {
		if e != nil {
			xs = append(xs, e)
		}
	}
	switch s := s.(type) {
	case declStmt:
		for _, v := range s.vars {
			add(v.init)
		}
	case exprStmt:
		add(s.x)
	case forStmt:
		add(s.cond)
		add(s.step)
	case ifStmt:
		add(s.cond)
	case resultStmt:
		add(s.x)
	case otherStmt:
		for _, e := range s.exprs {
			add(e)
		}
	}
	return xs
}

// unfolded returns the parts of e, if it is a list with commas.
func unfolded(e expr) []expr {
	if x, ok := e.(comma); ok {
		return x.xs
	}
	return []expr{e}
}
