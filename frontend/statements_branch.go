package frontend

import (
	"slices"

	"github.com/hexcc/hexcc/scop"
)

// This file reads an if in the body of a nest whose condition is tested by each
// instance: the branches become values. A store that may not happen stores the
// old value instead, and counts as reading it, so that dependences and copies
// see that the old value may stay.

// bodyIf adds s to the actions.
func (sr *statementReader) bodyIf(s ifStmt) {
	if v, known := sr.decide(s.cond, sr.place()); known {
		if v {
			sr.leftOut(s.orElse, s.cond, false)
			sr.bodyStmts(flatten([]stmt{s.then}))
		} else {
			sr.leftOut(s.then, s.cond, true)
			sr.bodyStmts(flatten([]stmt{s.orElse}))
		}
		return
	}
	c, ok := sr.truth(s.cond)
	if !ok {
		sr.dropped(s.cond.at())
		return
	}
	before := sr.states()
	test := sr.keep(c)
	then := sr.branch(test, s.then)
	after := sr.states()
	sr.restore(before)
	orElse := sr.branch(scop.Unary{Op: "!", X: test}, s.orElse)
	for l := range sr.all { // what both branches set is set
		l.set, l.assigned = before[l].set || after[l].set && l.set, l.assigned || after[l].assigned
	}
	if alone := len(then)+len(orElse) == 1 || len(then) == 1 && len(orElse) == 1 && sr.sameTarget(then[0], orElse[0]); alone &&
		!slices.ContainsFunc(append(then, orElse...), func(a scop.Action) bool { return !sr.outer(a) }) {
		sr.actions = sr.actions[:len(sr.actions)-1] // the condition needs no name
		test = c
	}
	sr.join(before, test, then, orElse)
}

// outer reports whether a sets something that exists outside of the branches
// that are being read: an array element, or a local from outside.
func (sr *statementReader) outer(a scop.Action) bool {
	let, ok := a.(scop.Let)
	return !ok || sr.byName[let.Name].born <= len(sr.tests)
}

// keep returns c as a local of its own, set before whatever follows.
func (sr *statementReader) keep(c scop.Expr) scop.Expr {
	l := sr.newLocal(sr.unique(sr.n.names, "c"), scop.Int, len(sr.tests))
	sr.let(l, fromBool(c))
	return scop.Binary{Op: "!=", X: l.read(), Y: scop.Const{T: scop.Int}}
}

// branch returns the actions of s, which runs where test holds.
func (sr *statementReader) branch(test scop.Expr, s stmt) []scop.Action {
	return sr.branchOf(test, func() { sr.bodyStmts(flatten([]stmt{s})) })
}

// branchOf returns the actions that read adds, which run where test holds.
func (sr *statementReader) branchOf(test scop.Expr, read func()) []scop.Action {
	outer := sr.actions
	sr.actions = nil
	sr.tests = append(sr.tests, test)
	read()
	sr.tests = sr.tests[:len(sr.tests)-1]
	actions := sr.actions
	sr.actions = outer
	return actions
}

// join adds the actions of two branches: then where test holds, orElse where it
// does not. Locals of a branch are set in any case; where both branches assign
// the same things in the same order, each is assigned once.
func (sr *statementReader) join(before map[*local]state, test scop.Expr, then, orElse []scop.Action) {
	inner := func(a scop.Action) bool { return !sr.outer(a) }
	left, right := slices.DeleteFunc(slices.Clone(then), inner), slices.DeleteFunc(slices.Clone(orElse), inner)
	if !slices.EqualFunc(left, right, sr.sameTarget) {
		assigned := map[string]bool{}
		for l, s := range before {
			assigned[l.name] = s.assigned
		}
		sr.only(assigned, test, then)
		sr.only(assigned, scop.Unary{Op: "!", X: test}, orElse)
		return
	}
	for range left {
		i, j := slices.IndexFunc(then, sr.outer), slices.IndexFunc(orElse, sr.outer)
		sr.actions = append(append(sr.actions, then[:i]...), orElse[:j]...)
		sr.joins(then[i], orElse[j])
		sr.actions = append(sr.actions, revalued(then[i], scop.Cond{C: test, X: scop.Assigned(then[i]), Y: scop.Assigned(orElse[j])}))
		then, orElse = then[i+1:], orElse[j+1:]
	}
	sr.actions = append(append(sr.actions, then...), orElse...)
}

