package frontend

import (
	"modernc.org/cc/v4"

	"github.com/hexcc/hexcc/scop"
)

// This file reads small loops of a body that end by a break, where data decide when, such as a search in a table:
//
//	for (k = 0; k < 3; k++)         =>   int going = 1;
//	  if (x < edge[k])                   k = 0;  if (x < edge[0]) going = 0;
//	    break;                           if (going) { k = 1;  if (x < edge[1]) going = 0; }
//	                                     if (going) { k = 2;  if (x < edge[2]) going = 0; }
//	                                     if (going) k = 3;
//
// All iterations are computed, whichever is the last one that counts. So the loop sets nothing but locals, and what it reads of arrays by its variable lies in arrays whose extents are
// declared: of others it would be taken that they go as far as the last iteration.

// leaving is what stands for a break in the statements of such a loop.
const leaving = "the end of a loop"

// leavable returns the statements of the body of f, without continue and break; where there were breaks, sr.going is the local that says whether iterations follow. It reports what
// it does not take.
func (sr *statementReader) leavable(f forStmt) (body []stmt, ok bool) {
	body, sr.going = withoutContinue(f.body), nil
	if !jumps(f.body, "'break'") {
		return body, true
	}
	if !sr.onlySearches(f) {
		sr.bodyStmts(body) // which reports them
		return nil, false
	}
	sr.going = sr.newLocal(sr.unique(sr.n.names, "going"), scop.Int, len(sr.tests))
	sr.let(sr.going, scop.Const{T: scop.Int, I: 1})
	body, _ = lowerJumps(withLeaving(body), "'break'")
	return body, true
}

// withLeaving returns ss with a mark in front of each break.
func withLeaving(ss []stmt) (out []stmt) {
	for _, s := range flatten(ss) {
		switch x := s.(type) {
		case ifStmt:
			x.then = block{x.where, withLeaving([]stmt{x.then})}
			if x.orElse != nil {
				x.orElse = block{x.where, withLeaving([]stmt{x.orElse})}
			}
			s = x
		case otherStmt:
			if isJump(s, "'break'") {
				out = append(out, otherStmt{where: x.where, what: leaving})
			}
		}
		out = append(out, s)
	}
	return out
}

// onlySearches reports whether the body of f sets nothing but scalars, and reads elements that its variable tells apart of declared arrays only.
func (sr *statementReader) onlySearches(f forStmt) bool {
	ok, d := true, iteratorOf(f)
	eachExprIn(f.body, func(e expr) {
		switch e := e.(type) {
		case assign:
			x, scalar := e.x.(ident)
			ok = ok && scalar && !isPointer(x.decl)
		case index:
			p, known := lvalue(e)
			ok = ok && (!mentionsAny(children(e), []*cc.Declarator{d}) || known && !p.throughPointer() && !p.cast && p.root.decl.Type().Kind() == cc.Array && !p.root.decl.IsParam())
		case unary:
			ok = ok && e.op != "*" && e.op != "&"
		case call:
			g, named := e.fun.(ident)
			_, computed := scop.Computable(g.name)
			ok = ok && named && computed && sr.definition(g) == nil
		}
	})
	return ok
}

// whileGoing adds the actions that read adds, of iteration number count of a loop, or behind its last one: where the loop may have ended before, under the condition that it has not.
func (sr *statementReader) whileGoing(count int, read func()) {
	if sr.going == nil || count == 0 {
		read()
		return
	}
	before := sr.states()
	test := sr.keep(scop.Binary{Op: "!=", X: sr.going.read(), Y: scop.Const{T: scop.Int}})
	then := sr.branchOf(test, read)
	after := sr.states()
	sr.restore(before)
	for l := range sr.all {
		l.assigned = l.assigned || after[l].assigned
	}
	sr.join(before, test, then, nil)
}
