package frontend

import (
	"slices"

	"modernc.org/cc/v4"

	"github.com/hexcc/hexcc/scop"
)

// This file tells which statements a region may hold, and what of the others decides how a loop runs.

// plain reports whether s is a loop that a region may hold, or an assignment to an element.
func (h *hostLoops) plain(s stmt) bool {
	switch s := s.(type) {
	case forStmt:
		return !h.holdsSteps(s) && h.known(s) && !h.gathersLong(s) && !h.gathersByCall(s) && h.setsByNest(s) && !h.samples(s) && !h.setsByMethods(s) && !h.accumulates(s)
	case exprStmt:
		if a, ok := s.x.(assign); ok {
			p, ok := lvalue(a.x)
			return ok && len(p.subs) > 0 && readsElement(a.y) && h.known(s) && !h.gathersByCall(s)
		}
	}
	return false
}

// gathersLong reports whether a loop of s gathers scalars, but for small loops that are written out.
func (h *hostLoops) gathersLong(s forStmt) bool {
	return len(h.gatheredIn(s)) > 0 || contains(s.body, func(s stmt) bool {
		f, ok := s.(forStmt)
		return ok && len(h.gatheredIn(f)) > 0 && !(writtenOut(f) && isShort(f))
	})
}

// gathersByCall reports whether s uses the value of a function of the file that has loops, but for small ones that are written out: no region
// holds that, and the host computes it where it stands.
func (h *hostLoops) gathersByCall(s stmt) bool {
	ofNests := func(e expr) (found bool) {
		eachExpr(e, func(e expr) { found = found || h.callsLoops(e) })
		return found
	}
	return contains(s, func(s stmt) bool {
		if x, ok := s.(exprStmt); ok {
			if c, ok := withoutCasts(x.x).(call); ok { // its value is not used
				return slices.ContainsFunc(c.args, ofNests)
			}
		}
		return slices.ContainsFunc(exprsOf(s), ofNests)
	})
}

// callsLoops reports whether e calls a function of the file that has loops, or calls one that has, but for small ones.
func (h *hostLoops) callsLoops(e expr) bool {
	c, ok := e.(call)
	if !ok {
		return false
	}
	f, named := c.fun.(ident)
	fd := h.definition(f)
	if !named || fd == nil || h.calling[fd] {
		return false
	}
	body, found := h.bodyOf(fd), false
	eachExprIn(body, func(e expr) { found = found || h.inside(fd).callsLoops(e) })
	return found || contains(body, func(s stmt) bool {
		if f, counts := s.(forStmt); counts {
			return !writtenOut(f) && !searches(f)
		}
		o, other := s.(otherStmt)
		return other && isLoop(s) && !o.isOnce()
	})
}

// writtenOut reports whether f, and the loops in it, run between numbers, and not often enough to be a nest over the grid.
func writtenOut(f forStmt) bool {
	times := int64(1)
	small := true
	eachStmt(f, func(s stmt) {
		f, ok := s.(forStmt)
		if !ok {
			return
		}
		between, ok := literalRange(f)
		if small = small && ok; small {
			times *= between + 1
			small = times <= maxUnroll
		}
	})
	return small
}

// literalRange returns how far the numbers are apart between which f runs; ok is false if they are none.
func literalRange(f forStmt) (between int64, ok bool) {
	c, compares := f.cond.(binary)
	from, starts := literal(initOf(f))
	if !compares || !starts {
		return 0, false
	}
	to, ends := literal(c.y)
	if !ends {
		to, ends = literal(c.x)
	}
	return max(to-from, from-to), ends
}

// searches reports whether f may end by a break and runs between numbers that are computed, such as SIZE - 2, not too often to be written out.
func searches(f forStmt) bool {
	folded, ok := mapStmt(f, foldedNumbers).(forStmt)
	return ok && jumps(f.body, "'break'") && writtenOut(folded)
}

// known reports whether s holds nothing but what regions may hold: no jumps but those out of searches, no other loops that end by values, no calls of
// functions that are not known.
func (h *hostLoops) known(s stmt) bool {
	ends := map[where]bool{} // breaks of small loops that regions write out
	eachStmt(s, func(s stmt) {
		if f, is := s.(forStmt); is && searches(f) {
			eachStmt(f.body, func(s stmt) { ends[s.at()] = isJump(s, "'break'") })
		}
	})
	ok := !contains(s, func(s stmt) bool {
		o, is := s.(otherStmt)
		return is && !o.isOnce() && o.what != "'continue'" && !(o.what == "'break'" && ends[o.where])
	})
	var assigned []*cc.Declarator
	eachStmt(s, func(s stmt) {
		if f, is := s.(forStmt); is {
			assigned = append(assigned, assignedIn(f.body)...)
		}
	})
	eachStmt(s, func(s stmt) {
		if f, is := s.(forStmt); is {
			ok = ok && iteratorOf(f) != nil && f.cond != nil && !mentionsAny([]expr{f.cond}, assigned) && !readsElement(f.cond)
		}
	})
	eachExprIn(s, func(e expr) { ok = ok && h.knownCall(e) })
	return ok
}

