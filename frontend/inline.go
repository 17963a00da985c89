package frontend

import (
	"fmt"
	"slices"

	"modernc.org/cc/v4"

	"github.com/hexcc/hexcc/diag"
	"github.com/hexcc/hexcc/scop"
)

// This file puts the functions of the file where the region calls them: those
// with a value into the expression, those without as statements.

// A callStack is the functions of the file that are being put where they are called, outside in.
type callStack []inlinedCall

// An inlinedCall is a function and where it is called.
type inlinedCall struct {
	fd *cc.FunctionDefinition
	at where
}

// with returns calls with that of fd at w inside of them.
func (calls callStack) with(fd *cc.FunctionDefinition, w where) callStack {
	return append(calls[:len(calls):len(calls)], inlinedCall{fd, w})
}

func (calls callStack) holds(fd *cc.FunctionDefinition) bool {
	return slices.ContainsFunc(calls, func(c inlinedCall) bool { return c.fd == fd })
}

func (calls callStack) innermost() *cc.FunctionDefinition { return calls[len(calls)-1].fd }

// An expander puts the statements of functions where the region calls them as statements.
type expander struct {
	*survey
	calls callStack // around this place
}

// definition returns the function of the file that f names, or nil.
func (src *source) definition(f ident) *cc.FunctionDefinition {
	if f.decl == nil || f.decl.Type().Kind() != cc.Function {
		return nil
	}
	for tu := src.u.ast.TranslationUnit; tu != nil; tu = tu.TranslationUnit {
		if fd := tu.ExternalDeclaration.FunctionDefinition; fd != nil && fd.Declarator.Name() == f.name {
			return fd
		}
	}
	return nil
}

// bodyOf returns the statements of fd.
func (src *source) bodyOf(fd *cc.FunctionDefinition) block {
	return src.u.members.resolvedStmt(convertBlock(fd.CompoundStatement)).(block)
}

// parameters returns the parameters of fd.
func parameters(fd *cc.FunctionDefinition) (ds []*cc.Declarator) {
	t, ok := fd.Declarator.Type().(*cc.FunctionType)
	if !ok {
		return nil
	}
	for _, p := range t.Parameters() {
		if p.Declarator != nil && p.Type().Kind() != cc.Void {
			ds = append(ds, p.Declarator)
		}
	}
	return ds
}

const pureRule = "allowed: functions of the file that compute a value from their arguments and from arrays, with assignments to local variables, if and return"

// enter checks a call of fd, inside calls, and returns its parameters.
func (ns *notes) enter(calls callStack, e call, fd *cc.FunctionDefinition) ([]*cc.Declarator, bool) {
	name := fd.Declarator.Name()
	params := parameters(fd)
	t, _ := fd.Declarator.Type().(*cc.FunctionType)
	switch {
	case calls.holds(fd):
		ns.errorf("HX103", e.where, pureRule, "write it as a loop, or keep it out of the region", "function '%s' calls itself", name)
	case t == nil || t.IsVariadic() || len(params) != len(e.args):
		ns.errorf("HX103", e.where, fmt.Sprintf("'%s' takes %d %s", name, len(params), plural(int64(len(params)), "argument")), "give it as many",
			"'%s' is called with %d %s", name, len(e.args), plural(int64(len(e.args)), "argument"))
	case ns.u.attributes.names[name+"()"] != "":
		text := ns.u.attributes.names[name+"()"]
		ns.errorf("HX106", e.where, attributeRule, fmt.Sprintf("remove %s, or write its expression here", text), "function '%s' is declared with %s", name, text)
	default:
		for i, d := range params {
			if !ns.checkAttached(ident{e.args[i].at(), d.Name(), d}) {
				return nil, false
			}
			if !ns.checkArgument(fd, d, e.args[i]) {
				return nil, false
			}
		}
		return params, true
	}
	return nil, false
}

