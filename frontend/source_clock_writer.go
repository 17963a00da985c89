package frontend

import (
	"slices"

	"modernc.org/cc/v4"
)

// This file writes the head and the statements of a time loop that has the one form: see source_clock_form.go.

// A timeWriter writes the loop over x.
type timeWriter struct {
	*timeLoop
	x       *cc.Declarator
	by      int64
	offsets map[*cc.Declarator]int64 // what was added to each variable that counts, at this place of a step
	cond    expr
	clock   *clock
	orbits  []*orbit // what the states are
}

func (w *timeWriter) ident(d *cc.Declarator) expr {
	return ident{w.head, w.u.members.name(d), d}
}

// first returns the value that d has when the region begins.
func (w *timeWriter) first(d *cc.Declarator) expr {
	for _, x := range slices.Backward(w.inits) {
		if x.decl == d && x.value != nil {
			return x.value
		}
	}
	if v, ok := w.valueBefore(d); ok {
		return numberAt(w.head, v)
	}
	return ident{w.head, w.u.members.name(d), w.u.members.before(d)}
}

// steps returns how many steps were run at the beginning of this one.
func (w *timeWriter) steps() expr {
	var e expr = binary{w.head, "-", w.ident(w.x), w.first(w.x)}
	if n, isNumber := literal(w.first(w.x)); isNumber && w.by > 0 {
		e = offset(w.ident(w.x), -n)
	} else if w.by < 0 {
		e = binary{w.head, "-", w.first(w.x), w.ident(w.x)}
	}
	if abs(w.by) > 1 {
		e = binary{w.head, "/", e, numberAt(w.head, abs(w.by))} // which is exact
	}
	return e
}

// value returns what counter d holds, at first + offset in the first step.
func (w *timeWriter) value(d *cc.Declarator, add int64) expr {
	if d == w.x {
		return offset(w.ident(d), add)
	}
	e := w.steps()
	if by := w.counters[d]; by != 1 {
		e = binary{w.head, "*", numberAt(w.head, by), e}
	}
	if n, isNumber := literal(w.first(d)); !isNumber {
		e = binary{w.head, "+", w.first(d), e}
	} else {
		e = offset(e, n)
	}
	if e = offset(e, add); intType(e) != intType(w.ident(d)) {
		e = cast{w.head, d.Type(), e, nil}
	}
	return e
}

// at returns e with what the variables hold here, shift steps before. It returns false if they have no such value.
func (w *timeWriter) at(e expr, shift int64) (out expr, ok bool) {
	ok = true
	for _, o := range w.orbits {
		if e = o.replaced(w, e, &ok); !ok {
			return nil, false
		}
	}
	return mapExpr(e, func(e expr) expr {
		if b, is := e.(binary); is {
			return summed(b)
		}
		x, named := e.(ident)
		if by := w.counters[x.decl]; named && by != 0 && e.at() != w.head {
			return w.value(x.decl, w.offsets[x.decl]-shift*by)
		}
		return e
	}), ok
}

// begins returns e with the values that the variables have at the beginning of the region, shift steps before this place.
func (w *timeWriter) begins(e expr, shift int64) expr {
	return mapExpr(e, func(e expr) expr {
		if b, is := e.(binary); is {
			return summed(b)
		}
		if x, ok := e.(ident); ok && w.counters[x.decl] != 0 {
			return offset(w.first(x.decl), w.offsets[x.decl]-shift*w.counters[x.decl])
		}
		return e
	})
}

