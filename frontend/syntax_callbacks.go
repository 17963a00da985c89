package frontend

import (
	"fmt"
	"slices"
	"strings"

	"modernc.org/cc/v4"

	"github.com/hexcc/hexcc/scop"
)

// This file puts a choice of functions of the file in the place of a call through a pointer:
//
//	flux[i] = c * phi(r);        =>   flux[i] = c * (phi_calls == 0 ? minmod(r) : phi_calls == 1 ? superbee(r) : vanleer(r));
//	m->react(p, u, v, &f);       =>   if (m_react_calls == 0) gray_scott(p, u, v, &f); else fitzhugh(p, u, v, &f);
//	border[k](f, n);             =>   if (k == 0) west(f, n); else east(f, n);
//
// phi_calls stands for a number that the host computes where the region begins, (phi == minmod ? 0 : phi == superbee ? 1 : ..). That phi is one of these is
// tested there (facts_callbacks.go), and that the region leaves phi alone is checked. Of a table of constants the file shows all elements.

// A callback is a pointer to a function that a region calls.
type callback struct {
	pointer ident
	of      []*cc.Declarator // the functions that it may lead to, by number
	known   *cc.Declarator   // stands for 1 if it does, else 0
}

const callbackRule = "which function a pointer leads to, the host finds where the region begins"

// maxCallbacks bounds the functions that a pointer may lead to.
const maxCallbacks = 8

// dispatched returns s, of the region in r or of a function that it calls, with such choices. A pointer that is a variable of another function than the one around
// the region, or of the region itself, stays.
func (u *unit) dispatched(f *file, r region, s stmt) stmt {
	if f.cxx != nil {
		return s
	}
	d := &dispatcher{u, f, r}
	calls := false
	eachExprIn(s, func(e expr) {
		c, ok := e.(call)
		calls = calls || ok && functionPointer(c.fun) != nil
	})
	if !calls {
		return s
	}
	return d.stmt(s)
}

// A dispatcher puts choices in the place of calls.
type dispatcher struct {
	u *unit
	f *file
	r region
}

// functionPointer returns what e, which is called, points to, or nil: e is a function, or no pointer to one that has a name.
func functionPointer(e expr) *cc.FunctionType {
	e = called(e)
	switch e := e.(type) {
	case ident:
		if e.decl == nil || e.decl.Type().Kind() == cc.Function && !e.decl.IsParam() {
			return nil
		}
		return functionAt(e.decl.Type())
	case memberExpr: // of a body as it is written
		if e.field != nil {
			return functionAt(e.field.Type())
		}
	case index:
		if x, ok := e.base.(ident); ok && x.decl != nil && x.decl.Type().Kind() == cc.Array {
			return functionAt(elemOf(x.decl.Type()))
		}
	}
	return nil
}

// called returns e without the * and & that a call makes no difference of.
func called(e expr) expr {
	for {
		x, ok := e.(unary)
		if !ok || x.op != "*" && x.op != "&" {
			return e
		}
		e = x.x
	}
}

// functionAt returns t, if that is a function or a pointer to one.
func functionAt(t cc.Type) *cc.FunctionType {
	if p, ok := t.(*cc.PointerType); ok {
		t = p.Elem()
	}
	ft, _ := t.(*cc.FunctionType)
	return ft
}

func (d *dispatcher) stmt(s stmt) stmt {
	if x, ok := s.(exprStmt); ok {
		e := x.x
		if c, isCast := e.(cast); isCast && c.typ.Kind() == cc.Void {
			e = c.x
		}
		if c, isCall := e.(call); isCall {
			c.args = mapAll(c.args, d.expr)
			if of, is, ok := d.choices(c); ok {
				return branches(x.where, c, of, is)
			}
		}
	}
	return mapInner(mapOwn(s, d.expr), d.stmt)
}

// mapOwn returns s with f applied to the expressions in it, but not to those in the statements inside of it.
func mapOwn(s stmt, f func(expr) expr) stmt {
	switch x := s.(type) {
	case block:
		return s
	case forStmt:
		body := x.body
		x.body = block{where: body.at()}
		x = mapStmt(x, f).(forStmt)
		x.body = body
		return x
	case ifStmt:
		x.cond = f(x.cond)
		return x
	case otherStmt:
		x.exprs = mapAll(x.exprs, f)
		return x
	}
	return mapStmt(s, f)
}

// expr returns e with choices in the place of calls.
func (d *dispatcher) expr(e expr) expr {
	return mapExpr(e, func(e expr) expr {
		c, ok := e.(call)
		if !ok {
			return e
		}
		of, is, ok := d.choices(c)
		if !ok {
			return e
		}
		out := expr(calling(c, of[len(of)-1]))
		for k := len(of) - 2; k >= 0; k-- {
			out = cond{c.where, is(k), calling(c, of[k]), out}
		}
		return out
	})
}

