package frontend

import (
	"fmt"
	"slices"

	"modernc.org/cc/v4"

	"github.com/hexcc/hexcc/diag"
	"github.com/hexcc/hexcc/scop"
)

// This file reads the loops of a region: the time loop and the nests in it.

// A loop is a for loop whose iterator takes the values that make rows >= 0.
type loop struct {
	where // of the head
	decl  *cc.Declarator
	name  string
	typ   scop.Type
	rows  []linear
	down  bool // it counts down
	by    int64
}

const shapeRule = "allowed: one time loop that holds loop nests and assignments, one after the other; or only loop nests and assignments"

// region reads the time loop and what it holds, or, in a region without a time
// loop, what one step holds.
func (nr *nestReader) region() {
	stmts := slices.DeleteFunc(flatten(nr.stmts), declaresOnly)
	if nr.timeless {
		nr.time = onceLoop(nr.unique(&nest{names: map[string]bool{}}, "t"))
		nr.timeBody(stmts, nr.time, true)
		return
	}
	isTime := func(s stmt) bool { _, ok := s.(forStmt); return ok }
	time := slices.IndexFunc(stmts, isTime)
	if time < 0 {
		nr.errs = append(nr.errs, &diag.Diagnostic{Code: "HX102", At: nr.r.at,
			Msg: "no time loop in this region", Notes: []diag.Note{{Msg: shapeRule}}, Help: "put the time loop, a for loop, between the pragmas"})
	}
	for i, s := range stmts {
		if i != time {
			nr.errorf("HX102", firstPart(s), shapeRule, "keep it out of the region", "%s beside the time loop", describe(s))
		}
	}
	if time >= 0 {
		nr.timeLoop(stmts[time].(forStmt))
	}
}

// declaresOnly reports whether s declares variables and sets none.
func declaresOnly(s stmt) bool {
	d, ok := s.(declStmt)
	return ok && !slices.ContainsFunc(d.vars, func(v varDecl) bool { return v.init != nil })
}

// flatten returns the statements of ss, those in blocks too, without empty ones.
func flatten(ss []stmt) (flat []stmt) {
	for _, s := range ss {
		switch s := s.(type) {
		case nil:
		case block:
			flat = append(flat, flatten(s.items)...)
		case exprStmt:
			if s.x != nil {
				flat = append(flat, s)
			}
		case otherStmt:
			if s.isOnce() {
				flat = append(flat, flatten(s.inner)...)
			} else {
				flat = append(flat, s)
			}
		default:
			flat = append(flat, s)
		}
	}
	return flat
}

// isOnce reports whether s is a do loop that runs once, as in many macros.
func (s otherStmt) isOnce() bool {
	if s.what != "a do loop" || len(s.exprs) != 1 {
		return false
	}
	v, ok := literal(s.exprs[0])
	return ok && v == 0
}

func (nr *nestReader) timeLoop(f forStmt) {
	n := &nest{names: map[string]bool{}}
	l, ok := nr.loop(f, n, true)
	if l.decl == nil {
		return
	}
	nr.time = l
	body := slices.DeleteFunc(flatten([]stmt{f.body}), declaresOnly)
	if len(body) == 0 {
		nr.errorf("HX102", f.head, shapeRule, "put loop nests in it, or remove the pragmas", "the time loop is empty")
	}
	nr.timeBody(body, l, ok)
}

// timeBody reads what one step of time loop l holds; ok says that l is sound.
func (nr *nestReader) timeBody(body []stmt, l loop, ok bool) {
	nr.findCycles(body)
	var run, prefix []stmt // statements since the last move of a pointer, and the locals set before
	flush := func() {
		for _, p := range nr.pieces(run, nil, nil, prefix) {
			if nests := nr.read(p, l); ok {
				nr.nests = append(nr.nests, nests...)
			}
		}
		prefix = append(prefix, slices.DeleteFunc(run, func(s stmt) bool { return !setsLocalsOnly(s) })...)
		run = nil
	}
	for _, s := range body {
		ms, isMove := nr.moves(s)
		switch {
		case isMove:
			if len(ms) > 0 {
				flush()
				nr.movePointers(s)
			}
		case !nr.moveIn(s):
			run = append(run, s)
		}
	}
	flush()
	if x, gathers := nr.gathered(block{l.where, body}); len(nr.nests) == 0 && !nr.errs.HasErrors() && gathers {
		nr.carried(x)
	}
	if len(nr.nests) == 0 && !nr.errs.HasErrors() {
		nr.errorf("HX102", l.where, shapeRule, "assign to an element of an array, or remove the pragmas", "the time loop changes no array")
	}
	if !nr.errs.HasErrors() {
		nr.checkCyclesUsed()
	}
}

// loop reads the head of f, inside the loops of n. On error its rows are incomplete.
func (lr *loopReader) loop(f forStmt, n *nest, time bool) (l loop, ok bool) {
	before, outer := len(lr.errs), n.place()
	l = loop{where: f.head, decl: iteratorOf(f)}
	if l.decl == nil {
		lr.noIterator(f)
		return l, false
	}
	l.name = lr.unique(n, l.decl.Name())
	t, isNumber := numberType(l.decl.Type())
	if !isNumber || t.IsFloat() || isVolatile(l.decl) {
		lr.errorf("HX102", firstPart(f.init), loopRule, "declare it as int", "loop variable '%s' is of type '%s'", l.decl.Name(), typeName(l.decl.Type()))
	}
	lr.checkAttached(ident{firstPart(f.init), l.decl.Name(), l.decl})
	l.typ = t
	if inLoops(outer.loops, l.decl) {
		lr.errorf("HX102", firstPart(f.init), loopRule, "use another variable", "'%s' is the variable of two loops of one nest", l.decl.Name())
	}
	down, stepOK := lr.step(f, l, time)
	l.down = down
	l.by, _ = stepOf(f.step, l.decl)
	if stepOK {
		lr.start(f, &l, outer, down)
		lr.end(f, &l, outer, down)
		switch {
		case len(lr.errs) > before:
		case l.by != 1 && l.by != -1:
			l = lr.strided(f, l, n, l.by)
		default:
			lr.obligeNext(f, l.typ, l.by, variable(l.decl).addc(l.by), outer.inside(l))
		}
	}
	return l, len(lr.errs) == before
}

