package frontend

import (
	"fmt"
	"slices"

	"modernc.org/cc/v4"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/diag"
	"github.com/hexcc/hexcc/poly"
)

// This file finds where each store of a region runs from the loops and conditions around it as they stand in the source, for
// the check of stores (comparison_reach.go). It takes no part of what makes statements: nests are not separated, conditions
// not divided into cases, functions not put in the place of their calls.

// A sight is one way to a store: the loops and conditions on it.
type sight struct {
	loops   []sightLoop
	when    truth
	unknown bool // the domain of a loop is not known
}

// A sightLoop is a loop around a store.
type sightLoop struct {
	decl         *cc.Declarator
	value, count string // what the formula calls the loop's variable and, of loops in steps, the number of the iteration
	domain       poly.Formula
}

// A lookout walks through the statements of a region.
type lookout struct {
	*symbols
	loops []sightLoop
	bad   bool // one of loops is not understood
	heads int  // that were read
	calls []*cc.FunctionDefinition
	seen  map[diag.Pos][]sight
	count int
	reads int // the values of names that were looked up
}

// maxSights bounds the ways that are looked at.
const maxSights = 2000

// sights returns the ways to each store of the region; ok is false if there are too many.
func (sc *storeCheck) sights() (seen map[diag.Pos][]sight, ok bool) {
	l := &lookout{symbols: sc.symbols, seen: map[diag.Pos][]sight{}}
	l.sequence(sc.r.stmts, always, newScope(sc.r.body, nil))
	return l.seen, l.count <= maxSights
}

// sequence walks through ss, which begin where when holds, and returns where what follows them runs.
func (l *lookout) sequence(ss []stmt, when truth, sc *scope) truth {
	for _, s := range ss {
		if l.count > maxSights {
			return when
		}
		when = l.statement(s, when, sc)
	}
	return when
}

func (l *lookout) statement(s stmt, when truth, sc *scope) truth {
	switch s := s.(type) {
	case block:
		return l.sequence(s.items, when, sc)
	case declStmt:
		for _, v := range s.vars {
			l.expr(v.init, when, sc)
		}
	case exprStmt:
		l.expr(s.x, when, sc)
	case ifStmt:
		l.expr(s.cond, when, sc)
		c := l.truth(s.cond, sc)
		then := l.sequence([]stmt{s.then}, when.and(c), sc)
		orElse := when.and(c.not())
		if s.orElse != nil {
			orElse = l.sequence([]stmt{s.orElse}, orElse, sc)
		}
		if contains(s, leavesBody) {
			return then.or(orElse)
		}
	case forStmt:
		l.loop(s, when, sc)
	case otherStmt:
		if leavesBody(s) {
			for _, e := range s.exprs {
				l.expr(e, when, sc)
			}
			return never
		}
		return l.sequence(s.inner, when, sc)
	}
	return when
}

// loop walks through f.
func (l *lookout) loop(f forStmt, when truth, sc *scope) {
	if iteratorOf(f) == nil {
		f, _ = oneCounter(f)
	}
	f, _ = countedInHead(f)
	if one, ok := l.unblocked(f); ok { // that its blocks are whole is tested
		l.statement(one, when, sc)
		return
	}
	outer, bad := l.loops, l.bad
	heads := []forStmt{f}
	of := slices.DeleteFunc(slices.Clone(l.split[f.head]), func(x splitLoop) bool { return x.decl != iteratorOf(f) })
	switch {
	case len(of) > 1: // called in several ways
		l.bad = true
	case len(of) == 1 && len(of[0].parts) > 0: // its extents have the product that f counts to
		heads = of[0].parts
	}
	for _, f := range heads {
		in, ok := l.head(f, sc)
		l.loops, l.bad = append(l.loops[:len(l.loops):len(l.loops)], in), l.bad || !ok
	}
	l.statement(f.body, when, sc)
	l.loops, l.bad = outer, bad
}

