package frontend

import (
	"fmt"
	"maps"
	"slices"

	"modernc.org/cc/v4"

	"github.com/hexcc/hexcc/scop"
)

// This file reads the body of a nest: assignments to local scalars and to
// array elements, one after the other.

// A statementReader reads the statements of one nest: they become actions of a scop.Stmt, one after the other. It knows what
// is true at the statement that it is at.
type statementReader struct {
	*storage
	n        *nest
	calls    callStack // around this place
	actions  []scop.Action
	tests    []scop.Expr // what holds at this place
	returned *resultOf   // of the function that is being inlined
	going    *local      // of the loop that is being written out: whether its next iteration runs; nil if all do
	all      map[*local]bool
	byName   map[string]*local
	byAccess map[*scop.Access]*access
}

// newStatementReader returns a reader of the statements of n.
func newStatementReader(st *storage, n *nest) *statementReader {
	return &statementReader{
		storage: st, n: n, all: map[*local]bool{}, byName: map[string]*local{}, byAccess: map[*scop.Access]*access{},
	}
}

// newNest returns a nest at a place of the time loop.
func newNest(at place) *nest {
	n := &nest{
		stmt: &scop.Stmt{}, loops: at.loops, pointers: at.pointers,
		names: map[string]bool{}, locals: map[*cc.Declarator]*local{},
	}
	maps.Copy(n.locals, at.locals)
	for _, l := range at.loops {
		n.names[l.name] = true
	}
	return n
}

// place returns this place.
func (sr *statementReader) place() place {
	at := sr.n.place()
	if len(sr.calls) > 0 {
		at.function = sr.calls.innermost().Declarator.Name()
	}
	return at
}

// states returns the states of all locals.
func (sr *statementReader) states() map[*local]state {
	states := map[*local]state{}
	for l := range sr.all {
		states[l] = state{l.set, l.assigned}
	}
	return states
}

// restore makes states those of the locals.
func (sr *statementReader) restore(states map[*local]state) {
	for l := range sr.all {
		l.set, l.assigned = states[l].set, states[l].assigned
	}
}

// newLocal returns a new local, a variable of type t, that begins inside so many branches.
func (sr *statementReader) newLocal(name string, t scop.Type, born int) *local {
	l := &local{name: name, typ: calculated(t), stored: t, born: born}
	sr.all[l], sr.byName[name] = true, l
	return l
}

// read reads the statements of the nest, of which the first were copied from
// before it.
func (sr *statementReader) read(body []stmt, early int) {
	sr.bodyStmts(body[:early])
	before := maps.Clone(sr.byAccess)
	sr.bodyStmts(body[early:])
	sr.finishBody()
	for _, a := range sr.n.accesses {
		if before[a.Access] != nil {
			sr.n.early = append(sr.n.early, a)
		}
	}
	body = body[early:]
	from, _, ok1 := sr.f.bytes(body[0].at())
	_, to, ok2 := sr.f.bytes(body[len(body)-1].at())
	if ok1 && ok2 && from < to {
		sr.n.stmt.Text = string(sr.f.text[from:to])
	}
}

func (sr *statementReader) bodyStmts(body []stmt) {
	for _, s := range body {
		if len(sr.actions) > maxActions {
			sr.tooLong(s)
			return
		}
		sr.bodyStmt(s)
	}
}

// tooLong refuses a body of which no more is written out.
func (sr *statementReader) tooLong(s stmt) {
	sr.errorf("HX102", firstPart(s), fmt.Sprintf("allowed: %d assignments in a body, after its inner loops are written out", maxActions), "make the inner loops shorter", "this loop nest has too long a body")
}

func (sr *statementReader) bodyStmt(s stmt) {
	switch s := s.(type) {
	case declStmt:
		for _, v := range s.vars {
			sr.declareLocal(v)
		}
		return
	case exprStmt:
		sr.bodyExpr(s.x)
		return
	case ifStmt:
		sr.bodyIf(s)
		return
	case forStmt:
		sr.unroll(s)
		return
	case resultStmt:
		sr.result(s)
		return
	case otherStmt:
		if s.what == refusedCall {
			return
		}
		if s.what == leaving {
			sr.let(sr.going, scop.Const{T: scop.Int})
			return
		}
	case forgetStmt:
		for _, d := range s.decls {
			if l := sr.n.locals[d]; l != nil && !inLoops(sr.n.loops, sr.counts[d]) { // what the variable of a loop around was before that
				l.set, l.value = false, nil
			}
		}
		return
	}
	sr.errorf("HX102", firstPart(s), bodyRule, "keep it out of the region", "%s in a loop nest", describe(s))
}

