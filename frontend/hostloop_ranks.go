package frontend

import (
	"fmt"
	"slices"
	"strings"

	"modernc.org/cc/v4"

	"github.com/hexcc/hexcc/diag"
	"github.com/hexcc/hexcc/scop"
)

// This file writes regions anew for several ranks, each of which has a part of the arrays. Scalars are the same on all ranks. A nest that gathers scalars becomes two:
//
//	for (i..) for (j..) { A[i][j] = ..; e = fmax(e, fabs(A[i][j] - B[i][j])); }
//
//	=>  a region:    for (i..) for (j..) { A[i][j] = ..; hexcc_term1[i][j] = fabs(A[i][j] - B[i][j]); }
//	    of the host: for (the rank's own i..) for (j..) e = fmax(e, hexcc_term1[i][j]);    and what ranks do to have one e
//
// so that what a term reads of rows of other ranks is sent as it is for any other nest. Terms are in memory, as double, which holds all that they are: only scalars are
// taken of whose values that can be said. Where no order matters, as of a maximum, all ranks gather at once, and then the greatest of theirs is taken; else in the order of the program: a rank after the one
// below it, from what that has.

// ranksNames are functions that the text calls, with their declarations, which stand where they are called: the program that is printed has them.
const ranksNames = "extern int hexcc_mine(long); extern double hexcc_greatest(double); extern double hexcc_sum(double); extern void hexcc_take(void *, long), hexcc_pass(void *, long), hexcc_share(void *, long), *hexcc_terms(int, long, unsigned long);"

// gatherOnRanks writes nest f, which gathers ds.
func (h *hostLoops) gatherOnRanks(f forStmt, ds []*cc.Declarator) {
	r := &reduction{source: h.source, nest: f, gathered: ds, values: h.definitionsOf(f)}
	if !r.read(f) {
		h.refuseGather(f, ds, "is gathered by statements of other kinds than assignments under conditions")
		return
	}
	r.defineLocals()
	g, why := h.termsOf(r)
	switch {
	case why != "":
		h.refuseGather(f, ds, why)
		return
	case slices.ContainsFunc(g.box, func(x extentOf) bool { return strings.Contains(x.sub, "-") }):
		h.refuseGather(f, ds, notOfBox)
		return
	}
	if by, _ := stepOf(g.loops[0].step, iteratorOf(g.loops[0])); by < 0 {
		h.refuseGather(f, ds, "is gathered by a loop that counts down")
		return
	}
	h.found, h.gathers = true, true
	from, to := h.extent(f)
	h.upTo(from)
	h.put("{ %s\n", ranksNames)
	for _, t := range g.terms {
		row := "sizeof(double"
		for _, x := range g.box[1:] {
			row += " [" + x.size + "]"
		}
		h.line("%s = (%s)hexcc_terms(%s, (long)(%s), %s));", view("double", t.name, g.box), view("double", "", g.box), strings.TrimPrefix(t.name, "hexcc_term"), g.box[0].size, row)
	}
	h.nests([]stmt{f}, nil, "", func() { h.edited(from, to, g.edits(h)) }, func() {})
	h.skipTo(to)
	h.gatherTerms(g)
	h.put(" }")
}

// refuseGather tells why ranks cannot run f, which gathers ds.
func (h *hostLoops) refuseGather(f forStmt, ds []*cc.Declarator, why string) {
	h.refuseOnRanks(f, fmt.Sprintf("ranks cannot run this nest: '%s' %s", ds[0].Name(), why), "gather in a nest of its own, by += or fmax of a term")
}

// refuseOnRanks tells why the host cannot run s on several ranks.
func (h *hostLoops) refuseOnRanks(s stmt, why, help string) {
	h.failed = true
	h.refused = append(h.refused, &diag.Diagnostic{Code: "HX311", At: h.f.span(firstPart(s)), Msg: why, Help: help})
}

// checkOnRanks refuses a statement that is no nest where ranks would not all do the same: they have the same scalars, and each its part of the arrays.
func (h *hostLoops) checkOnRanks(s stmt) {
	if !h.o.Ranks {
		return
	}
	h.checkPointers(s)
	if ms, moves := h.moves(s); moves && len(ms) > 0 {
		return // pointers, to the first elements of arrays
	}
	if f, ok := s.(forStmt); ok && f.init != nil {
		h.checkOnRanks(f.init)
	}
	for _, e := range exprsOf(s) {
		eachExpr(e, func(e expr) {
			u, is := e.(unary)
			if _, element := e.(index); !h.failed && (element && h.constantNumber(e) == nil && !h.isWhole(e) || is && u.op == "*") {
				h.refuseOnRanks(s, "this reads, or sets, an element of an array, which one rank has", "gather what is needed of elements in a nest, as its sum or its greatest")
			}
			if c, ok := e.(call); ok && !h.failed && len(h.callsOfNests(exprStmt{c.where, c})) == 0 {
				f, named := c.fun.(ident)
				if _, known := scop.Computable(f.name); !named || !known && !h.ofScalars(c) {
					h.refuseOnRanks(s, fmt.Sprintf("'%s' would be called by each rank", h.spelled(c)), "call it before the region, or behind it: what the loop has found is in its scalars")
				}
			}
		})
	}
}

// isWhole reports whether e is an element of an array of numbers that no nest of the region uses, nor what it calls: each rank has all of it.
func (h *hostLoops) isWhole(e expr) bool {
	p, ok := lvalue(e)
	if !ok || p.root.decl == nil || len(p.fields) > 0 || slices.ContainsFunc(h.r.stmts, func(s stmt) bool { return declaredWithin(s, p.root.decl) }) {
		return false
	}
	if _, number := storedType(p.typ); !number {
		return false
	}
	whole := true
	for _, s := range h.r.stmts {
		eachStmt(s, func(s stmt) {
			if f, loop := s.(forStmt); loop && !h.timeLike(f) {
				eachExprIn(f, func(e expr) { whole = whole && !mentions(e, p.root.decl) })
			}
			for _, e := range exprsOf(s) {
				whole = whole && onlyElements(e, p.root.decl)
			}
		})
	}
	return whole
}

