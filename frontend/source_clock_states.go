package frontend

import (
	"maps"
	"slices"

	"modernc.org/cc/v4"

	"github.com/hexcc/hexcc/scop"
)

// This file finds what variables hold that take turns with the steps of the time loop, such as cur = 1 - cur, or
// prev = cur; cur = next; next = (next + 1) % 3: their assignments are run, step by step, until all is as it was at
// the beginning.

// A states is what variables hold; of those that are not in it that is not known.
type states map[*cc.Declarator]int64

// An orbit is what the states of a time loop hold at a place of a step, by the number of the step modulo len(now).
type orbit struct {
	now []states
	of  map[*cc.Declarator]bool
	// from, if it is set, is the one state, of which the value in the first step is not known: now[k] is what it holds where that is k.
	from *cc.Declarator
	used bool // that it is below len(now) is presumed
}

// maxOrbit bounds the number of steps after which variables hold what they held.
const maxOrbit = 16

// takeStates finds what the states hold. It returns false if that does not come back.
func (w *timeWriter) takeStates() bool {
	left := slices.Clone(w.states)
	for len(left) > 0 {
		group := []*cc.Declarator{left[0]}
		for i := 0; i < len(group); i++ { // all that it is made of, or that is made of it
			for _, op := range w.ops {
				if op.set == nil || op.set.value == nil {
					continue
				}
				linked := []*cc.Declarator{op.set.decl}
				eachExpr(op.set.value, func(e expr) {
					if x, ok := e.(ident); ok {
						linked = append(linked, x.decl)
					}
				})
				if slices.Contains(linked, group[i]) {
					for _, d := range linked {
						if !slices.Contains(group, d) {
							group = append(group, d)
						}
					}
				}
			}
		}
		left = slices.DeleteFunc(left, func(d *cc.Declarator) bool { return slices.Contains(group, d) })
		o, ok := w.takeGroup(group)
		if !ok {
			return false
		}
		w.orbits = append(w.orbits, o)
	}
	return true
}

// takeGroup finds what states hold of which each has to do with the others.
func (w *timeWriter) takeGroup(group []*cc.Declarator) (o *orbit, ok bool) {
	o = &orbit{of: map[*cc.Declarator]bool{}}
	begin := states{}
	var unknown []*cc.Declarator
	for _, d := range group {
		o.of[d] = true
		if w.counters[d] != 0 {
			return nil, false
		}
		if v, ok := literal(w.first(d)); ok {
			begin[d] = v
		} else if w.carries(d) {
			unknown = append(unknown, d)
		}
	}
	switch {
	case len(unknown) == 0:
		s, ok := begin, true
		for {
			o.now = append(o.now, s)
			if s, ok = w.after(o, s); !ok || len(o.now) > maxOrbit {
				return nil, false
			}
			back := true
			for d, v := range begin {
				u, known := s[d]
				back = back && (known && u == v || !w.carries(d))
			}
			if back {
				return o, true
			}
		}
	case len(unknown) == 1 && len(group) == 1:
		return o, w.takeState(o, unknown[0])
	}
	return nil, false
}

// takeState finds what d, the only state, holds: it adds a number, modulo another, whatever it began with below that.
func (w *timeWriter) takeState(o *orbit, d *cc.Declarator) bool {
	for m := int64(2); m <= maxOrbit; m++ {
		next := func(v int64) int64 {
			s, ok := w.after(o, states{d: v})
			if !ok || s[d] < 0 || s[d] >= m {
				return -1
			}
			return s[d]
		}
		turns := next(0) > 0
		for v := range m {
			turns = turns && next(v) == (v+next(0))%m
		}
		if !turns {
			continue
		}
		for v := range m {
			o.now = append(o.now, states{d: v})
		}
		o.from = d
		return true
	}
	return false
}

// after returns what the variables hold a step after s.
func (w *timeWriter) after(of *orbit, s states) (next states, ok bool) {
	o := &orbit{now: []states{s}, of: of.of}
	for _, op := range w.ops {
		if op.set != nil && o.of[op.set.decl] {
			o.set(op.set)
		}
	}
	for d := range s {
		if _, known := o.now[0][d]; !known {
			return nil, false
		}
	}
	return o.now[0], true
}

// set runs an assignment.
func (o *orbit) set(x *timeSet) {
	for k, s := range o.now {
		next := maps.Clone(s)
		value := x.value
		if value == nil {
			value = offset(ident{x.at, "", x.decl}, x.by)
		}
		v, ok := s.value(value)
		t, _ := storedType(x.decl.Type())
		if lo, hi := t.Range(); t == scop.Bool {
			v = map[bool]int64{true: 1, false: 0}[v != 0]
		} else if t.IsNarrow() && (v < lo || v > hi) || t.IsUnsigned() && v < 0 {
			ok = false
		}
		if next[x.decl] = v; !ok {
			delete(next, x.decl)
		}
		o.now[k] = next
	}
}