// statements returns what a step does from ops on; later says that it does something before.
func (w *timeWriter) statements(ops []timeOp, later bool) (out []stmt) {
	for i, op := range ops {
		switch {
		case op.test != nil:
			if v, known := constantTruth(op.test); known && v {
				continue
			}
			test, ok := w.ends(op.test, later)
			now, ok1 := w.at(test, 0)
			end := now
			if later {
				end, _ = w.at(test, 1)
				w.clock.presumed = append(w.clock.presumed, w.begins(test, 1))
			}
			if w.bad = w.bad || !ok || !ok1; w.bad {
				return nil
			}
			if w.cond == nil {
				w.cond = end
			} else {
				w.cond = binary{op.test.at(), "&&", w.cond, end}
			}
			if !later {
				continue
			}
			rest := w.statements(ops[i+1:], true)
			if len(rest) > 0 {
				out = append(out, ifStmt{op.test.at(), now, block{op.test.at(), rest}, nil})
			}
			return out
		case op.set != nil:
			w.clock.taken = append(w.clock.taken, op.set.at)
			if w.counters[op.set.decl] != 0 {
				w.offsets[op.set.decl] += op.set.by
			} else {
				for _, o := range w.orbits {
					if o.of[op.set.decl] {
						o.set(op.set)
					}
				}
			}
		default:
			w.bad = w.bad || w.isSeenByCalls(op.stmt, false, map[*cc.FunctionDefinition]bool{})
			s := mapStmt(op.stmt, func(e expr) expr {
				v, ok := w.at(e, 0)
				w.bad = w.bad || !ok
				return v
			})
			out, later = append(out, s), true
		}
	}
	return out
}

// isSeenByCalls reports whether functions that s calls, but for the seen ones, use a variable by its name that the loop does not give the value there that it
// has. With called, s stands in one of them.
func (w *timeWriter) isSeenByCalls(s stmt, called bool, seen map[*cc.FunctionDefinition]bool) (found bool) {
	use := func(name string, d *cc.Declarator) {
		for x := range w.clock.sets {
			same := x == d
			if d == nil || w.u.members.is(d) { // of whatever struct
				same = w.u.members.is(x) && w.lastName(x) == name
			}
			found = found || called && same && (x != w.x || w.offsets[x] != 0)
		}
	}
	eachExprIn(s, func(e expr) {
		switch e := e.(type) {
		case ident:
			if e.decl != nil {
				use(w.lastName(e.decl), e.decl)
			}
		case memberExpr:
			use(e.field.Name(), nil)
		case call:
			f, _ := e.fun.(ident)
			if fd := w.definition(f); fd != nil && !seen[fd] {
				seen[fd] = true
				found = found || w.isSeenByCalls(w.bodyOf(fd), true, seen)
			}
		}
	})
	return found
}

// ends returns test, which ends the loop where it does not hold, as one that goes from true to false once; it adds to what is
// presumed. It returns false for one that is about anything but the counters and what the loop leaves alone.
func (w *timeWriter) ends(test expr, later bool) (expr, bool) {
	c, ok := test.(binary)
	if ok && c.op == "&&" {
		x, ok1 := w.ends(c.x, later)
		y, ok2 := w.ends(c.y, later)
		return binary{c.where, "&&", x, y}, ok1 && ok2
	}
	counts := func(e expr) (by int64, ok bool) {
		ok = true
		eachExpr(e, func(e expr) {
			switch e := e.(type) {
			case ident:
				if n := w.counters[e.decl]; n != 0 {
					by += n
				} else {
					ok = ok && !w.changes(e.decl)
				}
			case number, binary, unary, cast, memberExpr:
			default:
				ok = false
			}
		})
		return by, ok
	}
	if !ok || opposite[c.op] == "" || c.op == "==" {
		return nil, false
	}
	left, ok1 := counts(c.x)
	right, ok2 := counts(c.y)
	if !ok1 || !ok2 || (left == 0) == (right == 0) {
		return nil, false
	}
	if c.op != "!=" {
		return c, true
	}
	if abs(left+right) != 1 {
		return nil, false
	}
	rises := left > 0 || right < 0
	c.op = map[bool]string{true: "<", false: ">"}[rises]
	reach := c
	reach.op += "="
	shift := int64(0)
	if later {
		shift = 1
	}
	w.clock.presumed = append(w.clock.presumed, w.begins(reach, shift))
	return c, true
}

// changes reports whether the loop may change d.
func (w *timeWriter) changes(d *cc.Declarator) bool {
	if d == nil || slices.Contains(w.states, d) {
		return true
	}
	for _, op := range w.ops {
		if op.set != nil && op.set.decl == d {
			return true
		}
	}
	return !w.onlySet(d)
}