// inline returns the value of call e of fd: its statements become part of the body of n.
func (sr *statementReader) inline(e call, fd *cc.FunctionDefinition) (scop.Expr, bool) {
	params, ok := sr.enter(sr.calls, e, fd)
	if !ok {
		return nil, false
	}
	result, isNumber := numberType(fd.Declarator.Type().(*cc.FunctionType).Result())
	if !isNumber || fd.Declarator.Type().(*cc.FunctionType).Result().Kind() == cc.Void {
		sr.errorf("HX103", e.where, pureRule, "let it return a number", "the result of function '%s' is no number", fd.Declarator.Name())
		return nil, false
	}
	if d := fd.Declarator; len(sr.calls) == 0 && d.IsStatic() && !d.IsInline() {
		sr.expanded[d.Name()] = true
	}
	body := sr.bodyOf(fd)
	locals, arrays, ok := sr.pass(e, params, body)
	if !ok {
		return nil, false
	}
	old := map[*cc.Declarator]*local{}
	for d, l := range locals {
		old[d] = sr.n.locals[d]
		sr.n.locals[d] = l
	}
	calls := sr.calls
	sr.calls = calls.with(fd, e.where)
	outer := sr.returned
	sr.returned = &resultOf{typ: result, depth: len(sr.tests)}
	stmts, open := lowerJumps(flatten([]stmt{replaced(body, arrays)}), "'return'")
	if open {
		sr.errorf("HX103", e.where, pureRule, "end every way through it with return", "function '%s' may end without a value", fd.Declarator.Name())
	} else {
		sr.bodyStmts(stmts)
	}
	value := sr.returned.value
	sr.returned = outer
	sr.calls = calls
	for d, l := range old {
		if sr.n.locals[d] = l; l == nil {
			delete(sr.n.locals, d)
		}
	}
	return value, value != nil && !open
}

// impure reports, at the call in the region, that a function which is being
// inlined assigns to what is not its own at w.
func (sr *statementReader) impure(w where, what string) {
	sr.errorf("HX103", sr.calls[0].at, "allowed: functions that compute a value and do nothing else", "return the value, and assign it outside of the function",
		"function '%s' assigns to '%s'", sr.calls.innermost().Declarator.Name(), what)
	d := sr.errs[len(sr.errs)-1]
	d.Notes = append(d.Notes, diag.Note{At: sr.f.span(w), Msg: "the assignment"})
}

// A resultOf is the value of the function that is being inlined.
type resultOf struct {
	typ   scop.Type
	depth int // the branches around the call
	value scop.Expr
	local *local // holds it where branches set it
}

// result takes s as the value of the function that is being inlined.
func (sr *statementReader) result(s resultStmt) {
	r := sr.returned
	if r == nil {
		sr.errorf("HX102", s.where, bodyRule, "remove it", "'return' in a loop nest")
		return
	}
	x, ok := sr.value(s.x)
	if !ok {
		sr.dropped(s.where)
		x = scop.Const{T: r.typ}
	}
	x = convert(x, r.typ, true)
	if len(sr.tests) == r.depth {
		r.value = x
		return
	}
	if r.local == nil {
		r.local = sr.newLocal(sr.unique(sr.n, "r"), r.typ, r.depth)
	}
	sr.let(r.local, x)
	r.value = r.local.read()
}

// pass returns the locals of a call for the parameters that are numbers, set to
// their arguments, and what replaces the names of the others in the body.
func (sr *statementReader) pass(e call, params []*cc.Declarator, body stmt) (locals map[*cc.Declarator]*local, arrays func(expr) expr, ok bool) {
	locals, ok = map[*cc.Declarator]*local{}, true
	pointers := map[*cc.Declarator]expr{}
	for i, d := range params {
		t, isNumber := storedType(d.Type())
		if !isNumber || t.IsNarrow() && isNamed(d, e.args[i], body) {
			pointers[d] = e.args[i]
			if effects := (&expander{sr.survey, sr.calls}).effectsOf(e.args[i]); len(effects) > 0 {
				w := firstPart(effects[0])
				sr.errorf("HX103", w, "allowed: values without side effects", "do it in a statement of its own", "'%s' in an argument of a function", oneLine(sr.f.slice(w)))
				ok = false
			}
			continue
		}
		x, good := sr.value(e.args[i])
		if !good {
			ok = false
			continue
		}
		x = stored(x, t)
		l := sr.newLocal(sr.unique(sr.n, d.Name()), t, len(sr.tests))
		sr.know(l, d, e.args[i])
		if isPlain(x) && !assigns(body, d) {
			l.alias, l.set, l.assigned = x, true, true
		} else {
			sr.let(l, x)
		}
		locals[d] = l
	}
	return locals, func(e expr) expr {
		if x, ok := e.(ident); ok && pointers[x.decl] != nil {
			return pointers[x.decl]
		}
		return e
	}, ok
}