func (sr *statementReader) bodyExpr(e expr) {
	switch e := e.(type) {
	case assign:
		sr.assignment(e)
		return
	case comma:
		for _, x := range e.xs {
			sr.bodyExpr(x)
		}
		return
	case call:
		sr.errorf("HX103", e.where, bodyRule, "keep the call out of the region", "%s", sr.unknownCall(e))
		return
	}
	sr.errorf("HX102", e.at(), bodyRule, "remove it", "statement '%s' assigns nothing", sr.textOf(e))
}

func (sr *statementReader) declareLocal(v varDecl) {
	t, ok := storedType(v.decl.Type())
	if v.decl.IsStatic() || v.decl.IsExtern() {
		sr.refuse(v.decl, sr.noting(func() {
			sr.errorf("HX107", v.where, "a variable that keeps its value carries it from one iteration to the next", "declare it without static and extern", "'%s' is not local to an iteration", v.decl.Name())
		}))
		return
	}
	if text := sr.attached(v.decl); text != "" && ok && !isVolatile(v.decl) {
		sr.refuse(v.decl, sr.noting(func() { sr.checkAttached(ident{v.where, v.decl.Name(), v.decl}) }))
		return
	}
	if shape, isArray := shapeOf(v.decl); isArray && !shape.pointer && !isVolatile(v.decl) {
		if _, number := storedType(shape.elem); number {
			sr.refuse(v.decl, sr.noting(func() {
				sr.errorf("HX106", v.where, fmt.Sprintf("allowed: local scalars, and arrays of at most %d numbers whose elements are all named by constants, here and in functions that are passed them, but for calls in the operands of &&, || and ?:", maxScratch),
					"name its elements by constants, or use scalars", "'%s' of type '%s' cannot be local to a loop nest", v.decl.Name(), typeName(v.decl.Type()))
			}))
			return
		}
	}
	if !ok || isVolatile(v.decl) {
		sr.refuse(v.decl, sr.noting(func() {
			sr.errorf("HX106", v.where, "allowed: local scalars of type float, double, long double, float and double complex, _Float16, _Bool, and signed and unsigned char, short, int and long", "change its type, or declare it outside",
				"'%s' of type '%s' cannot be local to a loop nest", v.decl.Name(), typeName(v.decl.Type()))
		}))
		return
	}
	l := sr.newLocal(sr.unique(sr.n.names, sr.u.members.arrayOf(v.decl).Name()), t, len(sr.tests))
	if v.init == nil {
		sr.n.locals[v.decl] = l
		return
	}
	x, ok := sr.value(v.init)
	sr.n.locals[v.decl] = l
	if ok {
		sr.know(l, v.decl, v.init)
		sr.let(l, x)
	} else {
		sr.dropped(v.where)
		l.set, l.assigned = true, true // one error is enough
	}
	l.set = true // whatever is wrong with its value
}

// let sets l to x, as its variable holds it, here and now. Where the branches of an if around this place
// are values, x is computed in any case, so it must not fail where it would not be.
func (sr *statementReader) let(l *local, x scop.Expr) {
	x = stored(x, l.stored)
	if mayFail(x) {
		for _, test := range slices.Backward(sr.tests[:l.born]) {
			x = scop.Cond{C: test, X: x, Y: scop.Const{T: l.typ}}
		}
	}
	sr.actions = append(sr.actions, scop.Let{Name: l.name, Type: l.typ, Value: x})
	l.set, l.assigned = true, true
}