// branches returns the statement at w that calls one of functions of.
func branches(w where, c call, of []*cc.Declarator, is func(int) expr) stmt {
	out := stmt(exprStmt{w, calling(c, of[len(of)-1])})
	for k := len(of) - 2; k >= 0; k-- {
		out = ifStmt{w, is(k), exprStmt{w, calling(c, of[k])}, out}
	}
	return out
}

// calling returns c with function to in the place of the pointer.
func calling(c call, to *cc.Declarator) call {
	c.fun = ident{c.fun.at(), to.Name(), to}
	return c
}

// choices returns the functions that c may call through a pointer, and the condition that it is one of them, by number.
func (d *dispatcher) choices(c call) (of []*cc.Declarator, is func(int) expr, ok bool) {
	t := functionPointer(c.fun)
	if t == nil {
		return nil, nil, false
	}
	switch fun := called(c.fun).(type) {
	case ident:
		x, known := d.number(fun, t)
		if !known {
			return nil, nil, false
		}
		if of = d.u.callbacks[x.decl].of; len(of) == 1 { // what is used is tested
			of = []*cc.Declarator{of[0], of[0]}
		}
		return of, func(k int) expr { return binary{c.where, "==", x, numberAt(c.where, int64(k))} }, true
	case index:
		of = d.u.tableOfFunctions(fun.base.(ident).decl)
		if len(of) == 0 || hasEffect(fun.sub) {
			return nil, nil, false
		}
		return of, func(k int) expr { return binary{c.where, "==", fun.sub, numberAt(c.where, int64(k))} }, true
	}
	return nil, nil, false
}

// number returns the variable that tells where x, a pointer to functions of type t, leads to.
func (d *dispatcher) number(x ident, t *cc.FunctionType) (is ident, ok bool) {
	root := d.u.members.rootOf(x.decl)
	own := slices.Contains(parameters(d.r.function), root) || within(d.r.function, root) && d.f.offset(root.Position()) < d.r.Start
	if !own && !d.isOfFile(root) || isVolatile(x.decl) {
		return ident{}, false
	}
	var of []*cc.Declarator
	for _, to := range d.u.pointees(t) {
		if d.isVisible(to.Name()) {
			of = append(of, to)
		}
	}
	if len(of) == 0 || len(of) > maxCallbacks {
		return ident{}, false
	}
	var number, known []string
	for k, to := range of {
		test := fmt.Sprintf("%s == %s", x.name, to.Name())
		number, known = append(number, fmt.Sprintf("%s ? %d", test, k)), append(known, test)
	}
	name := d.u.members.identifier(x.decl)
	is.decl = d.u.members.computed(d.u.numbers[scop.Int], standIn{name + "_calls", fmt.Sprintf("(%s : %d)", strings.Join(number, " : "), len(of))})
	is.where, is.name = x.where, d.u.members.name(is.decl)
	if d.u.callbacks == nil {
		d.u.callbacks = map[*cc.Declarator]callback{}
	}
	d.u.callbacks[is.decl] = callback{x, of, d.u.members.computed(d.u.numbers[scop.Int], standIn{name + "_is_known", fmt.Sprintf("(%s)", strings.Join(known, " || "))})}
	return is, true
}

// isOfFile reports whether x is a variable of the file that no other one of the function around the region hides.
func (d *dispatcher) isOfFile(x *cc.Declarator) bool {
	is := func(y *cc.Declarator) bool { return y.Name() == x.Name() }
	return slices.ContainsFunc(d.u.ast.Scope.Nodes[x.Name()], func(n cc.Node) bool { return n == cc.Node(x) }) &&
		!slices.ContainsFunc(parameters(d.r.function), is) && !declaresAny(convertBlock(d.r.function.CompoundStatement), is)
}

// isVisible reports whether name, of a function of the file, means that where the region begins.
func (d *dispatcher) isVisible(name string) bool {
	is := func(x *cc.Declarator) bool { return x.Name() == name }
	if slices.ContainsFunc(parameters(d.r.function), is) || declaresAny(convertBlock(d.r.function.CompoundStatement), is) {
		return false
	}
	for tu := d.u.ast.TranslationUnit; tu != nil; tu = tu.TranslationUnit {
		in := tu.ExternalDeclaration
		switch {
		case in.FunctionDefinition == d.r.function:
			return false
		case in.FunctionDefinition != nil && is(in.FunctionDefinition.Declarator), in.Declaration != nil && declaresAny(convertDecl(in.Declaration), is):
			return true
		}
	}
	return false
}

// declaresAny reports whether s declares a variable for which is holds.
func declaresAny(s stmt, is func(*cc.Declarator) bool) bool {
	return contains(s, func(s stmt) bool {
		x, ok := s.(declStmt)
		return ok && slices.ContainsFunc(x.vars, func(v varDecl) bool { return is(v.decl) })
	})
}
