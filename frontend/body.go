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

// A local is a scalar that each instance of a nest sets before it reads it.
type local struct {
	name     string
	typ      scop.Type // in which C calculates with it
	stored   scop.Type // of the variable: that, or a narrower one
	set      bool      // on every way to this place
	assigned bool      // on some way
	born     int       // inside how many branches it begins
	alias    scop.Expr // its value, where it needs no variable
	value    *linear   // its value at this place, if that is known to be affine
	owed     []obligation
}

// read returns the value of l.
func (l *local) read() scop.Expr {
	if l.alias != nil {
		return l.alias
	}
	return scop.Var{T: l.typ, Name: l.name, Kind: scop.LocalVar}
}

// A state is what is known of a local at some place.
type state struct{ set, assigned bool }

// states returns the states of the locals of n.
func (n *nest) states() map[*local]state {
	states := map[*local]state{}
	for l := range n.all {
		states[l] = state{l.set, l.assigned}
	}
	return states
}

// restore makes states those of the locals of n.
func (n *nest) restore(states map[*local]state) {
	for l := range n.all {
		l.set, l.assigned = states[l].set, states[l].assigned
	}
}

// newLocal returns a local of n, a variable of type t, that begins inside so many branches.
func (n *nest) newLocal(name string, t scop.Type, born int) *local {
	l := &local{name: name, typ: calculated(t), stored: t, born: born}
	n.all[l], n.byName[name] = true, l
	return l
}

const bodyRule = "allowed: assignments to array elements and to local scalars"

// body reads the innermost statements of n, of which the first were copied from
// before it.
func (b *builder) body(n *nest, body []stmt, early int) {
	b.bodyStmts(n, body[:early])
	before := maps.Clone(n.byAccess)
	b.bodyStmts(n, body[early:])
	n.finishBody()
	for _, a := range n.accesses {
		if before[a.Access] != nil {
			n.early = append(n.early, a)
		}
	}
	body = body[early:]
	from, _, ok1 := b.f.bytes(body[0].at())
	_, to, ok2 := b.f.bytes(body[len(body)-1].at())
	if ok1 && ok2 && from < to {
		n.stmt.Text = string(b.f.text[from:to])
	}
}

// maxActions bounds the assignments of one body, after loops are unrolled.
const maxActions = 5000

func (b *builder) bodyStmts(n *nest, body []stmt) {
	for _, s := range body {
		if len(n.body) > maxActions {
			b.errorf("HX102", firstPart(s), fmt.Sprintf("allowed: %d assignments in a body, after its inner loops are written out", maxActions), "make the inner loops shorter", "this loop nest has too long a body")
			return
		}
		b.bodyStmt(n, s)
	}
}

func (b *builder) bodyStmt(n *nest, s stmt) {
	switch s := s.(type) {
	case declStmt:
		for _, v := range s.vars {
			b.declareLocal(n, v)
		}
		return
	case exprStmt:
		b.bodyExpr(n, s.x)
		return
	case ifStmt:
		b.bodyIf(n, s)
		return
	case forStmt:
		b.unroll(n, s)
		return
	case resultStmt:
		b.result(n, s)
		return
	case otherStmt:
		if s.what == refusedCall {
			return
		}
	case forgetStmt:
		for _, d := range s.decls {
			if l := n.locals[d]; l != nil {
				l.set, l.value = false, nil
			}
		}
		return
	}
	b.errorf("HX102", firstPart(s), bodyRule, "keep it out of the region", "%s in a loop nest", describe(s))
}

func (b *builder) bodyExpr(n *nest, e expr) {
	switch e := e.(type) {
	case assign:
		b.assignment(n, e)
		return
	case comma:
		for _, x := range e.xs {
			b.bodyExpr(n, x)
		}
		return
	case call:
		b.errorf("HX103", e.where, bodyRule, "keep the call out of the region", "call of '%s' as a statement: what it does is not known", b.textOf(e.fun))
		return
	}
	b.errorf("HX102", e.at(), bodyRule, "remove it", "statement '%s' assigns nothing", b.textOf(e))
}

func (b *builder) declareLocal(n *nest, v varDecl) {
	t, ok := storedType(v.decl.Type())
	if v.decl.IsStatic() || v.decl.IsExtern() {
		b.refuse(v.decl, b.noting(func() {
			b.errorf("HX107", v.where, "a variable that keeps its value carries it from one iteration to the next", "declare it without static and extern", "'%s' is not local to an iteration", v.decl.Name())
		}))
		return
	}
	if text := b.attached(v.decl); text != "" && ok && !isVolatile(v.decl) {
		b.refuse(v.decl, b.noting(func() { b.checkAttached(ident{v.where, v.decl.Name(), v.decl}) }))
		return
	}
	if !ok || isVolatile(v.decl) {
		b.refuse(v.decl, b.noting(func() {
			b.errorf("HX106", v.where, "allowed: local scalars of type float, double, and signed and unsigned char, short, int and long", "change its type, or declare it outside",
				"'%s' of type '%s' cannot be local to a loop nest", v.decl.Name(), typeName(v.decl.Type()))
		}))
		return
	}
	l := n.newLocal(b.unique(n, v.decl.Name()), t, len(n.tests))
	if v.init == nil {
		n.locals[v.decl] = l
		return
	}
	x, ok := b.value(n, v.init)
	n.locals[v.decl] = l
	if ok {
		b.know(n, l, v.decl, v.init)
		b.let(n, l, x)
	} else {
		b.dropped(v.where)
		l.set, l.assigned = true, true // one error is enough
	}
	l.set = true // whatever is wrong with its value
}

