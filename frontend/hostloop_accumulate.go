package frontend

import (
	"fmt"
	"slices"

	"modernc.org/cc/v4"
)

// This file finds nests that gather in elements of arrays, or in variables of an iteration, over loops of theirs. No region holds them, since each iteration needs what
// the one before it has left:
//
//	for (k..) { mass[k] = 0; for (i..) for (j..) mass[k] += rho[k][i][j]; }
//	for (i..) { double s = 0; for (j..) s += u[i][j]; mean[i] = s / m; }
//
// The host runs them as they are. Where a nest stores more than that, it is divided as one that gathers scalars is (hostloop_divide.go).

// accumulators returns the arrays in whose elements nests of s gather: they read and set one element in all iterations of two loops or more, or of all loops that the nest has.
// What runs in order along one loop alone may be in a region.
func (h *hostLoops) accumulators(s stmt) (ds []*cc.Declarator) {
	note := func(d *cc.Declarator, a assign) {
		if !slices.Contains(ds, d) && (a.op != "=" || readsArray(s, d)) {
			ds = append(ds, d)
		}
	}
	var visit func(s stmt, loops []forStmt)
	visit = func(s stmt, loops []forStmt) {
		if f, ok := s.(forStmt); ok {
			if !isShort(f) && !h.holdsPlacing(f) {
				loops = append(slices.Clip(loops), f)
			}
			visit(f.body, loops)
			return
		}
		for _, x := range exprsOf(s) {
			a, _ := x.(assign)
			if _, ok := a.x.(index); !ok { // sums in what pointers lead to may be scalars of others: see frontend_inline.go
				continue
			}
			p, element := lvalue(a.x)
			if !element || len(p.subs) == 0 || p.root.decl == nil || declaredWithinAny(loops, p.root.decl) {
				continue
			}
			counted := h.madeOf(loops, p.subs)
			over := len(slices.DeleteFunc(slices.Clone(loops), func(f forStmt) bool { return counted[iteratorOf(f)] }))
			if over > 1 || over > 0 && over == len(loops) { // it is the same element in all iterations of these
				note(p.root.decl, a)
			}
		}
		for _, in := range partsOf(s) {
			visit(in, loops)
		}
	}
	visit(s, nil)
	return ds
}

// isShort reports whether f is so short that it is written out for its size: it is over neighbours or components, and not over the grid.
func isShort(f forStmt) bool {
	between, ok := literalRange(f)
	return ok && between <= maxWindow
}

// holdsPlacing reports whether f is a loop around nests: it holds loops that place elements, or calls functions that have loops.
func (h *hostLoops) holdsPlacing(f forStmt) bool {
	return h.timeLike(f) && (len(h.callsOfNests(f.body)) > 0 || contains(f.body, func(s stmt) bool { in, ok := s.(forStmt); return ok && !writtenOut(in) && h.placesElements(in) }))
}

// declaredWithinAny reports whether one of loops declares d.
func declaredWithinAny(loops []forStmt, d *cc.Declarator) bool {
	return slices.ContainsFunc(loops, func(f forStmt) bool { return declaredWithin(f, d) })
}

// partsOf returns the statements that s consists of.
func partsOf(s stmt) []stmt {
	switch s := s.(type) {
	case block:
		return s.items
	case ifStmt:
		if s.orElse != nil {
			return []stmt{s.then, s.orElse}
		}
		return []stmt{s.then}
	case otherStmt:
		return s.inner
	}
	return nil
}

// readsArray reports whether s reads elements of d, other than those that it sets by the same expression.
func readsArray(s stmt, d *cc.Declarator) (found bool) {
	eachStmt(s, func(s stmt) {
		for _, x := range exprsOf(s) {
			if a, ok := x.(assign); ok && a.op == "=" {
				if p, element := lvalue(a.x); element && p.root.decl == d {
					found = found || a.y != nil && mentions(a.y, d) || mentionsAny(p.subs, []*cc.Declarator{d})
					continue
				}
			}
			found = found || mentions(x, d)
		}
	})
	return found
}

// madeOf returns the variables that xs are made of, by way of those that are set in the outermost of loops, too.
func (h *hostLoops) madeOf(loops []forStmt, xs []expr) map[*cc.Declarator]bool {
	of := map[*cc.Declarator]bool{}
	more := true
	note := func(x expr) {
		eachExpr(x, func(e expr) {
			if y, ok := e.(ident); ok && y.decl != nil && !of[y.decl] {
				of[y.decl], more = true, true
			}
		})
	}
	for _, x := range xs {
		note(x)
	}
	for more && len(loops) > 0 {
		more = false
		eachStmt(loops[0].body, func(s stmt) {
			if d, ok := s.(declStmt); ok {
				for _, v := range d.vars {
					if of[v.decl] {
						note(v.init)
					}
				}
			}
			for _, e := range exprsOf(s) {
				eachExpr(e, func(e expr) {
					if a, ok := e.(assign); ok {
						if x, scalar := a.x.(ident); scalar && of[x.decl] {
							note(a.y)
						}
					}
				})
			}
		})
	}
	return of
}

