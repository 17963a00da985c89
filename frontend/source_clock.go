package frontend

import (
	"slices"
	"strings"

	"modernc.org/cc/v4"

	"github.com/hexcc/hexcc/scop"
)

// This file brings time loops of any form into the one that later stages read, a for loop over one integer: while and do
// loops, loops that end by break, several variables that count, and variables that take turns, such as cur = 1 - cur.
//
// A time loop is a list of operations that repeat: a test that ends it, an assignment to a variable that counts, or
// another statement. From such a list it is rewritten:
//
//	while (it < T) {            for (it = it; it < T; it++) {
//	  if (it == limit) break;     // limit >= it at the beginning is to be tested
//	  step(u[cur], u[1 - cur]);   step(u[(it - first) % 2], u[1 - (it - first) % 2]);
//	  it++; cur = 1 - cur;      }
//	}
//
// The assignments are taken out. What they leave in the variables, a loop with nothing else in it does: the clock.

// A timeOp is one of the operations that a time loop repeats.
type timeOp struct {
	test expr // unless it holds, the loop ends
	set  *timeSet
	stmt stmt
	of   int // the number of stmt: one that sets several variables stands here for each. Statements of a macro have one place
}

// A timeSet is an assignment to a variable that counts.
type timeSet struct {
	decl  *cc.Declarator
	value expr // over variables that count, and numbers; nil: it adds
	by    int64
	at    where // of the variable
	text  string
}

// A timeLoop is a time loop on its way to the one form.
type timeLoop struct {
	*source
	where
	head     where
	inits    []timeSet // what the head of a for loop sets, value nil: nothing; and what is set in front of the loop, in the region
	before   []stmt    // the other statements there
	ops      []timeOp
	counters map[*cc.Declarator]int64 // how much a step adds to each
	states   []*cc.Declarator         // the other variables that count
	own      map[*cc.Declarator]bool  // those that are declared in the loop
	bad      bool
}

// clocked returns r with its time loop in the one form, if there is one loop and its variables are understood; else r.
func (src *source) clocked() region {
	r := src.r
	ss := flatten(r.stmts)
	k := slices.IndexFunc(ss, isLoop)
	if k < 0 || slices.ContainsFunc(ss[k+1:], isLoop) || src.hasLabels() {
		return r
	}
	tl := &timeLoop{source: src, counters: map[*cc.Declarator]int64{}, own: map[*cc.Declarator]bool{}}
	if !tl.read(ss[k]) {
		return r
	}
	f, c, ok := tl.form(ss[:k])
	if !ok {
		return r
	}
	if plain, ok := ss[k].(forStmt); ok && tl.isPlain(plain) {
		r.clock = c
		return r
	}
	r.stmts, r.clock = slices.Concat(tl.before, []stmt{f}, ss[k+1:]), c
	return r
}

// isPlain reports whether f, the loop, counts in the variable of its head, and in no other.
func (tl *timeLoop) isPlain(f forStmt) bool {
	x := iteratorOf(f)
	last := len(tl.ops) - 1
	if x == nil || f.cond == nil || len(tl.counters) != 1 || tl.counters[x] == 0 || len(tl.states) > 0 || tl.ops[0].test == nil || tl.ops[last].set == nil {
		return false
	}
	return !slices.ContainsFunc(tl.ops[1:last], func(op timeOp) bool { return op.test != nil || op.set != nil })
}

// hasLabels reports whether the function has labels: then what stands above a place need not have run.
func (src *source) hasLabels() bool {
	return contains(src.r.body, func(s stmt) bool {
		o, ok := s.(otherStmt)
		return ok && (o.what == "a label" || o.what == "a switch")
	})
}

// read reads loop s.
func (tl *timeLoop) read(s stmt) bool {
	var body []stmt
	tl.where = s.at()
	switch s := s.(type) {
	case forStmt:
		tl.head = s.head
		if s.init != nil && !tl.setsOf(s.init, &tl.inits) {
			tl.bad = true
		}
		if s.cond != nil {
			tl.test(s.cond)
		}
		body = flatten([]stmt{s.body})
		tl.statements(body)
		if s.step != nil {
			tl.statements([]stmt{exprStmt{s.step.at(), s.step}})
		}
	case otherStmt:
		tl.head = where{s.first, s.exprs[0].at().last}
		body = flatten(s.inner)
		if s.what == "a do loop" {
			tl.head = s.where
		} else {
			tl.test(s.exprs[0])
		}
		tl.statements(body)
		if s.what == "a do loop" {
			tl.test(s.exprs[0])
		}
	}
	return !tl.bad && !slices.ContainsFunc(body, jumpsToEnd)
}