// know notes the value of l, the variable d, where it is set to e, if subscripts may ask for it.
func (sr *statementReader) know(l *local, d *cc.Declarator, e expr) {
	l.value, l.owed = nil, nil
	if e == nil || !sr.affine[d] || l.typ.IsFloat() || l.stored.IsNarrow() {
		return
	}
	owed := sr.owing(func() {
		if x, why := sr.linear(e, sr.place()); why == nil {
			sr.obligeOperand(e, x, l.typ, sr.place())
			l.value = &x
		}
	})
	if l.value != nil {
		l.owed = owed
	}
}

// assignment reads x = y, x op= y, x++ and x--.
func (sr *statementReader) assignment(e assign) {
	switch x := e.x.(type) {
	case ident:
		sr.assignLocal(e, x)
	case index, unary, memberExpr:
		sr.assignElement(e, x)
	default:
		sr.errorf("HX102", x.at(), bodyRule, "use an array element", "assignment to '%s'", sr.textOf(x))
	}
}

func (sr *statementReader) assignLocal(e assign, x ident) {
	l := sr.local(x)
	if l == nil {
		sr.dropped(x.where)
		return
	}
	if e.op != "=" && !l.set {
		sr.carried(x)
		return
	}
	old := func() (scop.Expr, bool) { return l.read(), true }
	v, ok := sr.assigned(e, old, l.typ)
	if !ok {
		sr.dropped(e.where)
		l.set, l.assigned = true, true
		return
	}
	value := valueAfter(e)
	if len(sr.tests) > l.born {
		value = nil // it may keep its old one
	}
	sr.know(l, x.decl, value)
	sr.let(l, v)
}

// local returns the local scalar that x names, or notes why there is none.
func (sr *statementReader) local(x ident) *local {
	if l, ok := sr.n.locals[x.decl]; ok && l.alias == nil {
		return l
	}
	if x.decl == nil {
		sr.undeclared(x)
		return nil
	}
	if sr.iterators[x.decl] {
		sr.errorf("HX108", x.where, "a loop variable changes only in the head of its loop", "use another variable", "assignment to loop variable '%s'", x.name)
		return nil
	}
	if isPointer(x.decl) {
		sr.errorf("HX117", x.where, rotationRule, "move the assignment to the end of the time loop, or use subscripts with % instead",
			"pointer '%s' is assigned in a loop nest", x.name)
		return nil
	}
	t, ok := storedType(x.decl.Type())
	if !ok || isVolatile(x.decl) {
		sr.errorf("HX106", x.where, typeRule, "use a variable of such a type", "assignment to '%s' of type '%s'", x.name, typeName(x.decl.Type()))
		return nil
	}
	if !sr.checkAttached(x) {
		return nil
	}
	if !sr.isAutomatic(x.decl) && len(sr.calls) > 0 {
		sr.impure(x.where, x.name)
		return nil
	}
	if !sr.isAutomatic(x.decl) {
		sr.errorf("HX107", x.where, "allowed: scalars that are set before they are read, each time, and not used outside the nest",
			"declare a local scalar in the innermost loop, or use an array", "'%s' is assigned in the region", x.name)
		return nil
	}
	l := sr.newLocal(sr.unique(sr.n.names, x.name), t, 0)
	sr.n.locals[x.decl] = l
	return l
}

// assigned returns what e assigns, in type t. old reads the place assigned to.
func (sr *statementReader) assigned(e assign, old func() (scop.Expr, bool), t scop.Type) (scop.Expr, bool) {
	if e.op == "=" {
		v, ok := sr.value(e.y)
		if !ok {
			return nil, false
		}
		return convert(v, t, true), true
	}
	x, ok1 := old()
	var y scop.Expr = scop.Const{T: scop.Int, I: 1, Text: "1"}
	ok2 := true
	op := e.op[:1] // of ++ and --
	if e.y != nil {
		op = e.op[:len(e.op)-1]
		y, ok2 = sr.value(e.y)
	}
	if !ok1 || !ok2 {
		return nil, false
	}
	if sr.f.cxx != nil && t.IsComplex() { // C++ converts to that type, or to that of its parts, before it calculates
		of := t
		if !y.Type().IsComplex() {
			of = t.Part()
		}
		y = convert(y, of, false)
	}
	v, ok := sr.arithmetic(e, op, x, y)
	if !ok {
		return nil, false
	}
	return convert(v, t, true), true
}