// value returns what e is, of variables and numbers, as C computes it in int; ok is false if that is not known, or large.
func (s states) value(e expr) (v int64, ok bool) {
	truth := func(t bool) int64 {
		if t {
			return 1
		}
		return 0
	}
	switch e := e.(type) {
	case number:
		v, ok = intValue(e.val)
	case ident:
		v, ok = s[e.decl]
	case unary:
		x, known := s.value(e.x)
		ok = known
		switch e.op {
		case "-":
			v = -x
		case "+":
			v = x
		case "!":
			v = truth(x == 0)
		case "~":
			v = ^x
		default:
			ok = false
		}
	case cond:
		c, known := s.value(e.c)
		if !known {
			return 0, false
		}
		if c != 0 {
			return s.value(e.x)
		}
		return s.value(e.y)
	case binary:
		x, ok1 := s.value(e.x)
		y, ok2 := s.value(e.y)
		ok = ok1 && ok2
		if isComparison := opposite[e.op] != ""; isComparison {
			v = truth(e.op == "<" && x < y || e.op == "<=" && x <= y || e.op == ">" && x > y || e.op == ">=" && x >= y || e.op == "==" && x == y || e.op == "!=" && x != y)
			break
		}
		switch e.op {
		case "+":
			v = x + y
		case "-":
			v = x - y
		case "*":
			v = x * y
		case "&":
			v = x & y
		case "|":
			v = x | y
		case "^":
			v = x ^ y
		case "%", "/":
			if y == 0 {
				return 0, false
			}
			if v = x % y; e.op == "/" {
				v = x / y
			}
		case "&&":
			v = truth(x != 0 && y != 0)
		case "||":
			v = truth(x != 0 || y != 0)
		default:
			ok = false
		}
	}
	return v, ok && abs(v) < 1<<15
}

// replaced returns e with what is computed of states alone by the number of the step; *ok becomes false where it cannot be.
func (o *orbit) replaced(w *timeWriter, e expr, ok *bool) expr {
	if e == nil {
		return e
	}
	uses, only := false, true
	eachExpr(e, func(e expr) {
		switch e := e.(type) {
		case ident:
			uses, only = uses || o.of[e.decl], only && o.of[e.decl]
		case number, unary, binary, cond:
		default:
			only = false
		}
	})
	if !uses {
		return e
	}
	if only {
		if v, known := o.value(w, e); known {
			return v
		}
		if _, leaf := e.(ident); leaf {
			*ok = false
			return e
		}
	}
	return mapChildren(e, func(e expr) expr { return o.replaced(w, e, ok) })
}

// value returns e, of states alone, by the number of the step.
func (o *orbit) value(w *timeWriter, e expr) (expr, bool) {
	n := int64(len(o.now))
	values := make([]int64, n)
	for k, s := range o.now {
		v, ok := s.value(e)
		if !ok {
			return nil, false
		}
		values[k] = v
	}
	if !slices.ContainsFunc(values, func(v int64) bool { return v != values[0] }) {
		return numberAt(w.head, values[0]), true
	}
	steps := w.steps()
	each := int64(1) // what a step adds to the row of the table
	if o.from != nil {
		s, _ := w.after(o, states{o.from: 0})
		each = s[o.from]
	}
	at := w.head
	number := func(v int64) expr { return numberAt(at, v) }
	row := steps
	if o.from != nil {
		if first := w.first(o.from); !o.used {
			o.used = true
			w.clock.presumed = append(w.clock.presumed, binary{at, ">=", first, number(0)}, binary{at, "<=", first, number(n - 1)})
		}
		if each != 1 {
			row = binary{at, "*", number(each), row}
		}
		row = binary{at, "+", w.first(o.from), row}
	}
	turn := func(by, add int64) expr {
		x := row
		if by != 1 {
			x = binary{at, "*", number(by), x}
		}
		return binary{at, "%", offset(x, add), number(n)}
	}
	for by := int64(1); by < n; by++ {
		if add := values[0]; add >= 0 && o.isTurn(values, by, add) {
			return turn(by, add), true
		}
	}
	if n == 2 {
		return binary{at, "+", number(values[0]), binary{at, "*", number(values[1] - values[0]), turn(1, 0)}}, true
	}
	return nil, false
}

// isTurn reports whether values[k] is (by*k + add) % len(values).
func (o *orbit) isTurn(values []int64, by, add int64) bool {
	for k, v := range values {
		if v != (by*int64(k)+add)%int64(len(values)) {
			return false
		}
	}
	return true
}
