package frontend

import (
	"fmt"
	"slices"

	"modernc.org/cc/v4"

	"github.com/hexcc/hexcc/diag"
	"github.com/hexcc/hexcc/poly"
	"github.com/hexcc/hexcc/scop"
)

// This file reads loops in steps of more than 1 beside loops in steps of 1 on the same
// array. Counted by their iterations, such loops are any distance apart. So the former
// run in steps of 1, too, and test which iterations are their own.

// hasDense reports whether p, whose loops in steps count their iterations, uses one
// dimension of an array that it writes with different factors.
func hasDense(p *scop.Program) bool {
	type dim struct {
		array *scop.Array
		dim   int
	}
	factors := map[dim]int64{}
	for _, s := range p.Stmts {
		for _, x := range s.Accesses {
			for k, i := range x.Index {
				for at, c := range i.Iters {
					if at == 0 || c == 0 || i.Mod > 0 || x.Array.Const {
						continue
					}
					key := dim{x.Array, k}
					if f := factors[key]; f != 0 && f != max(c, -c) {
						return true
					}
					factors[key] = max(c, -c)
				}
			}
		}
	}
	return false
}

// orDense returns m, or, where loops in steps stand beside others, what r becomes if all
// run in steps of 1, if that is sound.
func (m made) orDense(v variant) made {
	if m.p == nil || len(m.counts) == 0 || !hasDense(m.p) {
		return m
	}
	v.dense = true
	dense := v.read(m.f, m.u, m.r, m.o)
	if dense.p == nil || hasDense(dense.p) || dense.guessed || conflicts(dense.p) {
		return m
	}
	return dense
}

// conflicts reports whether two iterations of a nest, in one time step, use one element,
// and not both only read it.
func conflicts(p *scop.Program) bool {
	found := false
	err := poly.Limited(func() error {
		found = slices.ContainsFunc(p.Stmts, func(s *scop.Stmt) bool { return meetsItself(p, s) })
		return nil
	})
	return found || err != nil
}

func meetsItself(p *scop.Program, s *scop.Stmt) bool {
	for _, x := range s.Accesses {
		for _, y := range s.Accesses {
			if !x.Write || x.Array != y.Array {
				continue
			}
			both := x.Map.ApplyRange(y.Map.Inverse()).IntersectParams(p.Context)
			for k := 1; k < len(s.Iters); k++ {
				for _, order := range []string{"<", ">"} {
					rows := fmt.Sprintf("x0 = y0 and x%d %s y%d", k, order, k)
					if !both.Intersect(poly.MustMap(pairText(s, s, rows))).IsEmpty() {
						return true
					}
				}
			}
		}
	}
	return false
}

// denseLoops returns s with the loops in it that run in steps of more than 1, but for
// those that are written out, in steps of 1: their bodies test whether it is their turn.
func (ar *affineReader) denseLoops(s stmt) stmt {
	switch s := s.(type) {
	case block:
		s.items = mapAll(s.items, ar.denseLoops)
		return s
	case ifStmt:
		s.then = ar.denseLoops(s.then)
		if s.orElse != nil {
			s.orElse = ar.denseLoops(s.orElse)
		}
		return s
	case forStmt:
		s.body = ar.denseLoops(s.body)
		d := iteratorOf(s)
		by, ok := stepOf(s.step, d)
		first := initOf(s)
		if !ok || by >= -1 && by <= 1 || first == nil || ar.isWindow(s) {
			return s
		}
		return ar.denseLoop(s, d, first, by)
	}
	return s
}

// denseLoop returns loop s over d, from first in steps of by, in steps of 1.
func (ar *affineReader) denseLoop(s forStmt, d *cc.Declarator, first expr, by int64) stmt {
	w := s.step.at()
	x := ident{w, d.Name(), d}
	op, from, to := "++", first, expr(x)
	if by < 0 {
		op, from, to = "--", to, from
	}
	literal := func(v int64) expr { return number{w, fmt.Sprint(v), "", nil, cc.Int64Value(v), ""} }
	turn := binary{w, "==", binary{w, "%", binary{w, "-", to, from}, literal(max(by, -by))}, literal(0)}
	ar.errs = append(ar.errs, &diag.Diagnostic{Severity: diag.Remark, Code: "HX202", At: ar.f.span(s.head),
		Msg: fmt.Sprintf("this loop runs in steps of 1 and tests whether it is the turn of '%s', since loops in steps of 1 use the same arrays", d.Name())})
	s.step = assign{w, op, x, nil}
	s.body = block{s.body.at(), []stmt{ifStmt{s.body.at(), turn, s.body, nil}}}
	return s
}