// knownCall reports whether e is no call, or one that only computes a value, or that of a function of the file.
func (h *hostLoops) knownCall(e expr) bool {
	c, is := e.(call)
	if !is {
		o, other := e.(otherExpr)
		return !other || o.what == "initializer list"
	}
	f, named := c.fun.(ident)
	if !named {
		return false
	}
	_, computed := scop.Computable(f.name)
	return computed || h.definition(f) != nil && !h.callsUnknown(f)
}

// gatheredIn returns the scalars that pass from one iteration of f to the next.
func (h *hostLoops) gatheredIn(f forStmt) (ds []*cc.Declarator) {
	for _, d := range assignedIn(f) {
		if slices.Contains(ds, d) || isPointer(d) || declaredWithin(f, h.u.members.rootOf(d)) {
			continue
		}
		u := &liveness{source: h.source, decl: d, inside: true, runs: true} // where a loop in it does not run, it leaves d to nobody, either
		u.stmt(f.body)
		if u.fate != killed && !iterates(f, d) {
			ds = append(ds, d)
		}
	}
	return ds
}

// gatheredByNest returns the scalars that f, a nest that is no loop over time steps, gathers, and the arrays in whose elements it gathers.
func (h *hostLoops) gatheredByNest(f forStmt) []*cc.Declarator {
	if ds := slices.Concat(h.gatheredIn(f), h.accumulators(f)); len(ds) > 0 && h.known(f) && !(h.timeLike(f) && h.setsInNests(f)) {
		return ds
	}
	return nil
}

// iterates reports whether d is the variable of a loop in s.
func iterates(s stmt, d *cc.Declarator) (found bool) {
	eachStmt(s, func(s stmt) {
		if f, ok := s.(forStmt); ok {
			found = found || iteratorOf(f) == d
		}
	})
	return found
}

// endsByData reports whether the end of loop s depends on elements, or on scalars that it sets in another way than counters.
func (h *hostLoops) endsByData(s, body stmt) bool {
	var tests []expr
	switch s := s.(type) {
	case forStmt:
		tests = append(tests, s.cond)
	case otherStmt:
		tests = append(tests, s.exprs...)
	}
	eachStmt(body, func(s stmt) {
		if x, ok := s.(ifStmt); ok && contains(x.then, func(s stmt) bool { return isJump(s, "'break'") || isJump(s, "'return'") }) {
			tests = append(tests, x.cond)
		}
	})
	var set []*cc.Declarator
	eachExprIn(body, func(e expr) {
		if a, ok := e.(assign); ok {
			if x, ok := a.x.(ident); ok && x.decl != nil {
				if _, counts := stepOf(a, x.decl); !counts {
					set = append(set, x.decl)
				}
			}
		}
	})
	changed := h.alteredBy(body)
	for _, e := range tests {
		eachExpr(e, func(e expr) {
			if x, ok := e.(ident); ok && x.decl != nil && x.decl.Type().Kind() != cc.Function && changed.indirectly(x.decl) {
				set = append(set, x.decl)
			}
		})
	}
	return mentionsAny(tests, set) || slices.ContainsFunc(tests, func(e expr) bool { return e != nil && readsElement(e) })
}

// callsUnknown reports whether f is a function of which the file shows nothing, or one that calls such a function, as one that prints does.
func (h *hostLoops) callsUnknown(f ident) bool {
	fd := h.definition(f)
	if fd == nil {
		return true
	}
	return !h.calling[fd] && h.inside(fd).calls(h.bodyOf(fd))
}

// reports reports whether s is a loop that sets no elements and calls functions of which the file shows nothing, as one that prints a grid: the host runs it as it is.
func (h *hostLoops) reports(s stmt) bool { return isLoop(s) && h.calls(s) && !h.setsInNests(s) }

// calls reports whether body calls, as a statement of its own or for the value of a scalar, a function of which the file shows nothing, or one that does.
func (h *hostLoops) calls(body stmt) bool {
	unknown := func(e expr) bool {
		c, ok := e.(call)
		if !ok {
			return false
		}
		f, named := c.fun.(ident)
		return named && h.callsUnknown(f)
	}
	value := func(e expr) (found bool) {
		eachExpr(e, func(e expr) { found = found || unknown(e) && !h.knownCall(e) })
		return found
	}
	return contains(body, func(s stmt) bool {
		switch s := s.(type) {
		case declStmt:
			return slices.ContainsFunc(s.vars, func(v varDecl) bool { return v.init != nil && value(v.init) })
		case exprStmt:
			if a, ok := s.x.(assign); ok && a.y != nil {
				_, scalar := a.x.(ident)
				return scalar && value(a.y)
			}
			return unknown(s.x)
		}
		return false
	})
}

// perfect returns the loops of f, outside in, and the body of the innermost.
func perfect(f forStmt) (loops []forStmt, body stmt) {
	for {
		loops, body = append(loops, f), f.body
		inner := body
		for {
			b, ok := inner.(block)
			if !ok || len(b.items) != 1 {
				break
			}
			inner = b.items[0]
		}
		next, ok := inner.(forStmt)
		if !ok {
			return loops, body
		}
		f = next
	}
}
