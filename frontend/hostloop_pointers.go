package frontend

import "modernc.org/cc/v4"

// This file is about pointers that text around nests sets. Ranks share out the rows of an array by their numbers, so that a pointer has to lead to the first element of one: with q = A + 1, row i of q
// would be another rank's than row i + 1 of A.

// checkPointers refuses a statement that leads a pointer to another element of an array than the first one.
func (h *hostLoops) checkPointers(s stmt) {
	if !h.failed && leadsInside(s) {
		h.refuseOnRanks(s, "this leads a pointer into an array, of which each rank has its part", "let pointers lead to the first elements of arrays, and count from there in subscripts, as in A[i + 1]")
	}
}

// leadsInside reports whether s itself, not what is in it, may lead a pointer to another element of an array than the first one.
func leadsInside(s stmt) (found bool) {
	if d, ok := s.(declStmt); ok {
		for _, v := range d.vars {
			found = found || isPointer(v.decl) && v.init != nil && !leadsToFirst(v.init)
		}
	}
	for _, e := range exprsOf(s) {
		eachExpr(e, func(e expr) {
			a, ok := e.(assign)
			found = found || ok && pointerIs(a.x) && (a.op != "=" || !leadsToFirst(a.y))
		})
	}
	return found
}

// pointerIs reports whether e is a pointer that can be set.
func pointerIs(e expr) bool {
	switch x := direct(e).(type) {
	case ident:
		return x.decl != nil && isPointer(x.decl)
	case unary:
		d := variableOf(x.x)
		return x.op == "*" && d != nil && leadsToPointers(d)
	}
	return false
}

// leadsToFirst reports whether e is a null pointer, or leads to what a variable leads to: A, &A[0][0], c ? A : B, or *a where a leads to pointers.
func leadsToFirst(e expr) bool {
	switch x := withoutCasts(direct(e)).(type) {
	case ident:
		return x.decl != nil && x.decl.Type().Kind() != cc.Function
	case cond:
		return leadsToFirst(x.x) && leadsToFirst(x.y)
	case index:
		return zeroElement(x)
	case unary:
		if x.op == "&" {
			return zeroElement(x.x)
		}
		return pointerIs(x)
	case number:
		v, ok := literal(x)
		return ok && v == 0
	}
	return false
}

// zeroElement reports whether e is A[0], A[0][0] and so on.
func zeroElement(e expr) bool {
	x, ok := direct(e).(index)
	if !ok {
		return variableOf(direct(e)) != nil
	}
	v, number := literal(x.sub)
	return number && v == 0 && zeroElement(x.base)
}
