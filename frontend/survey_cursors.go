package frontend

import (
	"maps"

	"modernc.org/cc/v4"
)

// This file follows integers that count through a small array of a body, such as where the neighbours of a point are gathered to be sorted:
//
//	int k = 0;                                  v_0 = in[i - 1][j - 1];
//	for (int dy = -1; dy <= 1; dy++)      =>    v_1 = in[i - 1][j];
//	  for (int dx = -1; dx <= 1; dx++)          ..
//	    v[k++] = in[i + dy][j + dx];            v_8 = in[i + 1][j + 1];
//
// Loops that move them are written out, and so their values are numbers wherever conditions are.

// follow returns s, an assignment or a call, with numbers in place of the cursors that it moves on its way, and what sets these to their values; it notes the values that
// cursors have behind it.
func (sc *scratch) follow(s exprStmt) []stmt {
	if a, ok := s.x.(assign); ok {
		if k, ok := a.x.(ident); ok && k.decl != nil {
			sc.set(k.decl, a)
			return []stmt{s}
		}
	}
	var moved []assign
	chooses := false
	eachExpr(s.x, func(e expr) {
		switch e := e.(type) {
		case assign:
			if k, ok := e.x.(ident); ok {
				if _, known := sc.cursors[k.decl]; known {
					moved = append(moved, e)
				}
			}
		case cond:
			chooses = true
		case binary:
			chooses = chooses || e.op == "&&" || e.op == "||"
		}
	})
	if len(moved) == 0 {
		return []stmt{s}
	}
	k := moved[0].x.(ident)
	by, steps := stepOf(moved[0], k.decl)
	uses := 0
	eachExpr(s.x, func(e expr) {
		if isIdent(e, k.decl) {
			uses++
		}
	})
	if len(moved) > 1 || chooses || !steps || uses > 1 {
		sc.forget(s)
		return []stmt{s}
	}
	v := sc.cursors[k.decl]
	at := v + by
	if moved[0].at().first == k.at().first { // k++ is what it was before
		at = v
	}
	s.x = mapExpr(s.x, func(e expr) expr {
		if a, ok := e.(assign); ok && isIdent(a.x, k.decl) {
			return numberAt(e.at(), at)
		}
		return e
	})
	sc.cursors[k.decl] = v + by
	return []stmt{s, exprStmt{moved[0].where, assign{moved[0].where, "=", k, numberAt(moved[0].where, v+by)}}}
}

// set notes what a sets d to.
func (sc *scratch) set(d *cc.Declarator, a assign) {
	v, known := sc.cursors[d]
	delete(sc.cursors, d)
	if t, number := storedType(d.Type()); !number || t.IsFloat() || t.Size() < 4 || isVolatile(d) || d.AddressTaken() {
		return
	}
	if by, steps := stepOf(a, d); steps {
		if known {
			sc.cursors[d] = v + by
		}
		return
	}
	if v, constant := sc.constant(orNothing(a.y)); a.op == "=" && constant && -maxScratch <= v && v <= maxScratch {
		sc.cursors[d] = v
	}
}

// forget notes that s may set what it names to anything.
func (sc *scratch) forget(s stmt) {
	for d := range sc.cursors {
		if s != nil && assigns(s, d) {
			delete(sc.cursors, d)
		}
	}
}

// moves reports whether each iteration of f moves a cursor on that stands in a subscript of a small array in it.
func (sc *scratch) moves(f forStmt) bool {
	for d := range sc.cursors {
		moved, begins := false, false
		eachExprIn(f.body, func(e expr) {
			if a, ok := e.(assign); ok && isIdent(a.x, d) {
				_, steps := stepOf(a, d)
				moved, begins = true, begins || !steps
			}
		})
		if moved && !begins && sc.tellsApart(f.body, d) {
			return true
		}
	}
	return false
}

// branch returns what becomes of s; where it moves cursors under a condition that numbers decide, the branch that is taken.
func (sc *scratch) branch(s ifStmt) stmt {
	moves := false
	for d := range sc.cursors {
		moves = moves || assigns(s, d)
	}
	if v, known := sc.holds(s.cond, new(cc.Declarator), 0); known && moves {
		switch {
		case v:
			return sc.stmt(s.then)
		case s.orElse != nil:
			return sc.stmt(s.orElse)
		}
		return block{where: s.where}
	}
	s.cond = sc.expr(s.cond)
	before := maps.Clone(sc.cursors)
	s.then = sc.stmt(s.then)
	after := sc.cursors
	sc.cursors = before
	if s.orElse != nil {
		s.orElse = sc.stmt(s.orElse)
	}
	maps.DeleteFunc(sc.cursors, func(d *cc.Declarator, v int64) bool { w, known := after[d]; return !known || v != w })
	return s
}
