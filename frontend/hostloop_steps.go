package frontend

import (
	"fmt"
	"maps"
	"slices"

	"modernc.org/cc/v4"
)

// This file checks that the steps of a chunk do without what the host computes between them, and finds how they are counted.

// assignedIn returns what the loop assigns, or declares.
func (h *hostLoops) assignedIn(c *chunk) map[*cc.Declarator]bool {
	set := map[*cc.Declarator]bool{}
	eachExprIn(c.loop, func(e expr) {
		if a, ok := e.(assign); ok {
			if x, ok := a.x.(ident); ok {
				set[x.decl] = true
			}
		}
		if u, ok := e.(unary); ok && u.op == "&" {
			if x, ok := u.x.(ident); ok {
				set[x.decl] = true
			}
		}
	})
	for _, s := range c.body {
		eachStmt(s, func(s stmt) {
			if d, ok := s.(declStmt); ok {
				for _, v := range d.vars {
					set[v.decl] = true
				}
			}
			if f, ok := s.(forStmt); ok {
				set[iteratorOf(f)] = true
			}
		})
	}
	return set
}

// assignedUnderTests returns the scalars that the loop assigns only in items under conditions that counters decide.
func (h *hostLoops) assignedUnderTests(c *chunk, counted func(expr) bool) (ds []*cc.Declarator) {
	elsewhere := map[*cc.Declarator]bool{}
	note := func(s stmt, to map[*cc.Declarator]bool) {
		eachExprIn(s, func(e expr) {
			if a, ok := e.(assign); ok {
				if x, ok := a.x.(ident); ok {
					to[x.decl] = true
				}
			}
		})
	}
	under := map[*cc.Declarator]bool{}
	for _, it := range c.items {
		if s, ok := it.stmt.(ifStmt); ok && s.isUnder(counted) {
			note(s.then, under)
			if s.orElse != nil {
				note(s.orElse, under)
			}
		} else if it.stmt != nil {
			note(it.stmt, elsewhere)
		}
	}
	for _, d := range inOrder(h.source, under) {
		if !elsewhere[d] && h.isAutomatic(d) {
			ds = append(ds, d)
		}
	}
	return ds
}

// onlyDeclares reports whether s does nothing but declare its variables: steps that do not use them do without it.
func (h *hostLoops) onlyDeclares(s declStmt) bool {
	return !slices.ContainsFunc(s.vars, func(v varDecl) bool { return !h.onlyComputes(v.init) })
}

// onlyComputes reports whether e does nothing but compute its value: where nobody needs that, neither it nor the functions that it calls need to run.
func (h *hostLoops) onlyComputes(e expr) bool {
	only := true
	eachExpr(e, func(e expr) { only = only && h.knownCall(e) && !h.acts(e) })
	return only
}

// acts reports whether e sets a variable, or calls a function of the file that sets others than its own, elements too: that has to happen as often as in the
// original.
func (h *hostLoops) acts(e expr) bool {
	switch e := e.(type) {
	case assign:
		return true
	case call:
		f, _ := e.fun.(ident)
		fd := h.definition(f)
		return fd != nil && h.hasEffects(fd, map[*cc.FunctionDefinition]bool{})
	}
	return false
}

// dropped checks that what steps of a chunk do not set, they do not use.
func (h *hostLoops) dropped(c *chunk, resets []stmt, tests []expr) string {
	var gone []*cc.Declarator
	for _, s := range resets {
		if d, ok := s.(declStmt); ok {
			for _, v := range d.vars {
				gone = append(gone, v.decl)
			}
			continue
		}
		gone = append(gone, s.(exprStmt).x.(assign).x.(ident).decl)
	}
	for _, it := range c.items {
		if it.red != nil {
			gone = append(gone, it.red.gathered...)
		}
	}
	var used []expr
	used = append(used, c.cond...)
	for _, it := range c.items {
		switch {
		case it.tests != nil:
			used = append(used, it.tests...)
		case it.red != nil:
			for i := range it.red.leaves {
				if l := &it.red.leaves[i]; l.purpose != toGather {
					used = append(used, l.exprs()...)
				}
			}
		case it.kept:
			eachStmt(it.stmt, func(s stmt) { used = append(used, exprsOf(s)...) })
			used = append(used, h.exprsOfCalled(it.stmt, map[*cc.FunctionDefinition]bool{})...)
		}
	}
	for _, d := range gone {
		u := &liveness{source: h.source, decl: d, inside: true}
		for _, s := range c.body {
			u.stmt(s)
		}
		if u.fate != killed && !declaredWithin(block{items: c.body}, d) {
			return fmt.Sprintf("'%s' passes from one step to the next", d.Name())
		}
		if mentionsAny(used, []*cc.Declarator{d}) {
			return fmt.Sprintf("every step uses '%s', which the host computes", d.Name())
		}
	}
	return ""
}

