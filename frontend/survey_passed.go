package frontend

import (
	"slices"

	"modernc.org/cc/v4"

	"github.com/hexcc/hexcc/scop"
)

// This file finds calls in expressions that pass pointers to what the body declares for itself, and that are put before the statement for that:
//
//	double v[2] = {A[i - 1], A[i]}, rest;      double v[2] = {..}, rest, result;
//	B[i] = split(v, &rest) + 1;           =>   rest = v[0] - v[1];
//	                                           result = v[0];
//	                                           B[i] = result + 1;
//
// What is evaluated under a condition stays where it is.

// takesLocals reports whether e, a call of fd, which returns a number, passes a pointer to an array or a variable of the body, or a struct with arrays in it, of which the
// function has a copy.
func (st *structs) takesLocals(e call, fd *cc.FunctionDefinition) bool {
	t, ok := storedType(fd.Declarator.Type().(*cc.FunctionType).Result())
	return ok && st.u.numbers[t] != nil && (slices.ContainsFunc(e.args, func(a expr) bool { return st.localAt(a) != nil }) ||
		slices.ContainsFunc(parameters(fd), func(d *cc.Declarator) bool { return holdsArrays(d.Type()) }))
}

// holdsArrays reports whether t is a struct of numbers with arrays in it.
func holdsArrays(t cc.Type) bool {
	leaves, ok := leavesOf(t)
	return ok && slices.ContainsFunc(leaves, func(l leaf) bool { return len(l.subs) > 0 })
}

// localAt returns the variable, the struct or the array of the body that e points into, or nil.
func (st *structs) localAt(e expr) *cc.Declarator {
	d := (*cc.Declarator)(nil)
	if x, ok := scalarAt(e); ok {
		d = x.decl
	} else if isStructAddress(e) {
		d = e.(unary).x.(ident).decl
	} else if p, _, ok := pointer(e); ok && p.root.decl.Type().Kind() == cc.Array {
		d = p.root.decl
	}
	if d == nil || d.IsStatic() || d.IsExtern() || !st.inRegion(d) {
		return nil
	}
	return d
}

// changesBeside reports whether e, a call of fd, may change what it is passed of the body, where whole, which it is a part of, has that elsewhere, too: C
// says nothing of which comes first.
func (st *structs) changesBeside(e call, fd *cc.FunctionDefinition, whole expr) bool {
	body := convertBlock(fd.CompoundStatement)
	for i, d := range parameters(fd) {
		at := st.localAt(e.args[i])
		if at == nil || !mayChangeAt(body, d) {
			continue
		}
		if st.count(whole, at) > st.count(e, at) {
			return true
		}
	}
	return false
}

// count returns how often d, or a member of it, is named in e.
func (st *structs) count(e expr, d *cc.Declarator) (n int) {
	eachExpr(e, func(e expr) {
		if x, ok := e.(ident); ok && x.decl != nil && (x.decl == d || st.u.members.rootOf(x.decl) == d) {
			n++
		}
	})
	return n
}

// mayChangeAt reports whether body, of a function, may set what its parameter d points to.
func mayChangeAt(body stmt, d *cc.Declarator) (found bool) {
	if to := pointedTo(d.Type()); to != nil && to.Attributes() != nil && to.Attributes().IsConst() {
		return false
	}
	eachStmt(body, func(s stmt) {
		if x, ok := s.(declStmt); ok {
			found = found || slices.ContainsFunc(x.vars, func(v varDecl) bool { return v.init != nil && isPointer(v.decl) && mentions(v.init, d) })
		}
	})
	eachExprIn(body, func(e expr) {
		switch e := e.(type) {
		case assign:
			found = found || mentions(e.x, d)
		case call:
			found = found || slices.ContainsFunc(e.args, func(a expr) bool { return mentions(a, d) })
		}
	})
	return found
}

// inTurn returns the statements that compute the parts of c, which s consists of, one after the other: s alone if nothing is put in front of them.
func (st *structs) inTurn(s exprStmt, c comma) []stmt {
	var all []stmt
	for _, x := range c.xs {
		all = append(all, st.stmt(exprStmt{x.at(), x})...)
	}
	if len(all) == len(c.xs) && !slices.ContainsFunc(all, func(s stmt) bool { _, plain := s.(exprStmt); return !plain }) {
		return []stmt{s}
	}
	return []stmt{block{s.where, all}}
}

// numberLike returns a variable of type t for the result of a function, x, and its declaration.
func (st *structs) numberLike(w where, x ident, t scop.Type) (ident, []stmt) {
	x.decl = st.u.element(x.decl, 0, t)
	st.apart[x.decl] = true
	return x, []stmt{declStmt{w, []varDecl{{where: w, decl: x.decl}}}}
}

// setResult returns the statements that set the result of the function to that of s.
func (st *structs) setResult(s resultStmt) []stmt {
	if _, number := storedType(st.result.decl.Type()); number {
		pre, x := st.hoist(s.x)
		return append(pre, exprStmt{s.where, assign{s.where, "=", *st.result, x}})
	}
	return st.assign(s.where, *st.result, s.x, true)
}

// isNamed reports whether argument i of a function with this body is named by its parameter, as isNamed has it, also where the function sets what other
// arguments point to.
func (sv *survey) isNamed(params []*cc.Declarator, args []expr, i int, body stmt) bool {
	x, variable := args[i].(ident)
	if _, number := storedType(params[i].Type()); !isNamed(params[i], args[i], body) || !variable || !number || x.decl == nil {
		return isNamed(params[i], args[i], body)
	}
	return !slices.ContainsFunc(params, func(d *cc.Declarator) bool {
		a := args[slices.Index(params, d)]
		if y, ok := scalarAt(a); ok {
			return y.decl == x.decl && mayChangeAt(body, d)
		}
		return isStructAddress(a) && a.(unary).x.(ident).decl == sv.u.members.rootOf(x.decl) && mayChangeAt(body, d)
	})
}