// jumpsToEnd reports whether s may end an iteration of the loop around it.
func jumpsToEnd(s stmt) bool {
	switch s := s.(type) {
	case otherStmt:
		return s.what == "'continue'" || !isLoop(s) && slices.ContainsFunc(s.inner, jumpsToEnd)
	case ifStmt:
		return jumpsToEnd(s.then) || s.orElse != nil && jumpsToEnd(s.orElse)
	case block:
		return slices.ContainsFunc(s.items, jumpsToEnd)
	}
	return false
}

// test adds the test e, and before it what it does to variables.
func (tl *timeLoop) test(e expr) {
	effects := 0
	plain := mapExpr(e, func(e expr) expr {
		a, ok := e.(assign)
		if !ok {
			return e
		}
		effects++
		x, named := a.x.(ident)
		by, adds := stepOf(a, x.decl)
		// In the expansion of a macro all has one place: x++ is not to be told from ++x.
		if !named || !adds || a.y != nil || a.first == a.last || !isCount(x.decl) || !isWide(x.decl) {
			tl.bad = true
			return e
		}
		tl.statements([]stmt{exprStmt{a.where, a}})
		if a.first == x.first { // x++
			return offset(x, -by)
		}
		return x
	})
	if c, ok := e.(binary); effects > 1 || effects == 1 && ok && (c.op == "&&" || c.op == "||") || hasCond(e) {
		tl.bad = true
	}
	tl.ops = append(tl.ops, timeOp{test: tested(plain)})
}

// tested returns e, which is asked whether it is true, as comparisons.
func tested(e expr) expr {
	switch x := e.(type) {
	case binary:
		if x.op == "&&" || x.op == "||" {
			x.x, x.y = tested(x.x), tested(x.y)
			return x
		}
		if opposite[x.op] != "" {
			return x
		}
	case unary:
		if x.op == "!" {
			return negated(tested(x.x))
		}
	}
	return binary{e.at(), "!=", e, numberAt(e.at(), 0)}
}

// offset returns e + v.
func offset(e expr, v int64) expr {
	w := e.at()
	if n, ok := literal(e); ok {
		return numberAt(w, n+v)
	}
	if b, ok := e.(binary); ok && (b.op == "+" || b.op == "-") {
		if n, ok := literal(b.y); ok && b.op == "+" {
			return offset(b.x, n+v)
		} else if ok {
			return offset(b.x, v-n)
		}
	}
	switch {
	case v > 0:
		return binary{w, "+", e, numberAt(w, v)}
	case v < 0:
		return binary{w, "-", e, numberAt(w, -v)}
	}
	return e
}

// summed returns e with the numbers in it added up.
func summed(e binary) expr {
	n, ok := literal(e.y)
	if _, sum := e.x.(binary); !sum || !ok {
		return e
	}
	switch e.op {
	case "+":
		return offset(e.x, n)
	case "-":
		return offset(e.x, -n)
	}
	return e
}

// statements adds ss.
func (tl *timeLoop) statements(ss []stmt) {
	for _, s := range ss {
		if test, rest, ok := breakIf(s); ok {
			tl.test(test)
			tl.statements(flatten([]stmt{rest}))
			continue
		}
		var sets []timeSet
		if tl.setsOf(s, &sets) {
			of := len(tl.ops)
			for _, x := range sets {
				tl.ops = append(tl.ops, timeOp{set: &x, stmt: s, of: of})
			}
			continue
		}
		tl.bad = tl.bad || breaks(s)
		tl.ops = append(tl.ops, timeOp{stmt: s, of: len(tl.ops)})
	}
}

// breakIf returns the test unless which s ends the loop, and what else s does.
func breakIf(s stmt) (test expr, rest stmt, ok bool) {
	f, ok := s.(ifStmt)
	if !ok {
		return nil, nil, false
	}
	then := flatten([]stmt{f.then})
	if len(then) != 1 || !isJump(then[0], "'break'") {
		return nil, nil, false
	}
	return unary{f.cond.at(), "!", f.cond}, f.orElse, true
}