// mayTrap returns a division of integers in what the steps of c run, by a value that is not the same at every step; nil if there is none. Steps beyond the
// end of the loop, which are set back, divide by what the original never has, such as zero, which ends the program.
func (h *hostLoops) mayTrap(c *chunk, steady func(e expr) bool) (division expr) {
	var look func(e expr, known func(divisor expr) bool, within map[*cc.FunctionDefinition]bool)
	look = func(e expr, known func(expr) bool, within map[*cc.FunctionDefinition]bool) {
		eachExpr(e, func(e expr) {
			switch e := e.(type) {
			case binary:
				if (e.op == "%" || e.op == "/" && !h.ofC(e).IsFloat()) && !known(e.y) {
					division = e
				}
			case assign:
				if (e.op == "%=" || e.op == "/=" && !h.ofC(e.x).IsFloat() && !h.ofC(e.y).IsFloat()) && !known(e.y) {
					division = e
				}
			case call:
				f, _ := e.fun.(ident)
				fd := h.definition(f)
				if fd == nil || within[fd] {
					return
				}
				params, inner := parameters(fd), maps.Clone(within)
				inner[fd] = true
				passed := func(divisor expr) bool {
					if x, ok := divisor.(ident); ok {
						if i := slices.Index(params, x.decl); i >= 0 {
							return i < len(e.args) && known(e.args[i]) && !assigns(h.bodyOf(fd), x.decl)
						}
					}
					return isDivisor(divisor)
				}
				eachStmt(h.bodyOf(fd), func(s stmt) {
					for _, e := range exprsOf(s) {
						look(e, passed, inner)
					}
				})
			}
		})
	}
	for _, it := range c.items {
		if it.kept || it.red != nil {
			eachStmt(it.stmt, func(s stmt) {
				for _, e := range exprsOf(s) {
					look(e, func(divisor expr) bool { return isDivisor(divisor) || steady(divisor) }, map[*cc.FunctionDefinition]bool{})
				}
			})
		}
	}
	return division
}

// isDivisor reports whether e is a number by which every integer can be divided: neither 0 nor -1.
func isDivisor(e expr) bool {
	v, ok := literal(withoutCasts(e))
	return ok && v != 0 && v != -1
}

// exprsOfCalled returns the expressions of the functions of the file that s calls, and of those that they call, but for the seen ones.
func (h *hostLoops) exprsOfCalled(s stmt, seen map[*cc.FunctionDefinition]bool) (all []expr) {
	eachExprIn(s, func(e expr) {
		c, _ := e.(call)
		f, _ := c.fun.(ident)
		if fd := h.definition(f); fd != nil && !seen[fd] {
			seen[fd] = true
			body := h.bodyOf(fd)
			eachStmt(body, func(s stmt) { all = append(all, exprsOf(s)...) })
			all = append(all, h.exprsOfCalled(body, seen)...)
		}
	})
	return all
}

// useCounter finds the counter that kept items use.
func (h *hostLoops) useCounter(c *chunk) string {
	passed := map[*cc.Declarator]bool{}
	for _, it := range c.items {
		if it.counter != nil {
			passed[it.counter.decl] = true
			continue
		}
		if !it.kept {
			continue
		}
		for i := range c.counters {
			k := &c.counters[i]
			if mentionsAny(h.exprsOfCalled(it.stmt, map[*cc.FunctionDefinition]bool{}), []*cc.Declarator{k.decl}) {
				return fmt.Sprintf("functions that its nests call use '%s', which counts steps", k.decl.Name())
			}
			found := false
			eachExprIn(it.stmt, func(e expr) { found = found || isIdent(e, k.decl) })
			if !found {
				continue
			}
			if c.counted != nil && (c.counted.decl != k.decl || c.after != passed[k.decl]) || k.by != 1 {
				return fmt.Sprintf("its nests use '%s' and another number of the step", k.decl.Name())
			}
			c.counted, c.after = k, passed[k.decl]
		}
	}
	return ""
}
