package frontend

import "slices"

// This file takes a nest apart by its affine conditions, so that each part runs all of its statements:
//
//	for (i = 0; i < n; i++)                A[0] = 0;            // i = 0
//	  A[i] = i > 0 ? B[i-1] : 0;    =>     for (i = 1; i < n; i++)
//	                                         A[i] = B[i-1];
//
// A part is the constraints of the conditions on its way, and the statements with the choices made.

// maxParts bounds the nests that the conditions of one nest make of it.
const maxParts = 125

// manyParts is how many parts a nest falls apart into at most such that those are kept that only small sizes have, as where both
// ends of a dimension are near each other.
const manyParts = 27

// divide returns the parts into which the first affine condition in p divides
// it, or false if there is none. within holds the loops of the nest. What C's types require for it is owed.
func (nr *nestReader) divide(n *nest, p part) ([]part, bool) {
	if parts, ok := nr.classes(n, p); ok {
		return parts, true
	}
	within := *n
	within.constraints = slices.Concat(n.constraints, p.constraints)
	for i, s := range p.body {
		back := nr.try()
		e, choose := nr.choice(&within, s)
		back() // what is owed for e is owed below
		if e == nil {
			continue
		}
		var parts []part
		for _, value := range []bool{true, false} {
			alternatives, ok := nr.splitBy(e, value, within.place())
			if !ok {
				return nil, false
			}
			for _, r := range alternatives {
				chosen, early := flatten([]stmt{choose(value)}), p.early
				if i < early {
					early += len(chosen) - 1
				}
				body := slices.Concat(p.body[:i], chosen, p.body[i+1:])
				parts = append(parts, part{slices.Concat(p.constraints, r), body, early, p.remainders})
			}
		}
		return parts, true
	}
	return nr.unwrap(n, p)
}

// choice returns the first affine condition in s that chooses between
// statements, between subscripts, or between values that read arrays, or that
// keeps the right side of && or || from being evaluated; and s with the choice made.
func (nr *nestReader) choice(n *nest, s stmt) (e expr, choose func(bool) stmt) {
	switch s := s.(type) {
	case ifStmt:
		if _, ok := nr.splitBy(s.cond, true, n.place()); ok {
			return s.cond, func(v bool) stmt {
				if v {
					return s.then
				}
				return s.orElse
			}
		}
		if x, ok := s.cond.(binary); ok && (x.op == "&&" || x.op == "||") && !readsElement(x) {
			if test := nr.affinePart(x.op, x, n.place()); test != nil { // of i > 0 && (i + j) % 2 == 0 the first
				return test, func(v bool) stmt {
					made := s
					switch {
					case v == (x.op == "&&"):
						made.cond = others(x, x.op, test)
						return made
					case v:
						return s.then
					}
					return s.orElse
				}
			}
		}
		for k, branch := range []stmt{s.then, s.orElse} {
			for i, in := range flatten([]stmt{branch}) {
				if e, choose := nr.choice(n, in); e != nil {
					return e, func(v bool) stmt {
						items := slices.Clone(flatten([]stmt{branch}))
						items[i] = choose(v)
						made := s
						if k == 0 {
							made.then = block{s.where, items}
						} else {
							made.orElse = block{s.where, items}
						}
						return made
					}
				}
			}
		}
	case forStmt:
		return nil, nil // written out: its conditions are decided then, or tested
	}
	return nr.choiceOfValue(n, s)
}

func (nr *nestReader) choiceOfValue(n *nest, s stmt) (e expr, choose func(bool) stmt) {
	var found *cond
	var test expr
	for _, x := range exprsOf(s) {
		eachExpr(x, func(x expr) {
			if test == nil {
				test = nr.guard(x, n.place())
			}
			c, ok := x.(cond)
			if _, done := c.c.(number); done || !ok || found != nil || !readsElement(c.x) && !readsElement(c.y) && !inSubscript(s, c) {
				return
			}
			if _, ok := nr.splitBy(c.c, true, n.place()); ok {
				found = &c
			}
		})
	}
	switch {
	case found == nil && test == nil:
		return nil, nil
	case found == nil:
		return test, func(v bool) stmt {
			return taken(replaced(s, func(e expr) expr { return guardedBy(e, test, v) }))
		}
	}
	test = found.c
	if alwaysExtreme(s, found.c) {
		test = nr.atEquality(*found, n.place())
	}
	return test, func(v bool) stmt {
		return replaced(s, func(e expr) expr { return decided(e, found.c, v) })
	}
}

// alwaysExtreme reports whether all that test chooses in s is the minimum or the maximum of what it compares: where that is equal, both
// sides are.
func alwaysExtreme(s stmt, test expr) bool {
	always := true
	eachExprIn(s, func(e expr) {
		if c, ok := e.(cond); ok && sameExpr(c.c, test) {
			always = always && isExtreme(c)
		}
	})
	return always
}

