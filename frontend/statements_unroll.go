package frontend

import (
	"modernc.org/cc/v4"

	"github.com/hexcc/hexcc/scop"
)

// This file writes out a small loop inside of a body, iteration by iteration, with its variable as a number. One that may end by a break: see statements_leave.go.

// unroll adds the iterations of f to the actions.
func (sr *statementReader) unroll(f forStmt) {
	d := iteratorOf(f)
	if d == nil {
		sr.noIterator(f)
		return
	}
	by, ok := stepOf(f.step, d)
	t, isNumber := storedType(d.Type())
	t = calculated(t)
	from, why := sr.linear(initOrZero(f), sr.place())
	if !ok || by == 0 || !isNumber || t.IsFloat() || f.cond == nil || initOf(f) == nil || why != nil || !from.isConstant() {
		sr.errorf("HX102", f.head, windowRule, "give each loop its own nest in the time loop, or write the inner loop out", "this loop stands beside other statements of its nest, and its bounds are not numbers")
		return
	}
	if !sr.checkAttached(ident{firstPart(f.init), d.Name(), d}) {
		return
	}
	old, outer := sr.n.locals[d], sr.going
	defer func() {
		if sr.n.locals[d], sr.going = old, outer; old == nil {
			delete(sr.n.locals, d)
		}
	}()
	body, ok := sr.leavable(f)
	if !ok {
		return
	}
	leave := func(v int64) { // to what is declared before the loop
		own := sr.n.locals[d]
		sr.n.locals[d] = old
		sr.assignment(assign{f.head, "=", ident{f.head, d.Name(), d}, number{f.head, "", "", d.Type(), cc.Int64Value(v), d.Name(), nil}})
		sr.n.locals[d] = own
	}
	for v, count := from.c, 0; ; v, count = v+by, count+1 {
		value := constant(v)
		sr.n.locals[d] = &local{name: d.Name(), typ: t, set: true, assigned: true, alias: scop.Const{T: t, I: v}, value: &value}
		more, known := sr.decide(f.cond, sr.place())
		if !known || count > maxUnroll {
			sr.errorf("HX102", f.cond.at(), windowRule, "give each loop its own nest in the time loop, or write the inner loop out",
				"condition '%s' of a loop inside a body is not decided by numbers", sr.textOf(f.cond))
			return
		}
		if !more && count == 0 {
			sr.leftOut(f.body, f.cond, true)
		}
		if !more && old != nil { // it is declared before the loop, which leaves its end in it
			sr.whileGoing(count, func() { leave(v) })
		}
		if !more {
			return
		}
		if len(sr.actions) > maxActions {
			sr.tooLong(f)
			return
		}
		errs := len(sr.errs)
		sr.whileGoing(count, func() {
			if old != nil && sr.going != nil {
				leave(v)
			}
			sr.bodyStmts(body)
		})
		if len(sr.errs) > errs {
			return // the other iterations would repeat it
		}
	}
}

func initOrZero(f forStmt) expr {
	if e := initOf(f); e != nil {
		return e
	}
	return numberAt(f.head, 0)
}
