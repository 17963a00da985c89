package frontend

import (
	"slices"

	"modernc.org/cc/v4"

	"github.com/hexcc/hexcc/diag"
	"github.com/hexcc/hexcc/scop"
)

// This file puts the value of a function of the file where an expression of the region calls it: its statements become
// part of the body.

// inline returns the value of call e of fd: its statements become actions before it is used.
func (sr *statementReader) inline(e call, fd *cc.FunctionDefinition) (scop.Expr, bool) {
	params, ok := sr.enter(sr.calls, e, fd)
	if !ok {
		return nil, false
	}
	result, isNumber := storedType(fd.Declarator.Type().(*cc.FunctionType).Result())
	if !isNumber || fd.Declarator.Type().(*cc.FunctionType).Result().Kind() == cc.Void {
		sr.errorf("HX103", e.where, pureRule, "let it return a number", "the result of function '%s' is no number", fd.Declarator.Name())
		return nil, false
	}
	if d := fd.Declarator; len(sr.calls) == 0 && d.IsStatic() && !d.IsInline() {
		sr.noLongerCalls(fd)
	}
	body := convertBlock(fd.CompoundStatement)
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
	stmts, open := lowerJumps(flatten([]stmt{sr.bodyWith(fd, putting(arrays))}), "'return'")
	if open {
		sr.errorf("HX103", e.where, pureRule, "end every way through it with return", "function '%s' may end without a value", fd.Declarator.Name())
	} else if x, sets := setsAt(e.args, stmts); sets {
		sr.impure(e.where, x.name)
		open = true
	} else {
		numbers := map[*cc.Declarator]expr{}
		for i, d := range params {
			if locals[d] != nil {
				numbers[d] = e.args[i]
			}
		}
		sr.bodyStmts(sr.writeOutBody(sr.withoutScratch(sr.withoutStructs(flatten((&expander{sr.survey, sr.calls}).expand(stmts)), sr.calls)), numbers))
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

// setsAt returns the variable of which args have the address and that ss, statements of the function, may set, if there is one.
func setsAt(args []expr, ss []stmt) (x ident, sets bool) {
	for _, a := range args {
		if x, ok := scalarAt(a); ok && slices.ContainsFunc(ss, func(s stmt) bool { return assigns(s, x.decl) }) {
			return x, true
		}
	}
	return ident{}, false
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
		x = scop.Const{T: calculated(r.typ)}
	}
	x = stored(x, r.typ)
	if len(sr.tests) == r.depth {
		r.value = x
		return
	}
	if r.local == nil {
		r.local = sr.newLocal(sr.unique(sr.n.names, "r"), r.typ, r.depth)
	}
	sr.let(r.local, x)
	r.value = r.local.read()
}

// pass returns the locals of a call for the parameters that are numbers, set to
// their arguments, and what replaces the names of the others in the body.
func (sr *statementReader) pass(e call, params []*cc.Declarator, body stmt) (locals map[*cc.Declarator]*local, arrays map[*cc.Declarator]expr, ok bool) {
	locals, ok = map[*cc.Declarator]*local{}, true
	pointers := map[*cc.Declarator]expr{}
	for i, d := range params {
		t, isNumber := storedType(d.Type())
		if !isNumber || t.IsNarrow() && sr.isNamed(params, e.args, i, body) {
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
		if sr.f.cxx != nil && x.Type().IsComplex() && !t.IsComplex() { // C++ calls another function of that name, of the library
			sr.errorf("HX103", e.where, complexRule, "write it with these", "'%s' of a complex number is not read", sr.textOf(e.fun))
			ok = false
			continue
		}
		x = stored(x, t)
		l := sr.newLocal(sr.unique(sr.n.names, d.Name()), t, len(sr.tests))
		sr.know(l, d, e.args[i])
		if isPlain(x) && !assigns(body, d) {
			l.alias, l.set, l.assigned = x, true, true
		} else {
			sr.let(l, x)
		}
		locals[d] = l
	}
	return locals, pointers, ok
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