// head returns loop f with its domain.
func (l *lookout) head(f forStmt, sc *scope) (in sightLoop, ok bool) {
	l.heads++
	// With ' a name is none of C, so none of the program.
	in = sightLoop{iteratorOf(f), fmt.Sprintf("v%d'", l.heads), fmt.Sprintf("k%d'", l.heads), poly.True()}
	by, known := stepOf(f.step, in.decl)
	first, ok := l.value(initOf(f), sc)
	if in.decl == nil || !known || by == 0 || !ok || f.cond == nil {
		return in, false
	}
	v := oneSum(affine.Var(in.value))
	begins := compared(map[bool]string{true: ">=", false: "<="}[by > 0], v, first)
	if by != 1 {
		k := affine.Var(in.count)
		at, _ := first.each(oneSum(k), func(a, k affine.Sum) (affine.Sum, bool) { return a.Plus(k.Times(by)), true })
		begins = compared("==", v, at).and(compared(">=", oneSum(k), oneSum(affine.Num(0))))
	} else {
		in.count = ""
	}
	outer := l.loops
	l.loops = append(outer[:len(outer):len(outer)], in)
	goes := l.goesOn(f.cond, by, in, sc)
	l.loops = outer
	in.domain = poly.And(begins.maybe, goes.maybe)
	return in, goes.isExact()
}

// goesOn returns where a loop in steps of by does not end by condition e.
func (l *lookout) goesOn(e expr, by int64, in sightLoop, sc *scope) truth {
	c, ok := e.(binary)
	if ok && c.op == "&&" {
		return l.goesOn(c.x, by, in, sc).and(l.goesOn(c.y, by, in, sc))
	}
	if !ok || c.op != "!=" {
		return l.truth(e, sc)
	}
	x, ok1 := l.value(c.x, sc)
	y, ok2 := l.value(c.y, sc)
	if !ok1 || !ok2 || len(x) != 1 || len(y) != 1 {
		return unknownTruth(true)
	}
	if x[0].value.Minus(y[0].value).Coef(in.value)*by > 0 { // that it comes to its end is proved elsewhere
		return compared("<", x, y)
	}
	return compared(">", x, y)
}

// expr walks through e: stores, and calls of functions of the file.
func (l *lookout) expr(e expr, when truth, sc *scope) {
	switch e := e.(type) {
	case nil:
		return
	case cond:
		l.expr(e.c, when, sc)
		c := l.truth(e.c, sc)
		l.expr(e.x, when.and(c), sc)
		l.expr(e.y, when.and(c.not()), sc)
		return
	case binary:
		if e.op != "&&" && e.op != "||" {
			break
		}
		l.expr(e.x, when, sc)
		c := l.truth(e.x, sc)
		if e.op == "||" {
			c = c.not()
		}
		l.expr(e.y, when.and(c), sc)
		return
	case assign:
		if x, variable := e.x.(ident); !variable && !l.isOwn(e.x, sc) || l.isOfElement(x, sc) {
			at := l.f.span(where{e.x.at().first, e.x.at().first}).Pos
			l.seen[at] = append(l.seen[at], sight{slices.Clone(l.loops), when, l.bad})
			l.count++
		}
	case call:
		l.call(e, when, sc)
	}
	for _, x := range children(e) {
		l.expr(x, when, sc)
	}
}

// truth returns what is known of condition e.
func (l *lookout) truth(e expr, sc *scope) truth {
	switch x := e.(type) {
	case unary:
		if x.op == "!" {
			return l.truth(x.x, sc).not()
		}
	case binary:
		switch {
		case x.op == "&&":
			return l.truth(x.x, sc).and(l.truth(x.y, sc))
		case x.op == "||":
			return l.truth(x.x, sc).or(l.truth(x.y, sc))
		case isComparison(x.op):
			a, ok1 := l.value(x.x, sc)
			b, ok2 := l.value(x.y, sc)
			if ok1 && ok2 {
				return compared(x.op, a, b)
			}
			return unknownTruth(l.isData(e, sc))
		}
	}
	if v, ok := l.value(e, sc); ok {
		return compared("!=", v, oneSum(affine.Num(0)))
	}
	return unknownTruth(l.isData(e, sc))
}

