package frontend

import (
	"fmt"
	"slices"

	"modernc.org/cc/v4"
)

// This file makes perfect nests of what the time loop holds. Loops that hold
// loops beside other statements are separated into one nest for each stretch of
// statements and each inner loop; that this keeps the meaning is proved when all
// accesses are known.

// A piece is a perfect nest on its way: loops, outside in, around statements.
type piece struct {
	heads []forStmt
	path  []int // identifies the loops: pieces with equal beginnings share them
	body  []stmt
	early int // so many statements at the beginning of body were copied from before it
	turns []turn
}

// pieces returns the perfect nests of body, statements inside loops, in order.
// before are statements that set locals only, which every nest repeats.
func (nr *nestReader) pieces(body []stmt, heads []forStmt, path []int, before []stmt) (all []piece) {
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
			all = append(all, piece{heads: heads, path: path, body: slices.Concat(prefix, run), early: len(prefix)})
		}
		prefix = slices.Concat(prefix, slices.DeleteFunc(slices.Clone(run), func(s stmt) bool { return !setsLocalsOnly(s) }))
		run = nil
	}
	stores := slices.ContainsFunc(body, func(s stmt) bool { _, isLoop := s.(forStmt); return !isLoop && !setsLocalsOnly(s) })
	for _, s := range body {
		if !nr.isNestLoop(s, len(heads) == 0 || !stores) {
			run = append(run, s)
			continue
		}
		flush()
		forget := forgetStmt{firstPart(s), assignedIn(s)}
		all = append(all, nr.piecesOf(s, heads, path, append(prefix[:len(prefix):len(prefix)], forget))...)
		prefix = append(prefix, forget)
	}
	flush()
	return all
}

// piecesOf returns the nests of s, which is or holds loops of its own.
func (nr *nestReader) piecesOf(s stmt, heads []forStmt, path []int, prefix []stmt) []piece {
	switch s := s.(type) {
	case forStmt:
		if nr.components[s.head] {
			return nr.inTurns(s, heads, path, prefix)
		}
		nr.loopIDs++
		heads, path = append(heads[:len(heads):len(heads)], s), append(path[:len(path):len(path)], nr.loopIDs)
		body := flatten([]stmt{s.body})
		if len(body) == 0 {
			nr.errorf("HX102", s.head, shapeRule, "remove it", "this loop is empty")
			return nil
		}
		return nr.pieces(body, heads, path, prefix)
	case ifStmt:
		then := nr.pieces(flatten([]stmt{s.then}), heads, path, prefix)
		orElse := nr.pieces(flatten([]stmt{s.orElse}), heads, path, prefix)
		nr.checkTest(s)
		for i, p := range then {
			then[i] = p.inside(s.cond, s.where)
		}
		for i, p := range orElse {
			orElse[i] = p.inside(unary{s.cond.at(), "!", s.cond}, s.where)
		}
		return append(then, orElse...)
	}
	panic(fmt.Sprintf("frontend: piecesOf: %T is no loop", s))
}

// inside returns p with its body in an if.
func (p piece) inside(test expr, w where) piece {
	body := slices.Clone(p.body[:p.early])
	p.body = append(body, ifStmt{w, test, block{w, p.body[p.early:]}, nil})
	return p
}

// checkTest reports a condition around loops that the loops may change.
func (ns *notes) checkTest(s ifStmt) {
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
			ns.errorf("HX116", s.cond.at(), "each iteration tests the condition by itself, so the loops must not change it", "test a copy of the value in another array, with --fallback=space",
				"the condition around these loops depends on '%s', which they change", x.name)
		}
	})
}

// isNestLoop reports whether s is a loop of a nest, or an if around some, not a
// small loop that is written out. apart says that no elements are set beside it.
func (lr *loopReader) isNestLoop(s stmt, apart bool) bool {
	switch s := s.(type) {
	case forStmt:
		if lr.components[s.head] {
			return contains(s.body, func(s stmt) bool { _, loop := s.(forStmt); return loop && lr.isNestLoop(s, true) })
		}
		return !lr.isWindow(s) || apart && lr.placesElements(s)
	case ifStmt:
		return slices.ContainsFunc(append(flatten([]stmt{s.then}), flatten([]stmt{s.orElse})...), func(s stmt) bool { return lr.isNestLoop(s, apart) })
	}
	return false
}

