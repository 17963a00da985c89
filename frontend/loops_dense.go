package frontend

import (
	"fmt"

	"modernc.org/cc/v4"

	"github.com/hexcc/hexcc/diag"
)

// This file makes loops in steps of more than 1 run in steps of 1, with a test in their bodies whether it is their turn.
// That is done where they stand beside loops in steps of 1 on the same array: counted by their iterations, such loops
// are any distance apart.

// denseLoops returns s with the loops in it that run in steps of more than 1, but for
// those that are written out, in steps of 1: their bodies test whether it is their turn.
func (lr *loopReader) denseLoops(s stmt) stmt {
	switch s := s.(type) {
	case block:
		s.items = mapAll(s.items, lr.denseLoops)
		return s
	case ifStmt:
		s.then = lr.denseLoops(s.then)
		if s.orElse != nil {
			s.orElse = lr.denseLoops(s.orElse)
		}
		return s
	case forStmt:
		s.body = lr.denseLoops(s.body)
		d := iteratorOf(s)
		by, ok := stepOf(s.step, d)
		first := initOf(s)
		if !ok || by >= -1 && by <= 1 || first == nil || lr.isWindow(s) {
			return s
		}
		lr.note(&diag.Diagnostic{Severity: diag.Remark, Code: "HX202", At: lr.f.span(s.head),
			Msg: fmt.Sprintf("this loop runs in steps of 1 and tests whether it is the turn of '%s', since the points between its own are used, too", d.Name())})
		return denseLoop(s, d, first, by)
	}
	return s
}

// denseLoop returns loop s over d, from first in steps of by, in steps of 1.
func denseLoop(s forStmt, d *cc.Declarator, first expr, by int64) forStmt {
	w := s.step.at()
	x := ident{w, d.Name(), d}
	op, from, to := "++", first, expr(x)
	if by < 0 {
		op, from, to = "--", to, from
	}
	turn := binary{w, "==", binary{w, "%", binary{w, "-", to, from}, numberAt(w, abs(by))}, numberAt(w, 0)}
	s.step = assign{w, op, x, nil}
	s.body = block{s.body.at(), []stmt{ifStmt{s.body.at(), turn, s.body, nil}}}
	return s
}