// isData reports whether e is computed from elements of arrays, or from numbers that are no integers.
func (l *lookout) isData(e expr, sc *scope) (found bool) {
	eachExpr(e, func(e expr) {
		switch e := e.(type) {
		case index:
			_, _, isTable := l.tableOfPath(e)
			found = found || !isTable
		case memberExpr:
			_, _, isTable := l.tableOfPath(e)
			found = found || !isTable
		case call:
			found = true
		case number:
			t, ok := numberType(e.typ)
			found = found || ok && t.IsFloat()
		case ident:
			if e.decl == nil {
				return
			}
			t, ok := storedType(e.decl.Type())
			found = found || ok && t.IsFloat()
			if init, from := sc.find(e.decl); init != nil && !found && l.reads < maxReads {
				l.reads++
				found = l.isData(init, from)
			}
		}
	})
	return found
}

// value returns integer e over loop variables and parameters.
func (l *lookout) value(e expr, sc *scope) (choiceOfSums, bool) {
	switch e := e.(type) {
	case number:
		v, ok := intValue(e.val)
		return oneSum(affine.Num(v)), ok
	case ident:
		return l.variable(e, sc)
	case unary:
		if e.op == "!" {
			return l.truth(e, sc).number()
		}
		x, ok := l.value(e.x, sc)
		if e.op == "+" {
			return x, ok
		}
		return x.negated(), ok && e.op == "-"
	case cast:
		t, ok := numberType(e.typ)
		if !ok || t.IsFloat() {
			return nil, false
		}
		return l.value(e.x, sc)
	case binary:
		if isComparison(e.op) {
			return l.truth(e, sc).number()
		}
		x, ok1 := l.value(e.x, sc)
		y, ok2 := l.value(e.y, sc)
		if !ok1 || !ok2 {
			return nil, false
		}
		if e.op == "/" {
			return l.quotientOf(x, y)
		}
		return x.computed(e.op, y)
	case cond:
		c := l.truth(e.c, sc)
		x, ok1 := l.value(e.x, sc)
		y, ok2 := l.value(e.y, sc)
		if !c.isExact() || !ok1 || !ok2 {
			return nil, false
		}
		return x.where(c.maybe, y), true
	case index, memberExpr:
		return l.tableElement(e, sc)
	}
	return nil, false
}

// quotientOf returns x/y, which is a number or a parameter.
func (l *lookout) quotientOf(x, y choiceOfSums) (choiceOfSums, bool) {
	if len(x) != 1 || len(y) != 1 || !y[0].value.IsNum() {
		return nil, false
	}
	a, by := x[0].value, y[0].value.Const
	if a.IsNum() && by > 0 {
		return oneSum(affine.Num(a.Const / by)), true
	}
	fr := l.frame()
	for d, q := range l.quotients {
		if q.by == by && a.Equal(fr.sum(q.sum)) {
			return oneSum(affine.Var(l.params[d].Name)), true
		}
	}
	return nil, false
}

func (l *lookout) variable(e ident, sc *scope) (choiceOfSums, bool) {
	for _, in := range slices.Backward(l.loops) {
		if in.decl == e.decl {
			return oneSum(affine.Var(in.value)), true
		}
	}
	if p, ok := l.params[e.decl]; ok {
		return oneSum(affine.Var(p.Name)), true
	}
	if e.decl == nil || l.iterators[e.decl] {
		return nil, false
	}
	if d, isPassed := l.ofCaller(e.decl, sc); isPassed && d != nil {
		return l.variable(ident{e.where, e.name, d}, sc.caller)
	}
	t, ok := storedType(e.decl.Type())
	if !ok || t.IsFloat() {
		return nil, false
	}
	if init, from := sc.find(e.decl); init != nil && l.reads < maxReads {
		l.reads++
		v, ok := l.value(init, from)
		if t.IsNarrow() {
			lo, hi := t.Range()
			ok = ok && !slices.ContainsFunc(v, func(x sumWhere) bool { return !x.value.IsNum() || x.value.Const < lo || x.value.Const > hi })
		}
		return v, ok
	}
	v, ok := l.constValue(e.decl)
	return oneSum(affine.Num(v)), ok
}