// breaks reports whether s may end the loop around it.
func breaks(s stmt) bool {
	switch s := s.(type) {
	case otherStmt:
		return s.what == "'break'" || s.what == "'return'" || s.what == "'goto'" || !isLoop(s) && s.what != "a switch" && slices.ContainsFunc(s.inner, breaks)
	case ifStmt:
		return breaks(s.then) || s.orElse != nil && breaks(s.orElse)
	case block:
		return slices.ContainsFunc(s.items, breaks)
	}
	return false
}

// setsOf adds to sets the assignments to integer variables that s consists of; it returns false if s is anything else.
func (tl *timeLoop) setsOf(s stmt, sets *[]timeSet) bool {
	var found []timeSet
	switch s := s.(type) {
	case declStmt:
		for _, v := range s.vars {
			if v.init == nil || !isCount(v.decl) {
				return false
			}
			tl.own[v.decl] = true
			found = append(found, timeSet{v.decl, v.init, 0, v.where, tl.f.slice(s.where)})
		}
		if len(found) > 1 { // the text is that of all
			for i := range found[1:] {
				found[i+1].text = ""
			}
		}
	case exprStmt:
		xs := []expr{s.x}
		if c, ok := s.x.(comma); ok {
			xs = c.xs
		}
		for _, e := range xs {
			a, ok := e.(assign)
			x, plain := a.x.(ident)
			if !ok || !plain || x.decl == nil || !isCount(x.decl) {
				return false
			}
			a.y = foldedNumbers(a.y)
			set := timeSet{x.decl, a.y, 0, x.where, tl.textOf(a) + ";"}
			if by, ok := stepOf(a, x.decl); ok {
				set.value, set.by = nil, by
			} else if a.op != "=" {
				set.value = binary{a.where, strings.TrimSuffix(a.op, "="), x, a.y}
			}
			found = append(found, set)
		}
	}
	*sets = append(*sets, found...)
	return len(found) > 0
}

// isCount reports whether d may count steps: it is an integer, not volatile.
func isCount(d *cc.Declarator) bool {
	t, ok := storedType(d.Type())
	return ok && !t.IsFloat() && !isVolatile(d)
}

// isWide reports whether sums of d are those of integers, or of its type.
func isWide(d *cc.Declarator) bool {
	t, _ := storedType(d.Type())
	return !t.IsNarrow() && t != scop.Bool
}

// valueBefore returns the value that d has when the region begins, if the statements in front of it show it.
func (src *source) valueBefore(d *cc.Declarator) (v int64, ok bool) {
	if !src.isAutomatic(d) {
		return 0, false
	}
	for _, s := range slices.Backward(src.r.around) {
		b, plain := s.(block)
		if !plain {
			if isLoop(s) {
				return 0, false
			}
			continue
		}
		for _, item := range slices.Backward(b.items) {
			if _, to, ok := src.f.bytes(item.at()); !ok || to > src.r.Start {
				if from, _, _ := src.f.bytes(item.at()); !ok || from < src.r.Start && !slices.ContainsFunc(src.r.around, func(x stmt) bool { return x.at() == item.at() }) {
					return 0, false
				}
				continue
			}
			if value, set := setsTo(item, d); set {
				v, ok := literal(value)
				t, _ := storedType(d.Type())
				lo, hi := t.Range()
				return v, ok && (!t.IsNarrow() || lo <= v && v <= hi) && (!t.IsUnsigned() || v >= 0)
			}
			if assigns(item, d) {
				return 0, false
			}
		}
	}
	return 0, false
}

// setsTo returns the value that s, a declaration or an assignment, gives d.
func setsTo(s stmt, d *cc.Declarator) (value expr, ok bool) {
	switch s := s.(type) {
	case declStmt:
		for _, v := range s.vars {
			if v.decl == d && v.init != nil {
				return v.init, true
			}
		}
	case exprStmt:
		xs := []expr{s.x}
		if c, ok := s.x.(comma); ok {
			xs = c.xs
		}
		for _, e := range slices.Backward(xs) {
			if a, ok := e.(assign); ok && a.op == "=" && isIdent(a.x, d) {
				return a.y, true
			} else if e != nil && assigns(exprStmt{e.at(), e}, d) {
				return nil, false
			}
		}
	}
	return nil, false
}
