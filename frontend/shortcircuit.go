package frontend

import (
	"modernc.org/cc/v4"

	"github.com/hexcc/hexcc/scop"
)

// This file knows that C evaluates the right side of && and || only where the
// left side does not decide: what stands there is inside of its array if it is
// so where the affine parts of the left side let it run.

// guard returns the affine part of the left side of && or || that decides
// whether the right side, which reads elements, is evaluated; nil if there is none.
func (ar *affineReader) guard(e expr, at place) expr {
	x, ok := e.(binary)
	if !ok || x.op != "&&" && x.op != "||" || !readsElement(x.y) {
		return nil
	}
	return ar.affinePart(x.op, x.x, at)
}

// affinePart returns an affine condition among those that op joins to e.
func (ar *affineReader) affinePart(op string, e expr, at place) expr {
	if _, known := constantTruth(e); known {
		return nil
	}
	if _, ok := ar.cases(e, true, at); ok {
		return e
	}
	x, ok := e.(binary)
	if !ok || x.op != op {
		return nil
	}
	if found := ar.affinePart(op, x.x, at); found != nil {
		return found
	}
	return ar.affinePart(op, x.y, at)
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

// truthNumber returns 1 or 0 as an expression.
func truthNumber(w where, v bool) number {
	if v {
		return number{w, "1", "", nil, cc.Int64Value(1), ""}
	}
	return number{w, "0", "", nil, cc.Int64Value(0), ""}
}

// constantTruth returns the value of condition e where numbers in it decide it,
// whatever its other parts are: nothing in an expression has an effect.
func constantTruth(e expr) (value, known bool) {
	switch e := e.(type) {
	case number:
		v, ok := intValue(e.val)
		return v != 0, ok
	case unary:
		if e.op == "!" {
			value, known = constantTruth(e.x)
			return !value, known
		}
	case binary:
		if e.op != "&&" && e.op != "||" {
			break
		}
		decides := e.op == "||"
		x, knownX := constantTruth(e.x)
		y, knownY := constantTruth(e.y)
		switch {
		case knownX && x == decides, knownY && y == decides:
			return decides, true
		case knownX && knownY:
			return !decides, true
		}
	}
	return false, false
}

// unevaluated returns v, the value of a condition, of which xs are the parts: what is
// wrong with those is noted, but nothing that it takes to compute them.
func (sr *statementReader) unevaluated(v bool, xs ...expr) (scop.Expr, bool) {
	obligations, good := len(sr.obligations), true
	for _, x := range xs {
		_, ok := sr.value(x)
		good = good && ok
	}
	sr.obligations = sr.obligations[:obligations]
	c := scop.Const{T: scop.Int}
	if v {
		c.I = 1
	}
	return c, good
}

// taken returns s, or the branch of s that runs, if s is an if of which that is known; nil for none.
func taken(s stmt) stmt {
	i, ok := s.(ifStmt)
	if !ok {
		return s
	}
	switch v, known := constantTruth(i.cond); {
	case known && v:
		return i.then
	case known:
		return i.orElse
	}
	return s
}
