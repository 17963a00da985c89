package frontend

import "slices"

// This file makes statements plain: those in blocks stand in one list, and jumps out of the middle of a body become
// branches of an if.

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

// withoutContinue returns what body, that of a loop, holds, with each 'continue' of it made plain.
func withoutContinue(body stmt) []stmt {
	plain, _ := lowerJumps(flatten([]stmt{body}), "'continue'")
	return plain
}

// endsEarly reports whether there is a 'continue' in body.
func endsEarly(body stmt) bool {
	return contains(body, func(s stmt) bool { return isJump(s, "'continue'") })
}

func isJump(s stmt, what string) bool {
	o, ok := s.(otherStmt)
	return ok && o.what == what
}

// jumps reports whether s, the body of a loop, has a jump of that loop, 'break' or 'continue', and not only those of loops in it.
func jumps(s stmt, what string) bool {
	switch s := s.(type) {
	case block:
		return slices.ContainsFunc(s.items, func(s stmt) bool { return jumps(s, what) })
	case ifStmt:
		return jumps(s.then, what) || s.orElse != nil && jumps(s.orElse, what)
	case otherStmt:
		return s.what == what // in a do loop that runs once it ends that
	}
	return false
}

// leavesBody reports whether s is a jump to the end of a loop's body or of a function: what follows it does not run.
func leavesBody(s stmt) bool { return isJump(s, "'return'") || isJump(s, "'continue'") }

// flatten returns the statements of ss, those in blocks too, without empty ones.
func flatten(ss []stmt) (flat []stmt) {
	for _, s := range ss {
		switch s := s.(type) {
		case nil:
		case block:
			flat = append(flat, flatten(s.items)...)
		case exprStmt:
			if s.x != nil {
				flat = append(flat, s)
			}
		case otherStmt:
			if s.isOnce() {
				once := flatten(s.inner)
				for _, what := range []string{"'continue'", "'break'"} { // which end it, and not the loop around it
					once, _ = lowerJumps(once, what)
				}
				flat = append(flat, once...)
			} else {
				flat = append(flat, s)
			}
		default:
			flat = append(flat, s)
		}
	}
	return flat
}

// isOnce reports whether s is a do loop that runs once; one without jumps, as in many macros, is a block.
func (s otherStmt) isOnce() bool {
	if s.what != "a do loop" || len(s.exprs) != 1 {
		return false
	}
	v, ok := literal(s.exprs[0])
	return ok && v == 0
}

// taken returns s, or the branch of s that runs, if s is an if of which that is known; nil for none.
func taken(s stmt) stmt {
	i, ok := s.(ifStmt)
	if !ok {
		return s
	}
	switch v, known := constantTruth(i.cond); {
	case known && v:
		return i.then
	case known:
		return i.orElse
	}
	return s
}