// noIterator reports that it is not plain which variable f counts in.
func (ns *notes) noIterator(f forStmt) {
	counted := "i"
	if a, ok := f.step.(assign); ok {
		if x, ok := a.x.(ident); ok && !ns.u.members.is(x.decl) {
			counted = x.name
		}
	}
	head := fmt.Sprintf("for (%s = a; %[1]s < b; %[1]s++)", counted)
	several := false
	switch s := f.init.(type) {
	case nil:
		ns.errorf("HX102", f.head, loopRule, fmt.Sprintf("set it in the head, as in '%s'", head), "this loop gives '%s' no first value", counted)
		return
	case declStmt:
		several = len(s.vars) > 1
	case exprStmt:
		_, several = s.x.(comma)
	}
	if several {
		ns.errorf("HX102", f.head, loopRule, "set one variable in the head, and the others in the body", "this loop sets several variables")
		return
	}
	ns.errorf("HX102", f.head, loopRule, fmt.Sprintf("count in a variable, as in '%s'", head), "this loop counts in something else than a variable")
}

const loopRule = "allowed: for loops over one integer from an affine bound to an affine bound, in steps of a constant, of 1 for the time loop"

// step reads the step of f and reports whether it counts down.
func (ns *notes) step(f forStmt, l loop, time bool) (down, ok bool) {
	by, known := stepOf(f.step, l.decl)
	name := l.decl.Name()
	help := fmt.Sprintf("write '%s++'", name)
	switch {
	case f.step == nil:
		ns.errorf("HX102", f.head, loopRule, help, "this loop has no step")
	case !known:
		ns.errorf("HX102", f.step.at(), loopRule, help, "step '%s' does not add a constant to '%s'", ns.textOf(f.step), name)
	case time && by == -1:
		ns.errorf("HX102", f.step.at(), "allowed: a time loop that counts up in steps of 1", "count up", "the time loop counts down")
	case time && by != 1 || by == 0:
		ns.errorf("HX102", f.step.at(), loopRule, help, "step '%s' is not 1", ns.textOf(f.step))
	default:
		return by < 0, true
	}
	return false, false
}

// stepOf returns what e adds to d.
func stepOf(e expr, d *cc.Declarator) (by int64, ok bool) {
	a, ok := e.(assign)
	if !ok || !isIdent(a.x, d) {
		return 0, false
	}
	switch a.op {
	case "++":
		return 1, true
	case "--":
		return -1, true
	case "+=":
		return literal(a.y)
	case "-=":
		v, ok := literal(a.y)
		return -v, ok
	case "=":
		s, ok := a.y.(binary)
		if !ok || s.op != "+" && s.op != "-" {
			return 0, false
		}
		x, y := s.x, s.y
		if s.op == "+" && isIdent(y, d) {
			x, y = y, x
		}
		v, ok := literal(y)
		if s.op == "-" {
			v = -v
		}
		return v, ok && isIdent(x, d)
	}
	return 0, false
}

func isIdent(e expr, d *cc.Declarator) bool {
	x, ok := e.(ident)
	return ok && x.decl == d
}

// literal returns the value of an integer constant expression without variables.
func literal(e expr) (int64, bool) {
	switch e := e.(type) {
	case number:
		return intValue(e.val)
	case unary:
		v, ok := literal(e.x)
		return -v, ok && e.op == "-"
	}
	return 0, false
}

// start adds the row of the first value.
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
		row := variable(l.decl).sub(e)
		if down {
			row = row.scale(-1)
		}
		l.rows = append(l.rows, row)
	}
}

// end adds the rows of the condition.
func (lr *loopReader) end(f forStmt, l *loop, outer place, down bool) {
	if f.cond == nil {
		lr.errorf("HX102", f.head, loopRule, fmt.Sprintf("write '%s < n'", l.decl.Name()), "this loop has no end")
		return
	}
	lr.condition(f.cond, l, outer.inside(*l), down)
}

// condition adds to l the rows of e, which must go from true to false once.
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
			row := hi.sub(lo)
			if len(c.op) == 1 {
				row = row.addc(-1)
			}
			if k := row.v[l.decl]; k > 0 && !down || k < 0 && down {
				lr.errorf("HX102", c.where, "the loop runs as long as the condition holds; "+loopRule, "turn the comparison around, or the step", "condition '%s' does not end the loop", lr.textOf(c))
				return
			}
			l.rows = append(l.rows, row)
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

// firstPart returns what to underline of s: its head.
func firstPart(s stmt) where {
	switch s := s.(type) {
	case forStmt:
		return s.head
	case nil:
		return where{}
	}
	return s.at()
}

// describe names the kind of s.
func describe(s stmt) string {
	switch s := s.(type) {
	case forStmt:
		return "another loop"
	case ifStmt:
		return "an if"
	case declStmt:
		return "a declaration"
	case otherStmt:
		return s.what
	case exprStmt:
		switch s.x.(type) {
		case call:
			return "a function call"
		case assign:
			return "an assignment"
		}
	}
	return "a statement"
}
