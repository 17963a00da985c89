package frontend

import (
	"fmt"
	"slices"

	"modernc.org/cc/v4"
)

// This file is about loops that are left from their midst, by break or return under a condition: steps of a chunk never do, the host runs the one that may.

// leavesLoop reports whether s is a branch that leaves the loop, by break or return, when it has done something that no nest does.
func (h *hostLoops) leavesLoop(s ifStmt) bool {
	then := flatten([]stmt{s.then})
	if len(then) == 0 || s.orElse != nil {
		return false
	}
	last := len(then) - 1
	if !isJump(then[last], "'break'") && !isJump(then[last], "'return'") {
		return false
	}
	return !slices.ContainsFunc(then, h.holdsNests) && !slices.ContainsFunc(then[:last], func(s stmt) bool {
		_, isExpr := s.(exprStmt)
		d, isDecl := s.(declStmt)
		return !isExpr && (!isDecl || hasStatics(d))
	})
}

// jumpsOut reports whether there are jumps in body that end the loop in another way than its end, break or a branch that leavesLoop.
func (h *hostLoops) jumpsOut(body stmt) bool {
	return slices.ContainsFunc(items(body), func(s stmt) bool {
		if x, ok := s.(ifStmt); ok && h.leavesLoop(x) {
			return false
		}
		return contains(s, func(s stmt) bool {
			return isJump(s, "'return'") || isJump(s, "'goto'") || isJump(s, "a label")
		})
	})
}

// lostBehind returns a scalar that c.items[i:] set, and no step of a chunk does, if it may be read after the loop: where the loop is left in front of these,
// it has the value of the step before.
func (h *hostLoops) lostBehind(c *chunk, i int) *cc.Declarator {
	var set []*cc.Declarator
	for _, it := range c.items[i:] {
		switch {
		case it.red != nil:
			set = append(set, it.red.gathered...)
		case it.dropped:
			set = append(set, setsAny(it.stmt)...)
		}
	}
	for _, d := range set {
		if !declaredWithin(c.loop, d) && (!h.isAutomatic(d) || h.isReadOutside(c.loop, d)) {
			return d
		}
	}
	return nil
}

// isReadOutside reports whether what the function says behind loop s, or around a loop that s is in, mentions d, or whether its address is known.
func (h *hostLoops) isReadOutside(s stmt, d *cc.Declarator) (found bool) {
	body := h.r.body
	if h.of != nil {
		body = h.bodyOf(h.of)
	}
	from, to, ok := h.f.bytes(s.at())
	if !ok {
		return true
	}
	again := contains(body, func(s stmt) bool {
		if isJump(s, "a label") {
			return true
		}
		first, last, ok := h.f.bytes(s.at())
		return isLoop(s) && (!ok || first <= from && to <= last && (first < from || to < last))
	})
	eachExprIn(body, func(e expr) {
		switch e := e.(type) {
		case ident:
			at, _, ok := h.f.bytes(e.where)
			found = found || e.decl == d && (!ok || at >= to || again && at < from)
		case unary:
			found = found || e.op == "&" && isIdent(e.x, d)
		}
	})
	return found
}

// releaseAll writes, in front of s, a return, that memory is given back which loops around it hold.
func (h *hostLoops) releaseAll(s stmt) {
	if len(h.held) == 0 {
		return
	}
	from, _ := h.extent(s)
	h.upTo(from)
	for _, c := range slices.Backward(h.held) {
		h.giveBack(c)
	}
}

// giveBack writes that the memory of chunks of c is given back.
func (h *hostLoops) giveBack(c *chunk) {
	for _, g := range c.goals {
		h.line("__builtin_free(%s);", g.mask)
	}
	for _, s := range c.saves {
		h.line("__builtin_free(%s);", s.name)
	}
}

// lost says that no chunk of steps can leave d, set behind the test in s, which ends the loop.
func (h *hostLoops) lost(s stmt, d *cc.Declarator) string {
	return fmt.Sprintf("what a step sets in '%s' is used where the next one ends the loop in line %d", d.Name(), h.userLine(s))
}
