package frontend

import (
	"slices"

	"modernc.org/cc/v4"
)

// This file walks through functions of the file where the region calls them, for the comparison with the program.

// A scope is where names are looked up: a function, and how it was called.
type scope struct {
	args     map[*cc.Declarator]expr
	caller   *scope
	locals   map[*cc.Declarator]expr // what is declared with a value
	assigned map[*cc.Declarator]bool // what is assigned besides
}

func newScope(body stmt, caller *scope) *scope {
	sc := &scope{caller: caller, args: map[*cc.Declarator]expr{}, locals: map[*cc.Declarator]expr{}, assigned: map[*cc.Declarator]bool{}}
	eachStmt(body, func(s stmt) {
		if d, ok := s.(declStmt); ok {
			for _, v := range d.vars {
				if v.init != nil {
					sc.locals[v.decl] = v.init
				}
			}
		}
	})
	eachExprIn(body, func(e expr) {
		switch e := e.(type) {
		case assign:
			if x, ok := e.x.(ident); ok {
				sc.assigned[x.decl] = true
			}
		case unary:
			if x, ok := e.x.(ident); ok && e.op == "&" {
				sc.assigned[x.decl] = true
			}
		}
	})
	return sc
}

// find returns the value that d has wherever it has one, and where to look up the names in it; nil if there is none.
func (sc *scope) find(d *cc.Declarator) (expr, *scope) {
	switch {
	case sc.assigned[d]:
		return nil, nil
	case sc.args[d] != nil:
		return sc.args[d], sc.caller
	}
	return sc.locals[d], sc
}

// isOfElement reports whether x, a member of what a parameter points to, is one of an element of an array.
func (l *lookout) isOfElement(x ident, sc *scope) bool {
	if !l.u.members.is(x.decl) {
		return false
	}
	at, sc := sc.find(l.u.members.rootOf(x.decl))
	for sc != nil {
		name, ok := at.(ident)
		if !ok {
			break
		}
		at, sc = sc.find(name.decl)
	}
	if sum, ok := at.(binary); ok && sum.op == "+" { // a + k is &a[k]
		return true
	}
	a, ok := at.(unary)
	if !ok || a.op != "&" {
		return false
	}
	_, ok = a.x.(index)
	return ok
}

// ofCaller reports whether d is a member of a struct that the function of sc is passed, and returns what the caller has there; nil, if that has no name.
func (l *lookout) ofCaller(d *cc.Declarator, sc *scope) (of *cc.Declarator, isPassed bool) {
	arg := sc.args[l.u.members.rootOf(d)]
	if arg == nil || !l.u.members.is(d) {
		return nil, false
	}
	return l.u.members.passed(d, arg), true
}

// isOwn reports whether e, in a function that is called, is an element that only the region sees.
func (l *lookout) isOwn(e expr, sc *scope) bool {
	return leadsInto(e, func(d *cc.Declarator) bool {
		return l.apart[d] || sc.args[d] != nil && sc.caller != nil && l.isOwn(sc.args[d], sc.caller)
	})
}

// call walks through the function of the file that e calls.
func (l *lookout) call(e call, when truth, sc *scope) {
	f, ok := e.fun.(ident)
	if !ok || l.definition(f) == nil || slices.Contains(l.calls, l.definition(f)) {
		return
	}
	fd := l.definition(f)
	body := l.u.members.resolvedStmt(convertBlock(fd.CompoundStatement))
	in := newScope(body, sc)
	for i, d := range parameters(fd) {
		if i < len(e.args) {
			in.args[d] = e.args[i]
		}
	}
	l.calls = append(l.calls, fd)
	l.sequence([]stmt{body}, when, in)
	l.calls = l.calls[:len(l.calls)-1]
}
