package frontend

import (
	"fmt"
	"slices"

	"modernc.org/cc/v4"
)

// This file reads the heads of for loops: which variable counts, from where, to where, in which steps.

// A loopReader reads the heads of loops: each becomes a loop, whose variable takes the values that satisfy constraints.
type loopReader struct {
	*affineReader
	components map[where]bool                    // the loops over components, by their heads
	counts     map[*cc.Declarator]*cc.Declarator // what counts the iterations of a loop in steps, by its variable
}

func newLoopReader(ar *affineReader) *loopReader {
	return &loopReader{affineReader: ar, counts: map[*cc.Declarator]*cc.Declarator{}}
}

// loop reads the head of f at a place; names are those taken around it. On error its constraints are incomplete.
func (lr *loopReader) loop(f forStmt, outer place, names map[string]bool, time bool) (l loop, ok bool) {
	before := len(lr.errs)
	l = loop{where: f.head, decl: iteratorOf(f)}
	if l.decl == nil {
		lr.noIterator(f)
		return l, false
	}
	l.name = lr.unique(names, l.decl.Name())
	stored, isNumber := storedType(l.decl.Type())
	t := calculated(stored)
	if by, _ := stepOf(f.step, l.decl); stored.IsNarrow() && by != 1 && by != -1 {
		isNumber = false
	}
	if !isNumber || t.IsFloat() || isVolatile(l.decl) {
		lr.errorf("HX102", firstPart(f.init), loopRule, "declare it as int", "loop variable '%s' is of type '%s'", l.decl.Name(), typeName(l.decl.Type()))
	}
	lr.checkAttached(ident{firstPart(f.init), l.decl.Name(), l.decl})
	l.typ = t
	if inLoops(outer.loops, l.decl) {
		lr.errorf("HX102", firstPart(f.init), loopRule, "use another variable", "'%s' is the variable of two loops of one nest", l.decl.Name())
	}
	down, stepOK := lr.step(f, l)
	l.down = down
	l.by, _ = stepOf(f.step, l.decl)
	if stepOK {
		lr.checkDivided(f, outer)
		lr.checkExtents(f, outer)
		lr.start(f, &l, outer, down)
		lr.end(f, &l, outer, down)
		switch {
		case len(lr.errs) > before:
		case l.by != 1 && (l.by != -1 || time): // time goes on, whichever way it is counted
			l = lr.strided(f, l, outer, l.by)
		default:
			lr.obligeNext(f, l.typ, l.by, variable(l.decl).addc(l.by), outer.inside(l))
		}
		if stored.IsNarrow() && l.decl == iteratorOf(f) {
			lr.obligeNarrow(f, stored, l.by, outer.inside(l))
		}
	}
	return l, len(lr.errs) == before
}

// checkExtents notes that f, one of the loops that were one, runs through rows that have no negative number of elements.
func (lr *loopReader) checkExtents(f forStmt, at place) {
	of := lr.split[f.head]
	at0 := slices.IndexFunc(of, func(x splitLoop) bool { return len(x.parts) > 0 && x.iterator() == iteratorOf(f) })
	if at0 < 0 {
		return
	}
	one := of[at0]
	for _, row := range one.parts[1:] {
		n := row.cond.(binary).y
		x, why := lr.linear(n, at)
		if why != nil {
			lr.notAffine("bound", n, why)
			continue
		}
		if x.isConstant() && x.c >= 0 {
			continue
		}
		text := lr.frame().text(x)
		lr.owe(obligation{where: one.count, code: "HX119", msg: fmt.Sprintf("rows may have '%s' elements, a negative number", text), tested: fmt.Sprintf("counts elements of rows of %s", text), value: x})
	}
}

// noIterator reports that it is not plain which variable f counts in.
func (lr *loopReader) noIterator(f forStmt) {
	counted := "i"
	if a, ok := f.step.(assign); ok {
		if x, ok := a.x.(ident); ok && !lr.u.members.is(x.decl) {
			counted = x.name
		}
	}
	head := fmt.Sprintf("for (%s = a; %[1]s < b; %[1]s++)", counted)
	several := false
	switch s := f.init.(type) {
	case nil:
		lr.errorf("HX102", f.head, loopRule, fmt.Sprintf("set it in the head, as in '%s'", head), "this loop gives '%s' no first value", counted)
		return
	case declStmt:
		several = len(s.vars) > 1
	case exprStmt:
		_, several = s.x.(comma)
	}
	if several {
		lr.errorf("HX102", f.head, loopRule, "set one variable in the head, and the others in the body", "this loop sets several variables")
		return
	}
	lr.errorf("HX102", f.head, loopRule, fmt.Sprintf("count in a variable, as in '%s'", head), "this loop counts in something else than a variable")
}