// assignedIn returns the scalars that s sets, but for those that it declares.
func assignedIn(s stmt) (ds []*cc.Declarator) {
	own := map[*cc.Declarator]bool{}
	eachStmt(s, func(s stmt) {
		if d, ok := s.(declStmt); ok {
			for _, v := range d.vars {
				own[v.decl] = true
			}
		}
		if f, ok := s.(forStmt); ok {
			own[iteratorOf(f)] = true
		}
	})
	eachExprIn(s, func(e expr) {
		if a, ok := e.(assign); ok {
			if x, ok := a.x.(ident); ok && x.decl != nil && !own[x.decl] {
				ds = append(ds, x.decl)
			}
		}
	})
	return ds
}

// placesElements reports whether the variable of f tells the elements apart that
// its body sets, and the body gathers nothing in a scalar.
func (sv *survey) placesElements(f forStmt) bool {
	d := iteratorOf(f)
	sets, places := false, true
	eachExprIn(f.body, func(e expr) {
		a, ok := e.(assign)
		if !ok {
			return
		}
		if _, scalar := a.x.(ident); scalar {
			return
		}
		used := false
		eachExpr(a.x, func(e expr) { used = used || isIdent(e, d) })
		sets, places = true, places && used
	})
	_, gathers := sv.gathered(f.body)
	return sets && places && !gathers
}

// gathered returns the first place where s sets a scalar that is not its own and
// may hold, at the beginning of s, what an earlier iteration left in it.
func (sv *survey) gathered(s stmt) (x ident, found bool) {
	carries := map[*cc.Declarator]bool{}
	for _, d := range assignedIn(s) {
		if _, seen := carries[d]; !seen && !sv.iterators[d] {
			u := &liveness{source: sv.source, decl: d, inside: true}
			u.stmt(s)
			carries[d] = u.fate != killed
		}
	}
	eachExprIn(s, func(e expr) {
		if a, ok := e.(assign); ok && !found {
			if y, ok := a.x.(ident); ok && carries[y.decl] {
				x, found = y, true
			}
		}
	})
	return x, found
}

// setsLocalsOnly reports whether s does nothing but set scalars.
func setsLocalsOnly(s stmt) bool {
	only := true
	eachStmt(s, func(s stmt) {
		switch s.(type) {
		case declStmt, exprStmt, ifStmt, block, forStmt, forgetStmt:
		default:
			only = false
		}
	})
	eachExprIn(s, func(e expr) {
		switch e := e.(type) {
		case assign:
			if _, ok := e.x.(ident); !ok {
				only = false
			}
		}
	})
	return only
}

// maxParts bounds the nests that the conditions of one nest make of it.
const maxParts = 24

// read returns the nests of p, inside the time loop: one if each instance can
// test the conditions, or else one for each way through them.
func (nr *nestReader) read(p piece, time loop) []*nest {
	start := nr.mark()
	whole := part{body: p.body, early: p.early}
	n := nr.nest(p, time, whole)
	if !hasChoice(p.body) {
		return nr.ends(n, p, time)
	}
	inside := n != nil && nr.declaredContext().staysInside(n)
	if inside && !nr.declaredContext().meets(n, n) {
		return nr.ends(n, p, time)
	}
	proto := nr.heads(p, time)
	if proto == nil {
		return one(n)
	}
	parts := nr.parts(proto, p)
	if len(parts) == 0 {
		return one(n)
	}
	nr.back(start)
	var all []*nest
	for _, q := range parts {
		if m := nr.nest(p, time, q); m != nil {
			all = append(all, m)
		}
	}
	if inside && nr.declaredContext().anyBackward(all) { // a later stage tells what is wrong, if the whole is wrong too
		nr.back(start)
		return one(nr.nest(p, time, whole))
	}
	return all
}

