package frontend

// This file rewrites the grammar of syntax.go. Nothing is changed in place, and
// every part keeps its stretch of source.

// replaced returns s with f applied to every expression in it, inside out.
func replaced(s stmt, f func(expr) expr) stmt {
	return mapStmt(s, func(e expr) expr { return mapExpr(e, f) })
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

// lowerJumps returns ss with each jump of a kind, 'return' or 'continue', made
// plain: what follows an if that may jump moves into its branches. A return with
// a value becomes a resultStmt. It reports whether the end may be reached
// without a jump.
func lowerJumps(ss []stmt, what string) (out []stmt, open bool) {
	for i, s := range ss {
		switch s := s.(type) {
		case otherStmt:
			if s.what != what {
				break
			}
			if len(s.exprs) > 0 {
				out = append(out, resultStmt{s.exprs[0].at(), s.exprs[0]})
			}
			return out, false
		case ifStmt:
			if !contains(s, func(s stmt) bool { return isJump(s, what) }) {
				break
			}
			then, open1 := lowerJumps(append(flatten([]stmt{s.then}), ss[i+1:]...), what)
			orElse, open2 := lowerJumps(append(flatten([]stmt{s.orElse}), ss[i+1:]...), what)
			return append(out, ifStmt{s.where, s.cond, block{s.where, then}, block{s.where, orElse}}), open1 || open2
		}
		out = append(out, s)
	}
	return out, true
}

func isJump(s stmt, what string) bool {
	o, ok := s.(otherStmt)
	return ok && o.what == what
}
