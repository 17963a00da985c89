package frontend

import (
	"fmt"
	"slices"
	"strings"

	"modernc.org/cc/v4"
)

// This file writes time loops in the one form: see source_clock.go.

// form returns the loop as a for loop over one integer, and its clock; ok is false if it cannot be written so. Statements
// before it in the region may give variables their first values.
func (tl *timeLoop) form(before []stmt) (f forStmt, c *clock, ok bool) {
	tl.sort()
	tl.begin(before)
	if tl.bad || len(tl.counters) == 0 {
		return forStmt{}, nil, false
	}
	x := tl.iterator()
	if x == nil {
		return forStmt{}, nil, false
	}
	w := &timeWriter{timeLoop: tl, x: x, by: tl.counters[x], offsets: map[*cc.Declarator]int64{}, clock: &clock{where: tl.head, sets: map[*cc.Declarator]bool{}}}
	for d := range tl.counters {
		w.clock.sets[d] = true
	}
	for _, d := range tl.states {
		w.clock.sets[d] = true
	}
	for _, x := range tl.inits {
		w.clock.taken = append(w.clock.taken, x.at)
	}
	if !w.takeStates() {
		return forStmt{}, nil, false
	}
	body := w.statements(tl.ops, false)
	if w.bad || w.cond == nil {
		return forStmt{}, nil, false
	}
	at := tl.head
	step := assign{at, "+=", w.ident(x), numberAt(at, w.by)}
	init := exprStmt{at, assign{at, "=", w.ident(x), w.first(x)}}
	w.clock.text = tl.text()
	return forStmt{where: at.to(tl.where), head: at, init: init, cond: w.cond, step: step, body: block{at.to(tl.where), body}}, w.clock, true
}

// sort finds the variables that count: what is assigned outside of other statements only, from such variables and numbers, and
// carries a value from one step to the next, or takes part in what does.
func (tl *timeLoop) sort() {
	sets := map[*cc.Declarator][]*timeSet{}
	for _, op := range tl.ops {
		if op.set != nil {
			sets[op.set.decl] = append(sets[op.set.decl], op.set)
		}
	}
	for changed := true; changed; {
		changed = false
		for d, list := range sets {
			ok := tl.onlySet(d) && !slices.ContainsFunc(list, func(x *timeSet) bool { return !tl.isOf(x.value, sets) })
			if !ok {
				delete(sets, d)
				changed = true
			}
		}
	}
	needed := map[*cc.Declarator]bool{}
	var need func(d *cc.Declarator)
	need = func(d *cc.Declarator) {
		if needed[d] {
			return
		}
		needed[d] = true
		for _, x := range sets[d] {
			eachExpr(x.value, func(e expr) {
				if y, ok := e.(ident); ok {
					need(y.decl)
				}
			})
		}
	}
	for d := range sets {
		if tl.carries(d) || slices.ContainsFunc(tl.inits, func(x timeSet) bool { return x.decl == d }) {
			need(d)
		}
	}
	for d := range needed {
		adds, counts := int64(0), isWide(d)
		for _, x := range sets[d] {
			counts = counts && x.value == nil
			adds += x.by
		}
		if counts && adds != 0 {
			tl.counters[d] = adds
		} else {
			tl.states = append(tl.states, d)
		}
	}
	slices.SortFunc(tl.states, tl.u.members.compare)
	for i, op := range tl.ops {
		if op.set != nil && !needed[op.set.decl] {
			tl.ops[i].set = nil
		}
	}
	for i, op := range tl.ops { // a declaration of several variables stands for each of them once
		if i == 0 || op.stmt == nil || tl.ops[i-1].stmt == nil || tl.ops[i-1].of != op.of {
			continue
		}
		if op.set != nil || tl.ops[i-1].set != nil {
			tl.bad = tl.bad || op.set == nil || tl.ops[i-1].set == nil
			continue
		}
		tl.ops[i].stmt = block{where: op.stmt.at()}
	}
}

