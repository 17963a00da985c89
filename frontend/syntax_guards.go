package frontend

import (
	"slices"

	"modernc.org/cc/v4"
)

// This file finds conditions that keep reads inside of an array.

// guardsElements reports whether s uses elements of arrays that are no constants under a condition about something else than such elements and
// turns, the variables of loops between numbers: in the branches of an if, on the right of && and ||, or on one side of ?:.
func guardsElements(s stmt, turns []*cc.Declarator) (found bool) {
	if branch, ok := s.(ifStmt); ok && isAboutPlace(branch.cond, turns) {
		for _, b := range []stmt{branch.then, branch.orElse} {
			if b != nil {
				eachExprIn(b, func(e expr) { found = found || readsData(e) })
			}
		}
	}
	for _, e := range exprsOf(s) {
		eachExpr(e, func(e expr) {
			switch e := e.(type) {
			case binary:
				found = found || (e.op == "&&" || e.op == "||") && readsData(e.y) && isAboutPlace(e.x, turns)
			case cond:
				found = found || (readsData(e.x) || readsData(e.y)) && isAboutPlace(e.c, turns)
			}
		})
	}
	return found
}

// isAboutPlace reports whether a part of condition e says something of variables other than turns, and uses no element of an array.
func isAboutPlace(e expr, turns []*cc.Declarator) bool {
	switch x := e.(type) {
	case binary:
		if x.op == "&&" || x.op == "||" {
			return isAboutPlace(x.x, turns) || isAboutPlace(x.y, turns)
		}
	case unary:
		if x.op == "!" {
			return isAboutPlace(x.x, turns)
		}
	}
	others := false
	eachExpr(e, func(e expr) {
		x, ok := e.(ident)
		others = others || ok && !slices.Contains(turns, x.decl)
	})
	return others && !readsData(e)
}

// isConstElement reports whether x is an element of a constant array.
func isConstElement(x index) bool {
	p, ok := lvalue(x)
	return ok && (p.root.decl.IsConst() || p.typ.Attributes() != nil && p.typ.Attributes().IsConst())
}

// readsData reports whether e calls a function or uses an element of an array that is no constant: an index may be computed by constants.
func readsData(e expr) (found bool) {
	eachExpr(e, func(e expr) {
		switch e := e.(type) {
		case index:
			found = found || !isConstElement(e)
		case call:
			found = true
		}
	})
	return found
}
