package frontend

import (
	"modernc.org/cc/v4"
)

// This file finds small loops inside of a body, such as those over the neighbours of a point, which are written out
// iteration by iteration.

// The bounds of loops that are written out.
const (
	maxWindow = 32  // iterations of a loop that is written out for its size
	maxUnroll = 512 // iterations of any loop that is written out
)

const windowRule = "allowed inside a body: loops over one integer between numbers, at most 512 iterations"

// isWindow reports whether f is to be written out: it runs between numbers, a
// few times, and so may the loops in it.
func (lr *loopReader) isWindow(f forStmt) bool {
	d := iteratorOf(f)
	by, ok := stepOf(f.step, d)
	if d == nil || !ok || by == 0 || f.cond == nil || initOf(f) == nil {
		return false
	}
	fixed := true
	eachBound(f, func(e expr) {
		switch e := e.(type) {
		case ident:
			_, isConst := lr.constValue(orNone(e.decl))
			fixed = fixed && (isConst || e.decl == d)
		case index, call:
			fixed = false
		}
	})
	return fixed && lr.trips(f, d, by) <= maxWindow && !lr.holdsLong(f) && (lr.iterations(f) <= maxActions || !lr.placesElements(f))
}

// iterations returns how often the innermost loop in f runs, of several the one that runs most often. Of a loop whose bounds depend on others
// it is not known: such loops count as the longest that are written out.
func (lr *loopReader) iterations(f forStmt) int {
	most := 1
	eachStmt(f.body, func(s stmt) {
		if inner, ok := s.(forStmt); ok {
			most = max(most, lr.iterations(inner))
		}
	})
	n := maxWindow
	d := iteratorOf(f)
	if by, ok := stepOf(f.step, d); d != nil && ok && by != 0 && f.cond != nil && initOf(f) != nil {
		n = min(n, lr.trips(f, d, by))
	}
	return min(n*most, maxActions+1)
}

// holdsLong reports whether a loop in f has bounds that writing out f does not
// make numbers: they depend on parameters, or on loops around f.
func (lr *loopReader) holdsLong(f forStmt) (long bool) {
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
			_, isConst := lr.constValue(orNone(x.decl))
			_, isLocal := lr.written[x.decl]
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
func (lr *loopReader) trips(f forStmt, d *cc.Declarator, by int64) int {
	v, ok := lr.constant(initOf(f))
	if !ok {
		return maxWindow + 1
	}
	for count := 0; count <= maxWindow; count++ {
		cond := mapExpr(f.cond, func(e expr) expr {
			if isIdent(e, d) {
				return numberAt(e.at(), v)
			}
			return e
		})
		more, known := lr.decide(cond, place{})
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

// maxActions bounds the assignments of one body, after loops are unrolled.
const maxActions = 5000