// accumulates reports whether nests of s, or of functions that it calls, gather in elements of arrays.
func (h *hostLoops) accumulates(s stmt) bool {
	return len(h.accumulators(s)) > 0 || slices.ContainsFunc(h.callsOfNests(s), func(f ident) bool {
		fd := h.definition(f)
		return !h.calling[fd] && h.inside(fd).accumulates(h.bodyOf(fd))
	})
}

// onHost reports whether the host runs nest f as it is: it gathers in elements, or in variables of an iteration, and no loop of it is one that a region may hold.
func (h *hostLoops) onHost(f forStmt) bool {
	if h.o.Ranks || h.o.Parts || !h.known(f) || !setsElements(f) || len(h.gatheredIn(f)) > 0 || len(h.callsOfNests(f)) > 0 || !h.accumulates(f) && !h.gathersLong(f) {
		return false
	}
	return !contains(f.body, func(s stmt) bool { in, ok := s.(forStmt); return ok && !writtenOut(in) && h.plain(in) })
}

// asItIsInThreads writes f, a nest that the host runs, as it stands, and in threads where no iteration of its outermost loop needs another one.
func (h *hostLoops) asItIsInThreads(f forStmt) {
	how := "in one thread"
	if guard, head, ok := h.canonicalHead(f); ok && guard == "" && h.iterationsApart(f) {
		how = fmt.Sprintf("in threads along '%s'", iteratorOf(f).Name())
		from, to := h.extent(f)
		inside, _ := h.extent(f.body)
		h.upTo(from)
		h.put("\n%s\n%s ", directive("parallel for"), head)
		h.skipTo(inside)
		h.upTo(to)
	} else {
		h.asItIs(f)
	}
	what := "in a variable"
	if ds := h.accumulators(f); len(ds) > 0 {
		what = fmt.Sprintf("in elements of '%s'", ds[0].Name())
	}
	h.remark(f, fmt.Sprintf("the host runs this nest as it is, %s: what it gathers %s passes from one iteration to the next", how, what))
}

// iterationsApart reports whether no iteration of f uses what another one sets: of arrays that f sets, all elements that it uses lie at the variable of f in one subscript, and
// whatever else it sets it declares.
func (h *hostLoops) iterationsApart(f forStmt) bool {
	k := iteratorOf(f)
	if _, own := f.init.(declStmt); !own || assigns(f.body, k) || len(assignedIn(f)) > 0 {
		return false
	}
	ok := true
	at := map[*cc.Declarator]int{} // by array that is set: the subscript
	eachExprIn(f.body, func(e expr) {
		if c, called := e.(call); called {
			g, _ := c.fun.(ident)
			ok = ok && h.definition(g) == nil
		}
		a, is := e.(assign)
		if !is {
			return
		}
		p, element := lvalue(a.x)
		if !element || p.root.decl == nil {
			ok = false
			return
		}
		if len(p.subs) == 0 || declaredWithin(f, p.root.decl) {
			ok = ok && declaredWithin(f, p.root.decl)
			return
		}
		n := slices.IndexFunc(p.subs, func(x expr) bool { return isIdent(withoutCasts(x), k) })
		if ok = ok && n >= 0; ok {
			at[p.root.decl] = n
		}
	})
	eachExprIn(f.body, func(e expr) {
		x, named := e.(ident)
		if !named || x.decl == nil {
			return
		}
		for d := range at {
			ok = ok && (d == x.decl || !(isPointer(x.decl) || x.decl.Type().Kind() == cc.Array) || declaredWithin(f, x.decl) || h.neverOverlap(d, x.decl))
		}
	})
	var uses func(e expr)
	uses = func(e expr) {
		if p, element := lvalue(e); element {
			if n, set := at[p.root.decl]; set {
				ok = ok && n < len(p.subs) && isIdent(withoutCasts(p.subs[n]), k)
			}
			for _, sub := range p.subs {
				uses(sub)
			}
			return
		}
		for _, in := range children(e) {
			uses(in)
		}
	}
	eachStmt(f.body, func(s stmt) {
		for _, e := range exprsOf(s) {
			uses(e)
		}
	})
	return ok && !contains(f.body, func(s stmt) bool { g, loop := s.(forStmt); _, own := g.init.(declStmt); return loop && !own })
}

// mostKept is how many bytes of an array in which a nest gathers are kept on the stack, so that the nest can run again as it was.
const mostKept = 1 << 16

// dividesAt reports whether the nest may be divided into what it stores and what it gathers in elements of array d: nothing else leads to these, and where they are gathered
// first, there are few of them.
func (r *reduction) dividesAt(d *cc.Declarator) bool {
	if r.u.members.is(d) || slices.Contains(assignedIn(r.nest), d) {
		return false
	}
	apart := true
	eachExprIn(r.nest, func(e expr) {
		switch e := e.(type) {
		case call:
			f, _ := e.fun.(ident)
			apart = apart && r.definition(f) == nil
		case index, unary, memberExpr:
			if p, ok := lvalue(e); ok && p.root.decl != nil && p.root.decl != d && (throughPointer(p) || isPointer(d) && len(p.subs) > 0) {
				apart = apart && r.neverOverlap(d, p.root.decl)
			}
		}
	})
	size := d.Type().Size()
	return apart && (!r.first || !isPointer(d) && size > 0 && size <= mostKept)
}