// joins notes that stores x and y, in the branches of an if, are one in the body.
func (sr *statementReader) joins(x, y scop.Action) {
	s, ok1 := x.(scop.Store)
	t, ok2 := y.(scop.Store)
	if ok1 && ok2 && s.To.Pos.Pos != t.To.Pos.Pos {
		sr.merge(t.To.Pos.Pos, s.To.Pos.Pos)
	}
}

// only adds actions that happen where test holds. assigned are the locals that
// have some value before.
func (sr *statementReader) only(assigned map[string]bool, test scop.Expr, actions []scop.Action) {
	for _, a := range actions {
		if sr.outer(a) {
			a = revalued(a, chosen(test, scop.Assigned(a), sr.old(a, assigned)))
			if let, ok := a.(scop.Let); ok {
				assigned[let.Name] = true
			}
		}
		sr.actions = append(sr.actions, a)
	}
}

// chosen returns test ? x : old, where x may itself be such a choice.
func chosen(test, x, old scop.Expr) scop.Expr {
	if c, ok := x.(scop.Cond); ok && sameOld(c.Y, old) {
		return scop.Cond{C: scop.Binary{Op: "&&", X: test, Y: c.C}, X: c.X, Y: old}
	}
	return scop.Cond{C: test, X: x, Y: old}
}

func sameOld(x, y scop.Expr) bool {
	if v, ok := x.(scop.Var); ok {
		return v == y
	}
	r, ok1 := x.(scop.Read)
	q, ok2 := y.(scop.Read)
	return ok1 && ok2 && r.From == q.From
}

// old returns what the target of a holds before a; 0 for a local without a
// value, which nobody reads.
func (sr *statementReader) old(a scop.Action, assigned map[string]bool) scop.Expr {
	if s, ok := a.(scop.Store); ok {
		return scop.Read{From: sr.reading(s.To)}
	}
	let := a.(scop.Let)
	if !assigned[let.Name] {
		return scop.Const{T: let.Type}
	}
	return sr.byName[let.Name].read()
}

// reading returns the access that reads what w writes.
func (sr *statementReader) reading(w *scop.Access) *scop.Access {
	x := sr.byAccess[w]
	for _, r := range sr.n.olds {
		if r.of == w {
			return r.read
		}
	}
	acc := *w
	acc.Write = false
	copied := *x
	copied.Access = &acc
	copied.index = slices.Clone(x.index)
	sr.byAccess[&acc] = &copied
	sr.n.olds = append(sr.n.olds, oldValue{w, &acc})
	return &acc
}

// revalued returns a with another value.
func revalued(a scop.Action, v scop.Expr) scop.Action {
	if s, ok := a.(scop.Store); ok {
		return scop.Store{To: s.To, Value: v}
	}
	l := a.(scop.Let)
	l.Value = v
	return l
}

// sameTarget reports whether x and y set the same thing for certain.
func (sr *statementReader) sameTarget(x, y scop.Action) bool {
	switch x := x.(type) {
	case scop.Let:
		y, ok := y.(scop.Let)
		return ok && x.Name == y.Name
	case scop.Store:
		y, ok := y.(scop.Store)
		if !ok {
			return false
		}
		to, other := sr.byAccess[x.To], sr.byAccess[y.To]
		return to.array == other.array && to.flat == nil && other.flat == nil && slices.EqualFunc(to.index, other.index, func(s, t subscript) bool {
			return s.mod == t.mod && s.equal(t.linear)
		})
	}
	return false
}
