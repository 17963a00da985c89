package frontend

import (
	"maps"
	"slices"
)

// This file reads conditions that are affine: they split the instances of a nest.

// cases returns conjunctions of rows >= 0, no two of which hold together, one of
// which holds exactly where the value of e is true, or false if want is false. If
// there are none, nothing is noted of e: it is a value, and its variables scalars.
func (ar *affineReader) cases(e expr, want bool, at place) ([][]linear, bool) {
	start, params := ar.mark(), maps.Clone(ar.params)
	all, ok := ar.someCases(e, want, at)
	if !ok {
		ar.back(start)
		ar.params = params
	}
	return all, ok
}

func (ar *affineReader) someCases(e expr, want bool, at place) ([][]linear, bool) {
	switch v, known := constantTruth(e); {
	case known && v == want:
		return [][]linear{{}}, true
	case known:
		return nil, true
	}
	switch x := e.(type) {
	case unary:
		if x.op == "!" {
			return ar.cases(x.x, !want, at)
		}
	case binary:
		switch x.op {
		case "&&":
			return ar.bothCases(x, want, true, at)
		case "||":
			return ar.bothCases(x, want, false, at)
		case "<", "<=", ">", ">=", "==", "!=":
			return ar.comparison(x, want, at)
		}
	case cast:
		return nil, false
	}
	x, why := ar.linear(e, at)
	if why != nil {
		return nil, false
	}
	if !want {
		return [][]linear{{x, x.scale(-1)}}, true
	}
	return [][]linear{{x.addc(-1)}, {x.scale(-1).addc(-1)}}, true
}

// bothCases is cases for x && y, where and is true, or x || y. Of both, one
// value of x decides alone; else y does.
func (ar *affineReader) bothCases(e binary, want, and bool, at place) ([][]linear, bool) {
	decides, ok1 := ar.cases(e.x, !and, at)
	other, ok2 := ar.cases(e.x, and, at)
	then, ok3 := ar.cases(e.y, want, at)
	if !ok1 || !ok2 || !ok3 {
		return nil, false
	}
	var all [][]linear
	if want != and {
		all = append(all, decides...)
	}
	for _, c := range other {
		for _, d := range then {
			all = append(all, slices.Concat(c, d))
		}
	}
	return all, len(all) <= maxExtremes
}

func (ar *affineReader) comparison(e binary, want bool, at place) ([][]linear, bool) {
	x, why := ar.linear(e.x, at)
	y, whyNot := ar.linear(e.y, at)
	if why != nil || whyNot != nil {
		return nil, false
	}
	t := usual(intType(e.x), intType(e.y))
	ar.obligeOperand(e.x, x, t, at)
	ar.obligeOperand(e.y, y, t, at)
	op := e.op
	if !want {
		op = map[string]string{"<": ">=", "<=": ">", ">": "<=", ">=": "<", "==": "!=", "!=": "=="}[op]
	}
	d := x.sub(y)
	less, greater := d.scale(-1).addc(-1), d.addc(-1)
	switch op {
	case "<":
		return [][]linear{{less}}, true
	case "<=":
		return [][]linear{{d.scale(-1)}}, true
	case ">":
		return [][]linear{{greater}}, true
	case ">=":
		return [][]linear{{d}}, true
	case "==":
		return [][]linear{{d, d.scale(-1)}}, true
	}
	return [][]linear{{less}, {greater}}, true
}

// A part is a part of a nest: its instances that make rows >= 0, and what they run.
type part struct {
	rows  []linear
	body  []stmt
	early int // so many statements at the beginning were copied from before the nest
}

// divide returns the parts into which the first affine condition in p divides
// it, or false if there is none. within holds the loops of the nest.
func (ar *affineReader) divide(n *nest, p part) ([]part, bool) {
	for i, s := range p.body {
		e, choose := ar.choice(n, s)
		if e == nil {
			continue
		}
		var parts []part
		for _, value := range []bool{true, false} {
			rows, ok := ar.cases(e, value, n.place())
			if !ok {
				return nil, false
			}
			for _, r := range rows {
				chosen, early := flatten([]stmt{choose(value)}), p.early
				if i < early {
					early += len(chosen) - 1
				}
				body := slices.Concat(p.body[:i], chosen, p.body[i+1:])
				parts = append(parts, part{slices.Concat(p.rows, r), body, early})
			}
		}
		return parts, true
	}
	return nil, false
}

// choice returns the first affine condition in s that chooses between
// statements, between subscripts, or between values that read arrays, or that
// keeps the right side of && or || from being evaluated; and s with the choice made.
func (ar *affineReader) choice(n *nest, s stmt) (e expr, choose func(bool) stmt) {
	switch s := s.(type) {
	case ifStmt:
		if _, ok := ar.cases(s.cond, true, n.place()); ok {
			return s.cond, func(v bool) stmt {
				if v {
					return s.then
				}
				return s.orElse
			}
		}
		for k, branch := range []stmt{s.then, s.orElse} {
			for i, in := range flatten([]stmt{branch}) {
				if e, choose := ar.choice(n, in); e != nil {
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
	return ar.choiceOfValue(n, s)
}

func (ar *affineReader) choiceOfValue(n *nest, s stmt) (e expr, choose func(bool) stmt) {
	var found *cond
	var test expr
	for _, x := range exprsOf(s) {
		eachExpr(x, func(x expr) {
			if test == nil {
				test = ar.guard(x, n.place())
			}
			c, ok := x.(cond)
			if _, done := c.c.(number); done || !ok || found != nil || !readsElement(c.x) && !readsElement(c.y) && !ar.inSubscript(s, c) {
				return
			}
			if _, ok := ar.cases(c.c, true, n.place()); ok {
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
	return found.c, func(v bool) stmt {
		return replaced(s, func(e expr) expr { return decided(e, found.c, v) })
	}
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

func readsElement(e expr) (found bool) {
	eachExpr(e, func(e expr) {
		switch e.(type) {
		case index, call:
			found = true
		}
	})
	return found
}

// inSubscript reports whether c stands in a subscript of s.
func (ar *affineReader) inSubscript(s stmt, c cond) (found bool) {
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