// onlyElements reports whether d stands in e only where elements of it do, numbers.
func onlyElements(e expr, d *cc.Declarator) bool {
	elements, uses := 0, 0
	eachExpr(e, func(e expr) {
		switch e := e.(type) {
		case ident:
			if e.decl == d {
				uses++
			}
		case index:
			p, ok := lvalue(e)
			if _, number := storedType(p.typ); ok && number && p.root.decl == d {
				elements++
			}
		}
	})
	return uses == elements
}

// checkAllOnRanks does so for a statement without nests that is written as it is, and for all in it. One that leaves the loop by another way than its end would leave ranks without what ends their messages.
func (h *hostLoops) checkAllOnRanks(s stmt) {
	if !h.o.Ranks {
		return
	}
	eachStmt(s, func(s stmt) {
		h.checkOnRanks(s)
		if x, ok := s.(otherStmt); ok && x.what != "'break'" && x.what != "'continue'" && !h.failed {
			h.refuseOnRanks(s, "ranks cannot run "+x.what+" beside nests", "let the condition of the loop, or break, end it, and do the rest behind the region")
		}
	})
}

// refuseCallOnRanks tells that s calls f, whose nests could not be written in its place.
func (h *hostLoops) refuseCallOnRanks(s stmt, f ident) {
	h.refuseOnRanks(s, fmt.Sprintf("ranks cannot run '%s' where it is called: what its nests do would have to be written there", f.name), "write what it does into the region")
	d := h.refused[len(h.refused)-1]
	d.Notes = append(d.Notes, diag.Note{Msg: "allowed: functions of this file, in C, without static variables, where they are always called, and where their names mean the same"})
}

// ofScalars reports whether c calls a function of the file, without loops, that gets numbers and addresses of pointers, and no pointers to elements,
// and that neither uses elements by those pointers nor calls what does more.
func (h *hostLoops) ofScalars(c call) bool {
	f, _ := c.fun.(ident)
	fd := h.definition(f)
	if fd == nil || h.calling[fd] || contains(h.bodyOf(fd), isLoop) {
		return false
	}
	for i, d := range parameters(fd) {
		p, points := d.Type().(*cc.PointerType)
		if i >= len(c.args) || points && p.Elem().Kind() != cc.Ptr {
			return false
		}
		if u, address := c.args[i].(unary); isPointer(d) && !(address && u.op == "&") {
			return false
		}
	}
	ok, in := true, h.inside(fd)
	eachStmt(h.bodyOf(fd), func(s stmt) { ok = ok && !leadsInside(s) })
	eachExprIn(h.bodyOf(fd), func(e expr) {
		switch x := e.(type) {
		case index:
			var of expr = x
			for i, is := of.(index); is; i, is = of.(index) {
				of = i.base
			}
			d := variableOf(of)
			ok = ok && d != nil && !isPointer(d)
		case unary:
			d := variableOf(x.x)
			ok = ok && (x.op != "*" || d != nil && leadsToPointers(d))
		case memberExpr:
			ok = ok && !x.arrow
		case call:
			g, named := x.fun.(ident)
			_, known := scop.Computable(g.name)
			ok = ok && named && (known || in.ofScalars(x))
		}
	})
	return ok
}

// leadsToPointers reports whether d is a pointer to pointers.
func leadsToPointers(d *cc.Declarator) bool {
	p, points := d.Type().(*cc.PointerType)
	return points && p.Elem().Kind() == cc.Ptr
}

// together reports whether steps of a chunk may be a region: ranks do not set back what they have computed, nor test after some steps only.
func (h *hostLoops) together(c *chunk) bool {
	return !h.o.Ranks || !h.o.InSteps && len(c.goals) == 0 && len(c.saves) == 0 && c.every == 0
}

// setsScalars reports whether a statement of body beside its nests sets a scalar. On one machine such scalars are computed before the loop, and are in tables;
// ranks run nothing before a time loop, and compute them at each step, all the same.
func setsScalars(body stmt) bool {
	return slices.ContainsFunc(items(body), func(s stmt) bool {
		x, ok := s.(exprStmt)
		if !ok || x.x == nil {
			return false
		}
		a, ok := x.x.(assign)
		if !ok {
			return false
		}
		d := variableOf(a.x)
		return d != nil && isScalarVariable(d)
	})
}

// holdsSteps reports whether f is a loop over time steps around another one, also one of a function that it calls, which is a loop of the host: ranks have such loops
// wherever there is one, others where no region holds it.
func (h *hostLoops) holdsSteps(f forStmt) bool {
	steps := func(f forStmt) bool { return h.timeLike(f) && (h.o.Ranks || !h.placesElements(f)) }
	seen := map[*cc.FunctionDefinition]bool{}
	var holds func(s stmt) bool
	holds = func(s stmt) (found bool) {
		if in, ok := s.(forStmt); ok && steps(in) && setsElements(in) {
			return true
		}
		for _, e := range exprsOf(s) {
			eachExpr(e, func(e expr) {
				c, _ := e.(call)
				g, _ := c.fun.(ident)
				if fd := h.definition(g); fd != nil && !seen[fd] {
					seen[fd] = true
					found = found || contains(h.bodyOf(fd), holds)
				}
			})
		}
		return found
	}
	return (h.o.Ranks || h.o.nested) && steps(f) && contains(f.body, holds)
}