// let sets l to x, as its variable holds it, here and now. Where the branches of an if around this place
// are values, x is computed in any case, so it must not fail where it would not be.
func (b *builder) let(n *nest, l *local, x scop.Expr) {
	x = stored(x, l.stored)
	if mayFail(x) {
		for _, test := range slices.Backward(n.tests[:l.born]) {
			x = scop.Cond{C: test, X: x, Y: scop.Const{T: l.typ}}
		}
	}
	n.body = append(n.body, scop.Let{Name: l.name, Type: l.typ, Value: x})
	l.set, l.assigned = true, true
}

// know notes the value of l, the variable d, where it is set to e, if subscripts may ask for it.
func (b *builder) know(n *nest, l *local, d *cc.Declarator, e expr) {
	l.value, l.owed = nil, nil
	if e == nil || !b.affine[d] || l.typ.IsFloat() || l.stored.IsNarrow() {
		return
	}
	owed := len(b.obligations)
	if x, why := b.linear(e, n.place()); why == nil {
		b.obligeOperand(e, x, l.typ, n.place())
		l.value, l.owed = &x, slices.Clone(b.obligations[owed:])
	}
	b.obligations = b.obligations[:owed]
}

// assignment reads x = y, x op= y, x++ and x--.
func (b *builder) assignment(n *nest, e assign) {
	switch x := e.x.(type) {
	case ident:
		b.assignLocal(n, e, x)
	case index, unary, memberExpr:
		b.assignElement(n, e, x)
	default:
		b.errorf("HX102", x.at(), bodyRule, "use an array element", "assignment to '%s'", b.textOf(x))
	}
}

func (b *builder) assignLocal(n *nest, e assign, x ident) {
	l := b.local(n, x)
	if l == nil {
		b.dropped(x.where)
		return
	}
	if e.op != "=" && !l.set {
		b.carried(x)
		return
	}
	old := func() (scop.Expr, bool) { return l.read(), true }
	v, ok := b.assigned(n, e, old, l.typ)
	if !ok {
		b.dropped(e.where)
		l.set, l.assigned = true, true
		return
	}
	value := valueAfter(e)
	if len(n.tests) > l.born {
		value = nil // it may keep its old one
	}
	b.know(n, l, x.decl, value)
	b.let(n, l, v)
}

// valueAfter returns what e assigns as one expression.
func valueAfter(e assign) expr {
	one := number{e.where, "1", "", nil, cc.Int64Value(1), ""}
	switch {
	case e.op == "=":
		return e.y
	case e.y == nil:
		return binary{e.where, e.op[:1], e.x, one}
	}
	return binary{e.where, e.op[:len(e.op)-1], e.x, e.y}
}

// local returns the local scalar that x names, or notes why there is none.
func (b *builder) local(n *nest, x ident) *local {
	if l, ok := n.locals[x.decl]; ok && l.alias == nil {
		return l
	}
	if x.decl == nil {
		b.undeclared(x)
		return nil
	}
	if b.iterators[x.decl] {
		b.errorf("HX108", x.where, "a loop variable changes only in the head of its loop", "use another variable", "assignment to loop variable '%s'", x.name)
		return nil
	}
	if isPointer(x.decl) {
		b.errorf("HX117", x.where, rotationRule, "move the assignment to the end of the time loop, or use subscripts with % instead",
			"pointer '%s' is assigned in a loop nest", x.name)
		return nil
	}
	t, ok := storedType(x.decl.Type())
	if !ok || isVolatile(x.decl) {
		b.errorf("HX106", x.where, typeRule, "use a variable of such a type", "assignment to '%s' of type '%s'", x.name, typeName(x.decl.Type()))
		return nil
	}
	if !b.checkAttached(x) {
		return nil
	}
	if !b.isAutomatic(x.decl) && len(b.calls) > 0 {
		b.impure(x.where, x.name)
		return nil
	}
	if !b.isAutomatic(x.decl) {
		b.errorf("HX107", x.where, "allowed: scalars that are set before they are read, each time, and not used outside the nest",
			"declare a local scalar in the innermost loop, or use an array", "'%s' is assigned in the region", x.name)
		return nil
	}
	l := n.newLocal(b.unique(n, x.name), t, 0)
	n.locals[x.decl] = l
	return l
}

// isAutomatic reports whether nobody else can see d: a local variable or a
// parameter whose address is not taken.
func (src *source) isAutomatic(d *cc.Declarator) bool {
	return !src.u.members.is(d) && d.StorageDuration() == cc.Automatic && !d.AddressTaken()
}

// carried reports that x is read before the instance sets it.
func (ns *notes) carried(x ident) {
	ns.errorf("HX107", x.where, "a value that one iteration leaves for the next one puts them in an order, so that they cannot run at the same time",
		"declare a local scalar in the innermost loop and set it first; sums over a whole array must stay outside the region",
		"'%s' carries a value from one iteration to the next", x.name)
}

// assigned returns what e assigns, in type t. old reads the place assigned to.
func (b *builder) assigned(n *nest, e assign, old func() (scop.Expr, bool), t scop.Type) (scop.Expr, bool) {
	if e.op == "=" {
		v, ok := b.value(n, e.y)
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
		y, ok2 = b.value(n, e.y)
	}
	if !ok1 || !ok2 {
		return nil, false
	}
	v, ok := b.arithmetic(e, op, x, y)
	if !ok {
		return nil, false
	}
	return convert(v, t, true), true
}
