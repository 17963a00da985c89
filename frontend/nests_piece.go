package frontend

import (
	"fmt"
	"slices"
)

// This file makes perfect nests of what the time loop holds. Loops that hold
// loops beside other statements are separated into one nest for each stretch of
// statements and each inner loop; that this keeps the meaning is proved when all
// accesses are known.

// pieces returns the perfect nests of body, in order.
// before are statements that set locals only, which every nest repeats.
func (nr *nestReader) pieces(body []stmt, in around, before []stmt) (all []piece) {
	body = nr.writtenOut(body)
	var run []stmt // statements since the last loop
	prefix := slices.Clone(before)
	flush := func() {
		for _, s := range run {
			if setsLocalsOnly(s) {
				nr.checkEffects(s)
			}
		}
		if slices.ContainsFunc(run, func(s stmt) bool { return !setsLocalsOnly(s) }) {
			all = append(all, piece{around: in, body: slices.Concat(prefix, run), early: len(prefix)})
		}
		prefix = slices.Concat(prefix, slices.DeleteFunc(slices.Clone(run), func(s stmt) bool { return !setsLocalsOnly(s) }))
		run = nil
	}
	stores := slices.ContainsFunc(body, func(s stmt) bool { _, isLoop := s.(forStmt); return !isLoop && !setsLocalsOnly(s) })
	for _, s := range body {
		if !nr.isNestLoop(s, len(in.heads) == 0 || !stores) {
			run = append(run, s)
			continue
		}
		flush()
		forget := forgetStmt{firstPart(s), assignedIn(s)}
		all = append(all, nr.piecesOf(s, in, append(prefix[:len(prefix):len(prefix)], forget))...)
		prefix = append(prefix, forgetStmt{forget.where, append(forget.decls, iteratorsIn(s)...)})
	}
	flush()
	return all
}

// piecesOf returns the nests of s, which is or holds loops of its own.
func (nr *nestReader) piecesOf(s stmt, in around, prefix []stmt) []piece {
	switch s := s.(type) {
	case forStmt:
		if nr.components[s.head] {
			return nr.inTurns(s, in, prefix)
		}
		if all, ok := nr.headClasses(s, in, prefix); ok {
			return all
		}
		nr.loopIDs++
		body := flatten([]stmt{s.body})
		if len(body) == 0 {
			nr.errorf("HX102", s.head, shapeRule, "remove it", "this loop is empty")
			return nil
		}
		return nr.pieces(body, in.inside(s, nr.loopIDs), prefix)
	case ifStmt:
		then := nr.pieces(flatten([]stmt{s.then}), in, prefix)
		orElse := nr.pieces(flatten([]stmt{s.orElse}), in, prefix)
		nr.checkTest(s)
		for i, p := range then {
			then[i] = p.under(s.cond, s.where)
		}
		for i, p := range orElse {
			orElse[i] = p.under(unary{s.cond.at(), "!", s.cond}, s.where)
		}
		return append(then, orElse...)
	}
	panic(fmt.Sprintf("frontend: piecesOf: %T is no loop", s))
}

// checkTest reports a condition around loops that the loops may change.
func (nr *nestReader) checkTest(s ifStmt) {
	stored := map[string]bool{}
	eachExprIn(s, func(e expr) {
		if a, ok := e.(assign); ok {
			if p, ok := lvalue(a.x); ok {
				stored[p.root.name] = true
			}
		}
	})
	eachExpr(s.cond, func(e expr) {
		if x, ok := e.(ident); ok && stored[x.name] {
			nr.errorf("HX116", s.cond.at(), "each iteration tests the condition by itself, so the loops must not change it", "test a copy of the value in another array, with --fallback=space",
				"the condition around these loops depends on '%s', which they change", x.name)
		}
	})
}

// read returns the nests of p, inside the time loop: one if each instance can
// test the conditions, or else one for each way through them.
func (nr *nestReader) read(p piece) []*nest {
	if nr.byColour {
		if parts := nr.colours(p, part{body: p.body, early: p.early}); len(parts) > 1 {
			var all []*nest
			for _, q := range parts {
				side := p
				side.body = q.body
				all = append(all, nr.read(side)...)
			}
			return all
		}
	}
	start := nr.mark()
	if nr.byClass {
		p.body = slices.Concat(p.body[:p.early], nr.withTurns(p.body[p.early:]))
	}
	whole := part{body: p.body, early: p.early}
	n := nr.nest(p, whole)
	remainders := nr.callsOfFile(p.body) || slices.ContainsFunc(p.body, func(s stmt) bool { return contains(s, holdsRemainder) })
	if !hasChoice(p.body) && !remainders {
		return nr.ends(n, p)
	}
	proto := nr.heads(p)
	if proto == nil {
		return one(n)
	}
	_, wraps := nr.unwrap(proto, whole)
	_, falls := nr.classes(proto, whole)
	wraps = wraps || falls
	if !hasChoice(p.body) && !wraps {
		return nr.ends(n, p)
	}
	inside := n != nil && !wraps && nr.declaredContext().staysInside(n)
	if inside && !nr.declaredContext().meets(n, n) {
		return nr.ends(n, p)
	}
	if body, any := nr.withGuardedTurns(p.body[p.early:]); any && !inside {
		p.body = slices.Concat(p.body[:p.early], flatten(body))
	}
	var parts, small []part
	owed := nr.owing(func() { parts, small = nr.parts(proto, p) })
	if len(parts) == 0 {
		return nr.ends(n, p)
	}
	nr.back(start)
	nr.owe(owed...)
	var all []*nest
	for _, q := range small {
		nr.leaveSmall(proto, q)
	}
	for _, q := range nr.asTheyRan(proto, parts) {
		apart := []part{q}
		if nr.byColour {
			apart = nr.colours(p, q)
		}
		for _, q := range apart {
			if m := nr.nest(p, q); m != nil {
				all = append(all, m)
			}
		}
	}
	if inside && nr.declaredContext().anyBackward(all) { // a later stage tells what is wrong, if the whole is wrong too
		nr.back(start)
		return one(nr.nest(p, whole))
	}
	return all
}

// heads reads the loops of p.
func (nr *nestReader) heads(p piece) *nest {
	n := newNest(p.at)
	n.path, n.turns = p.path, p.turns
	n.stmt.Pos = nr.f.span(posOf(p))
	for _, f := range p.heads {
		l, _ := nr.loop(f, n.place(), n.names, false)
		if l.decl == nil {
			return nil // what stands in the loop makes no sense without its variable
		}
		n.loops = append(n.loops, l)
	}
	for _, l := range n.loops {
		n.constraints = append(n.constraints, l.constraints...)
	}
	return n
}

func posOf(p piece) where {
	if len(p.heads) > 0 {
		return p.heads[0].head
	}
	return firstPart(p.body[p.early])
}

// nest reads part q of p. It returns nil after an error.
func (nr *nestReader) nest(p piece, q part) *nest {
	before := len(nr.errs)
	n := nr.heads(p)
	if n == nil {
		return nil
	}
	n.constraints = nr.needed(n, append(n.constraints, q.constraints...), len(q.constraints) > 0)
	nr.checkRemainders(append(p.remainders[:len(p.remainders):len(p.remainders)], q.remainders...), n.place())
	newStatementReader(nr.storage, n).read(q.body, q.early)
	if len(nr.errs) > before {
		return nil
	}
	return n
}