// begin takes from before what gives variables that count their first values.
func (tl *timeLoop) begin(before []stmt) {
	var inits []timeSet
	for _, s := range before {
		var sets []timeSet
		if tl.setsOf(s, &sets) && !slices.ContainsFunc(sets, func(x timeSet) bool { return tl.counters[x.decl] == 0 && !slices.Contains(tl.states, x.decl) }) {
			inits = append(inits, sets...)
		} else {
			tl.before = append(tl.before, s)
		}
	}
	tl.inits = append(inits, tl.inits...)
	for _, x := range tl.inits {
		tl.bad = tl.bad || x.value == nil
		eachExpr(x.value, func(e expr) {
			if y, ok := e.(ident); ok {
				tl.bad = tl.bad || tl.counters[y.decl] != 0 || slices.Contains(tl.states, y.decl)
			}
		})
	}
}

// isOf reports whether e is made of numbers and variables of sets.
func (tl *timeLoop) isOf(e expr, sets map[*cc.Declarator][]*timeSet) bool {
	only := true
	eachExpr(e, func(e expr) {
		switch e := e.(type) {
		case ident:
			only = only && sets[e.decl] != nil
		case number, unary, binary, cond:
		default:
			only = false
		}
	})
	return only
}

// onlySet reports whether nothing but the operations that set d changes it in the loop.
func (tl *timeLoop) onlySet(d *cc.Declarator) bool {
	others := tl.alteredBy()
	for _, op := range tl.ops {
		if op.set == nil && op.stmt != nil {
			others.add(op.stmt, nil)
		}
	}
	return !others.has(d)
}

// lastName returns the name of d, or that of the member that it is.
func (src *source) lastName(d *cc.Declarator) string {
	if d == nil {
		return ""
	}
	if m, ok := src.u.members.of[d]; ok && m.field != nil {
		return m.field.Name()
	}
	return d.Name()
}

// carries reports whether a step may use what an earlier one left in d.
func (tl *timeLoop) carries(d *cc.Declarator) bool {
	if tl.own[d] && !slices.ContainsFunc(tl.inits, func(x timeSet) bool { return x.decl == d }) {
		return false // each step has one of its own
	}
	u := &liveness{source: tl.source, decl: d, inside: true}
	for _, op := range tl.ops {
		if op.test != nil {
			u.expr(op.test)
		} else {
			u.stmt(op.stmt)
		}
	}
	return u.fate != killed
}

// iterator returns the variable that the loop is to count in, nil if no test is about one that counts.
func (tl *timeLoop) iterator() (found *cc.Declarator) {
	for _, op := range tl.ops {
		eachExpr(op.test, func(e expr) {
			if x, ok := e.(ident); ok && tl.counters[x.decl] != 0 && found == nil {
				found = x.decl
			}
		})
	}
	return found
}

// text returns the clock in C.
func (tl *timeLoop) text() string {
	if head, ok := tl.headText(); ok {
		return head + "\n  ;\n"
	}
	var b strings.Builder
	for _, x := range tl.inits {
		if x.text != "" {
			fmt.Fprintf(&b, "%s\n", x.text)
		}
	}
	var ops []string
	for _, op := range tl.ops {
		switch {
		case op.test != nil:
			ops = append(ops, fmt.Sprintf("if (%s)\n    break;", exprText(negated(op.test))))
		case op.set != nil && op.set.text != "":
			ops = append(ops, op.set.text)
		}
	}
	fmt.Fprintf(&b, "for (;;) {\n  %s\n}\n", strings.Join(ops, "\n  "))
	return b.String()
}

// headText returns the clock as the head of a for loop, if it has one test, in front of all else, and declares no variables.
func (tl *timeLoop) headText() (head string, ok bool) {
	init, test, sets := ";", "", []string{}
	switch len(tl.inits) {
	case 0:
	case 1:
		init = tl.inits[0].text
	default:
		return "", false
	}
	for _, op := range tl.ops {
		switch {
		case op.test != nil && test == "" && len(sets) == 0:
			test = exprText(op.test)
		case op.test != nil, op.set != nil && tl.own[op.set.decl] && tl.inits == nil:
			return "", false
		case op.set != nil:
			if _, declares := op.stmt.(declStmt); declares {
				return "", false
			}
			sets = append(sets, strings.TrimSuffix(op.set.text, ";"))
		}
	}
	return fmt.Sprintf("for (%s %s; %s)", init, test, strings.Join(sets, ", ")), test != ""
}