// anyBackward reports whether all cannot run one after the other: see backward.
func (cx context) anyBackward(all []*nest) bool {
	for i, m := range all {
		for _, n := range all[i+1:] {
			if x, _ := cx.backward(m, n); x != nil {
				return true
			}
		}
	}
	return false
}

func one(n *nest) []*nest {
	if n == nil {
		return nil
	}
	return []*nest{n}
}

// parts returns the parts of p by all its affine conditions, without those that
// never run. There are none where there are too many, or no such conditions.
func (nr *nestReader) parts(n *nest, p piece) []part {
	work, done := []part{{body: p.body, early: p.early}}, []part{}
	if _, ok := nr.divide(n, work[0]); !ok {
		return nil
	}
	var dropped []idle
	fr := nr.frame().with(n.loops)
	for len(work) > 0 && len(work)+len(done) <= maxParts {
		q := work[0]
		work = work[1:]
		more, ok := nr.divide(n, q)
		if !ok {
			done = append(done, q)
			continue
		}
		fr = nr.frame().with(n.loops)
		more = slices.DeleteFunc(more, func(q part) bool {
			if !slices.ContainsFunc(q.body, func(s stmt) bool { return !setsLocalsOnly(s) }) {
				return true
			}
			instances := fr.points(slices.Concat(n.rows, q.rows), "0 = 0")
			if instances.IsEmpty() {
				dropped = append(dropped, idle{leaves(q.body), instances})
				return true
			}
			return false
		})
		work = append(more, work...)
	}
	if len(work) > 0 {
		return nil
	}
	nr.leftOutOf(done, dropped)
	return done
}

func hasChoice(body []stmt) (found bool) {
	for _, s := range body {
		eachExprIn(s, func(e expr) {
			switch e := e.(type) {
			case cond:
				found = true
			case binary:
				found = found || e.op == "&&" || e.op == "||"
			}
		})
		found = found || contains(s, func(s stmt) bool { _, ok := s.(ifStmt); return ok })
	}
	return found
}

// heads reads the loops of p.
func (nr *nestReader) heads(p piece, time loop) *nest {
	n := newNest(time)
	n.path, n.turns = p.path, p.turns
	n.stmt.Pos = nr.f.span(posOf(p))
	for _, f := range p.heads {
		l, _ := nr.loop(f, n, false)
		if l.decl == nil {
			return nil // what stands in the loop makes no sense without its variable
		}
		n.loops = append(n.loops, l)
	}
	for _, l := range n.loops {
		n.rows = append(n.rows, l.rows...)
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
func (nr *nestReader) nest(p piece, time loop, q part) *nest {
	before := len(nr.errs)
	n := nr.heads(p, time)
	if n == nil {
		return nil
	}
	n.rows = nr.needed(n, append(n.rows, q.rows...), len(q.rows) > 0)
	newStatementReader(nr.storage, n).read(q.body, q.early)
	if len(nr.errs) > before {
		return nil
	}
	return n
}

// needed returns rows without those that others imply, if any were added. The
// bounds of a loop stay bounds over the loops around it: rows with inner iterators do not count.
func (nr *nestReader) needed(n *nest, rows []linear, added bool) []linear {
	if !added {
		return rows
	}
	fr := nr.frame().with(n.loops)
	for i := len(rows) - 1; i >= 0; i-- {
		at := innermost(rows[i], n.loops)
		var others []linear
		for k, r := range rows {
			if k != i && innermost(r, n.loops) <= at {
				others = append(others, r)
			}
		}
		if fr.proves(others, rows[i]) {
			rows = slices.Delete(slices.Clone(rows), i, i+1)
		}
	}
	return rows
}

// innermost returns the number of the innermost loop whose variable is in r, -1 if there is none.
func innermost(r linear, loops []loop) int {
	at := -1
	for i, l := range loops {
		if r.v[l.decl] != 0 {
			at = i
		}
	}
	return at
}