const loopRule = "allowed: for loops over one integer from an affine bound to an affine bound, in steps of a constant"

// step reads the step of f and reports whether it counts down.
func (lr *loopReader) step(f forStmt, l loop) (down, ok bool) {
	by, known := stepOf(f.step, l.decl)
	name := l.decl.Name()
	help := fmt.Sprintf("write '%s++'", name)
	_, several := f.step.(comma)
	switch {
	case f.step == nil:
		lr.errorf("HX102", f.head, loopRule, help, "this loop has no step")
	case !known && several:
		lr.errorf("HX102", f.step.at(), loopRule, help+", and what else the step does at the end of the body", "step '%s' does more than add a constant to '%s'", lr.textOf(f.step), name)
	case !known:
		lr.errorf("HX102", f.step.at(), loopRule, help, "step '%s' does not add a constant to '%s'", lr.textOf(f.step), name)
	case by == 0:
		lr.errorf("HX102", f.step.at(), loopRule, help, "step '%s' leaves '%s' as it is", lr.textOf(f.step), name)
	default:
		return by < 0, true
	}
	return false, false
}

// start adds the constraint of the first value.
func (lr *loopReader) start(f forStmt, l *loop, outer place, down bool) {
	init := initOf(f)
	if init == nil {
		lr.errorf("HX102", firstPart(f.init), loopRule, "give it its first value", "loop variable '%s' is not set", l.decl.Name())
		return
	}
	op := "max"
	if down {
		op = "min"
	}
	bounds, why := lr.extremes(init, op, outer)
	if why != nil {
		lr.notAffine("bound", init, why)
	}
	for _, e := range bounds {
		lr.obligeOperand(init, e, l.typ, outer)
		constraint := variable(l.decl).sub(e)
		if down {
			constraint = constraint.scale(-1)
		}
		l.constraints = append(l.constraints, constraint)
	}
}

// end adds the constraints of the condition.
func (lr *loopReader) end(f forStmt, l *loop, outer place, down bool) {
	if f.cond == nil {
		lr.errorf("HX102", f.head, loopRule, fmt.Sprintf("write '%s < n'", l.decl.Name()), "this loop has no end")
		return
	}
	lr.condition(f.cond, l, outer.inside(*l), down)
}

// condition adds to l the constraints of e, which must go from true to false once.
func (lr *loopReader) condition(e expr, l *loop, at place, down bool) {
	c, ok := e.(binary)
	if ok && c.op == "&&" {
		lr.condition(c.x, l, at, down)
		lr.condition(c.y, l, at, down)
		return
	}
	if ok && c.op == "!=" {
		if less, ok := lr.reached(c, l, at, down); ok {
			c = less
		}
	}
	if !ok || c.op != "<" && c.op != "<=" && c.op != ">" && c.op != ">=" {
		lr.errorf("HX101", e.at(), "allowed: comparisons by < <= > >= != of affine expressions, joined by &&", fmt.Sprintf("write '%s < n', with all limits joined by &&", l.decl.Name()), "condition '%s' of the loop is not an affine bound", lr.textOf(e))
		return
	}
	less, greater := c.x, c.y
	if c.op[0] == '>' {
		less, greater = greater, less
	}
	lows, ok1 := lr.side(less, "max", at)
	highs, ok2 := lr.side(greater, "min", at)
	if !ok1 || !ok2 {
		return
	}
	t := usual(intType(c.x), intType(c.y))
	for _, lo := range lows {
		lr.obligeOperand(less, lo, t, at)
		for _, hi := range highs {
			lr.obligeOperand(greater, hi, t, at)
			constraint := hi.sub(lo)
			if len(c.op) == 1 {
				constraint = constraint.addc(-1)
			}
			if k := constraint.v.of(l.decl); k > 0 && !down || k < 0 && down {
				lr.errorf("HX102", c.where, "the loop runs as long as the condition holds; "+loopRule, "turn the comparison around, or the step", "condition '%s' does not end the loop", lr.textOf(c))
				return
			}
			l.constraints = append(l.constraints, constraint)
		}
	}
}

func (lr *loopReader) side(e expr, op string, at place) ([]linear, bool) {
	xs, why := lr.extremes(e, op, at)
	if why != nil {
		lr.notAffine("bound", e, why)
	}
	return xs, why == nil
}
