package frontend

import (
	"fmt"

	"modernc.org/cc/v4"

	"github.com/hexcc/hexcc/scop"
)

// This file writes out small loops inside of a body, such as those over the
// neighbours of a point, iteration by iteration in their order.

// The bounds of loops that are written out.
const (
	maxWindow = 32  // iterations of a loop that is written out for its size
	maxUnroll = 512 // iterations of any loop that is written out
)

const windowRule = "allowed inside a body: loops over one integer between numbers, at most 512 iterations"

// unroll adds the iterations of f to the body of n.
func (sr *statementReader) unroll(f forStmt) {
	d := iteratorOf(f)
	if d == nil {
		sr.noIterator(f)
		return
	}
	by, ok := stepOf(f.step, d)
	t, isNumber := numberType(d.Type())
	from, why := sr.linear(initOrZero(f), sr.place())
	if !ok || by == 0 || !isNumber || t.IsFloat() || f.cond == nil || initOf(f) == nil || why != nil || !from.isConstant() {
		sr.errorf("HX102", f.head, windowRule, "give each loop its own nest in the time loop, or write the inner loop out", "this loop stands beside other statements of its nest, and its bounds are not numbers")
		return
	}
	if !sr.checkAttached(ident{firstPart(f.init), d.Name(), d}) {
		return
	}
	old := sr.n.locals[d]
	defer func() { sr.n.locals[d] = old }()
	body, _ := lowerJumps(flatten([]stmt{f.body}), "'continue'")
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
		if !more || len(sr.actions) > maxActions {
			return
		}
		errs := len(sr.errs)
		sr.bodyStmts(body)
		if len(sr.errs) > errs {
			return // the other iterations would repeat it
		}
	}
}

func initOrZero(f forStmt) expr {
	if e := initOf(f); e != nil {
		return e
	}
	return number{f.head, "0", "", nil, cc.Int64Value(0), ""}
}

// isWindow reports whether f is to be written out: it runs between numbers, a
// few times, and so may the loops in it.
func (ar *affineReader) isWindow(f forStmt) bool {
	d := iteratorOf(f)
	by, ok := stepOf(f.step, d)
	if d == nil || !ok || by == 0 || f.cond == nil || initOf(f) == nil {
		return false
	}
	fixed := true
	eachBound(f, func(e expr) {
		switch e := e.(type) {
		case ident:
			_, isConst := ar.constValue(orNone(e.decl))
			fixed = fixed && (isConst || e.decl == d)
		case index, call:
			fixed = false
		}
	})
	return fixed && ar.trips(f, d, by) <= maxWindow && !ar.holdsLong(f)
}

// holdsLong reports whether a loop in f has bounds that writing out f does not
// make numbers: they depend on parameters, or on loops around f.
func (sym *symbols) holdsLong(f forStmt) (long bool) {
	within := map[*cc.Declarator]bool{iteratorOf(f): true}
	eachStmt(f.body, func(s stmt) {
		inner, ok := s.(forStmt)
		if !ok {
			return
		}
		within[iteratorOf(inner)] = true
		eachBound(inner, func(e expr) {
			x, ok := e.(ident)
			if !ok || within[x.decl] {
				return
			}
			_, isConst := sym.constValue(orNone(x.decl))
			_, isLocal := sym.written[x.decl]
			long = long || !isConst && !isLocal
		})
	})
	return long
}

// eachBound calls visit for the parts of the first value and the condition of f.
func eachBound(f forStmt, visit func(expr)) {
	eachExpr(initOf(f), visit)
	eachExpr(f.cond, visit)
}

// trips returns how often f runs, or more than maxWindow.
func (ar *affineReader) trips(f forStmt, d *cc.Declarator, by int64) int {
	v, ok := ar.constant(initOf(f))
	if !ok {
		return maxWindow + 1
	}
	for count := 0; count <= maxWindow; count++ {
		cond := mapExpr(f.cond, func(e expr) expr {
			if isIdent(e, d) {
				return number{e.at(), fmt.Sprint(v), "", nil, cc.Int64Value(v), ""}
			}
			return e
		})
		more, known := ar.decide(cond, place{})
		if !known {
			return maxWindow + 1
		}
		if !more {
			return count
		}
		v += by
	}
	return maxWindow + 1
}

// orNone returns d, or a variable that is no constant.
func orNone(d *cc.Declarator) *cc.Declarator {
	if d == nil {
		return new(cc.Declarator)
	}
	return d
}