// isPlain reports whether x is a number, or a variable that keeps its value while an expression is computed.
func isPlain(x scop.Expr) bool {
	switch x := x.(type) {
	case scop.Const, scop.Var:
		return true
	case scop.Cast:
		return isPlain(x.X)
	}
	return false
}

// assigns reports whether s sets d, or takes its address.
func assigns(s stmt, d *cc.Declarator) (found bool) {
	eachExprIn(s, func(e expr) {
		switch e := e.(type) {
		case assign:
			found = found || isIdent(e.x, d)
		case unary:
			found = found || e.op == "&" && isIdent(e.x, d)
		}
	})
	return found
}

// expand returns ss with each call of a function of the file that stands as a
// statement replaced by the statements of the function.
func (ex *expander) expand(ss []stmt) []stmt {
	return mapAll(ss, ex.expandStmt)
}

func (ex *expander) expandStmt(s stmt) stmt {
	switch s := s.(type) {
	case block:
		return block{s.where, ex.expand(s.items)}
	case forStmt:
		s.body = ex.expandStmt(s.body)
		return s
	case ifStmt:
		s.then = ex.expandStmt(s.then)
		if s.orElse != nil {
			s.orElse = ex.expandStmt(s.orElse)
		}
		return s
	case otherStmt:
		switch {
		case s.isOnce():
			s.inner = ex.expand(s.inner)
		case isJump(s, "'return'") && len(ex.calls) > 0 && len(s.exprs) > 0: // nobody asks for the value
			effects := ex.effectsOf(s.exprs[0])
			s.exprs = nil
			return block{s.where, append(effects, s)}
		}
		return s
	case exprStmt:
		if _, exchange := ex.moves(s); exchange {
			return s
		}
		e := s.x
		if c, ok := e.(cast); ok && c.typ.Kind() == cc.Void {
			e = c.x
		}
		if c, ok := e.(call); ok {
			if f, ok := c.fun.(ident); ok {
				if fd := ex.definition(f); fd != nil {
					return ex.expandCall(c, fd)
				}
			}
		}
	}
	return s
}

// refusedCall stands for a call about which an error was noted.
const refusedCall = "a refused call"

// expandCall returns the statements of fd with the arguments of e in the place
// of its parameters. Arguments that are no plain names or numbers, or that the
// function changes, are assigned to the parameter first.
func (ex *expander) expandCall(e call, fd *cc.FunctionDefinition) stmt {
	params, ok := ex.enter(ex.calls, e, fd)
	if !ok {
		return otherStmt{where: e.where, what: refusedCall}
	}
	ex.expanded[fd.Declarator.Name()] = true
	body := ex.bodyOf(fd)
	ex.inlined = append(ex.inlined, body.where)
	args := map[*cc.Declarator]expr{}
	out := block{where: e.where}
	for i, d := range params {
		arg := e.args[i]
		if isNamed(d, arg, body) {
			args[d] = arg
			out.items = append(out.items, ex.effectsOf(arg)...)
			continue
		}
		out.items = append(out.items, declStmt{arg.at(), []varDecl{{arg.at(), d, arg, nil}}})
	}
	inside := &expander{ex.survey, ex.calls.with(fd, e.where)}
	stmts, _ := lowerJumps(flatten(inside.expand(body.items)), "'return'")
	put := func(e expr) expr {
		if x, ok := e.(ident); ok && args[x.decl] != nil {
			return args[x.decl]
		}
		return e
	}
	for _, s := range stmts {
		out.items = append(out.items, replaced(s, put))
	}
	return out
}