// decided returns e; if it is a choice by condition test, with the number v as
// its condition: both sides stay, for its type.
func decided(e, test expr, v bool) expr {
	c, ok := e.(cond)
	if !ok || !sameExpr(c.c, test) {
		return e
	}
	return cond{c.where, truthNumber(c.c.at(), v), c.x, c.y}
}

// others returns e, conditions joined by op, without test.
func others(e expr, op string, test expr) expr {
	x, ok := e.(binary)
	if !ok || x.op != op {
		return e
	}
	switch {
	case sameExpr(x.x, test):
		return x.y
	case sameExpr(x.y, test):
		return x.x
	}
	x.x, x.y = others(x.x, op, test), others(x.y, op, test)
	return x
}

// guardedBy returns e with v in place of test, if e is a conjunction or disjunction with test.
func guardedBy(e, test expr, v bool) expr {
	x, ok := e.(binary)
	if !ok || x.op != "&&" && x.op != "||" {
		return e
	}
	if sameExpr(x.x, test) {
		x.x = truthNumber(test.at(), v)
	}
	if sameExpr(x.y, test) {
		x.y = truthNumber(test.at(), v)
	}
	return x
}

// inSubscript reports whether c stands in a subscript of s.
func inSubscript(s stmt, c cond) (found bool) {
	for _, x := range exprsOf(s) {
		eachExpr(x, func(x expr) {
			if i, ok := x.(index); ok {
				eachExpr(i.sub, func(e expr) {
					if d, ok := e.(cond); ok && sameExpr(d, c) {
						found = true
					}
				})
			}
		})
	}
	return found
}

// parts returns the parts of p by all its affine conditions, without those that
// never run. There are none where there are too many, or no such conditions. Where there are many, those that only small sizes have are apart.
// What is owed for the conditions is noted.
func (nr *nestReader) parts(n *nest, p piece) (parts, small []part) {
	owed := nr.owing(func() { parts, _ = nr.partsOf(n, p, false) })
	if len(parts) == 0 || len(parts) > manyParts {
		var some []part
		large := nr.owing(func() { some, small = nr.partsOf(n, p, true) })
		if len(some) > 0 && len(small) > 0 {
			nr.owe(large...)
			return some, small
		}
	}
	nr.owe(owed...)
	return parts, nil
}

// partsOf is parts; large says whether parts that only small sizes have are apart.
func (nr *nestReader) partsOf(n *nest, p piece, large bool) (parts, small []part) {
	work, done := []part{{body: p.body, early: p.early}}, []part{}
	back := nr.try()
	_, falls := nr.divide(n, work[0])
	if back(); !falls {
		return nil, nil
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
			instances := fr.points(slices.Concat(n.constraints, q.constraints))
			if instances.IsEmpty() {
				dropped = append(dropped, idle{leaves(q.body), instances})
				return true
			}
			if large && nr.onlySmall(n, q.constraints) {
				q.constraints = nr.whySmall(n, q.constraints)
				small = append(small, q)
				return true
			}
			return false
		})
		work = append(more, work...)
	}
	if len(work) > 0 {
		return nil, nil
	}
	nr.leftOutOf(done, dropped)
	return done, small
}

// leftOutOf notes what stands in dropped parts of a nest, and in none of those that are kept.
func (nr *nestReader) leftOutOf(kept []part, dropped []idle) {
	stays := map[where]bool{}
	for _, q := range kept {
		for _, w := range leaves(q.body) {
			stays[w] = true
		}
	}
	for _, x := range dropped {
		x.parts = slices.DeleteFunc(x.parts, func(w where) bool { return stays[w] })
		nr.leave(x)
	}
}

// needed returns constraints without those that others imply, if any were added. What is said of parameters alone bounds no loop, and goes first. Equations stay, which say where
// a border is. The bounds of a loop stay bounds over the loops around it: constraints with inner iterators do not count.
func (nr *nestReader) needed(n *nest, constraints []linear, added bool) []linear {
	if !added {
		return constraints
	}
	fr := nr.frame().with(n.loops)
	without := func(ofLoops bool) {
		for i := len(constraints) - 1; i >= 0; i-- {
			at := innermost(constraints[i], n.loops)
			opposite := constraints[i].scale(-1)
			if at >= 0 != ofLoops || ofLoops && slices.ContainsFunc(constraints, opposite.equal) {
				continue
			}
			var others []linear
			for k, r := range constraints {
				if k != i && (at < 0 || innermost(r, n.loops) <= at) {
					others = append(others, r)
				}
			}
			if fr.proves(others, constraints[i]) {
				constraints = slices.Delete(slices.Clone(constraints), i, i+1)
			}
		}
	}
	without(false)
	without(true)
	return constraints
}
