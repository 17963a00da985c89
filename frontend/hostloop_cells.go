package frontend

import (
	"slices"
	"strings"

	"modernc.org/cc/v4"

	"github.com/hexcc/hexcc/diag"
)

// This file keeps scalars that a step of a time loop computes of elements, as the elements are before nests change them, in arrays of one element:
//
//	for (..) {                                  double *cell = &old;
//	  old = E[1];                               for (..) {
//	  for (i = 1; i < n; i++) E[i] += ..;   =>    cell[0] = E[1];
//	  E[0] = old + k * (E[1] - E[0]);             for (i = 1; i < n; i++) E[i] += ..;
//	}                                             E[0] = cell[0] + k * (E[1] - E[0]);
//	                                            }
//
// A scalar of a region is computed again by whatever uses it, which is too late there. What an array holds stays, to the next step if need be. The host sets it back nowhere:
// the array is the variable itself.

// A cells is a time loop with scalars that become arrays.
type cells struct {
	*hostLoops
	loop forStmt
	body []stmt
	of   []*cc.Declarator // in the order in which they are set first
	name map[*cc.Declarator]string
}

// planCells returns the loop of the region with its scalars that are to be arrays; nil if there are none.
func planCells(h *hostLoops) *cells {
	loops := slices.DeleteFunc(flatten(h.r.stmts), func(s stmt) bool { x, ok := s.(exprStmt); return ok && x.x == nil })
	if len(loops) != 1 || h.hasLabels() {
		return nil
	}
	f, ok := loops[0].(forStmt)
	if !ok {
		return nil
	}
	c := &cells{hostLoops: h, loop: f, body: flatten([]stmt{f.body}), name: map[*cc.Declarator]string{}}
	changed := c.changedArrays()
	for again := true; again; {
		again = false
		for _, s := range c.body {
			eachSet(s, func(d *cc.Declarator, value expr) {
				if !slices.Contains(c.of, d) && c.may(d) && c.readsChanged(value, changed) {
					c.of, again = append(c.of, d), true
				}
			})
		}
	}
	if len(c.of) == 0 {
		return nil
	}
	for _, d := range c.of {
		c.name[d] = h.name("cell_" + d.Name() + "_")
	}
	return c
}

// eachSet calls visit for each scalar that s, or a branch in it, sets or declares, and its value. It does not look into loops.
func eachSet(s stmt, visit func(d *cc.Declarator, value expr)) {
	switch s := s.(type) {
	case declStmt:
		for _, v := range s.vars {
			if v.init != nil {
				visit(v.decl, v.init)
			}
		}
	case exprStmt:
		eachExpr(s.x, func(e expr) {
			if a, ok := e.(assign); ok && a.y != nil {
				if x, ok := a.x.(ident); ok && x.decl != nil {
					visit(x.decl, a.y)
				}
			}
		})
	case ifStmt:
		for _, branch := range flatten([]stmt{s.then, s.orElse}) {
			eachSet(branch, visit)
		}
	}
}

// may reports whether d may be an array: a floating-point variable of the function whose address nobody has, that is set outside of the loops of the body, and set by them nowhere.
func (c *cells) may(d *cc.Declarator) bool {
	t, number := storedTypeOf(d)
	if !number || !t.IsFloat() || cNames[t] == "" || isVolatile(d) || d.AddressTaken() || c.u.members.is(d) || !variableText.MatchString(d.Name()) || !c.isSeen(d) && !declaredWithin(c.loop, d) {
		return false
	}
	ok := true
	eachStmt(c.loop.body, func(s stmt) {
		if x, declares := s.(declStmt); declares && slices.ContainsFunc(x.vars, func(v varDecl) bool { return v.decl == d }) {
			ok = ok && slices.ContainsFunc(c.body, func(s stmt) bool { return s.at() == x.at() }) &&
				!slices.ContainsFunc(x.vars, func(v varDecl) bool {
					u, number := storedTypeOf(v.decl)
					return !number || !u.IsFloat() || v.init == nil
				})
		}
	})
	return ok && !slices.ContainsFunc(c.body, func(s stmt) bool {
		return contains(s, func(s stmt) bool { return isLoop(s) && slices.Contains(setsAny(s), d) })
	})
}

// changedArrays returns the arrays and pointers whose elements the body sets, that it exchanges, or that it passes to functions, which may set them.
func (c *cells) changedArrays() map[*cc.Declarator]bool {
	changed := map[*cc.Declarator]bool{}
	eachExprIn(c.loop.body, func(e expr) {
		switch e := e.(type) {
		case assign:
			if p, ok := lvalue(e.x); ok && (len(p.subs) > 0 || isPointer(p.root.decl)) {
				changed[p.root.decl] = true
			}
		case call:
			for _, a := range e.args {
				eachExpr(a, func(e expr) {
					if x, ok := e.(ident); ok && x.decl != nil && elemOf(x.decl.Type()) != nil {
						changed[x.decl] = true
					}
				})
			}
		}
	})
	return changed
}

// readsChanged reports whether e reads an element of one of these arrays, or a scalar that is to be an array.
func (c *cells) readsChanged(e expr, changed map[*cc.Declarator]bool) (found bool) {
	eachExpr(e, func(e expr) {
		if x, ok := e.(ident); ok {
			found = found || changed[x.decl] || slices.Contains(c.of, x.decl)
		}
	})
	return found
}

// inCells returns the file with scalars in arrays of one element, in the regions for which write holds: those that are written are set in done. The origin is nil if there are none.
func inCells(f *file, u *unit, regions []region, o Options, write func(int) bool) (origin *Origin, inner []innerRegion, remarks diag.List, done map[int]bool) {
	return wholeLoops(f, u, regions, o, write, func(h *hostLoops) func(pragma string) {
		if c := planCells(h); c != nil {
			return c.write
		}
		return nil
	})
}

// write writes the region, whose pragmas are pragma.
func (c *cells) write(pragma string) {
	from, to := c.extent(c.loop)
	c.upTo(from)
	c.line("{")
	for _, d := range c.of {
		t, _ := storedTypeOf(d)
		if declaredWithin(c.loop, d) {
			c.line("%s %s_ = 0, *__restrict %s = &%s_;", cNames[t], c.name[d], c.name[d], c.name[d])
		} else {
			c.line("%s *__restrict %s = &%s;", cNames[t], c.name[d], d.Name())
		}
	}
	c.line("")
	c.put("%s", pragma)
	c.edited(from, to, c.edits())
	c.line("")
	c.line("#pragma endscop")
	c.line("}")
	c.skipTo(to)
}

// edits returns what is written in the loop for the scalars.
func (c *cells) edits() (edits []edit) {
	eachExprIn(c.loop, func(e expr) {
		x, is := e.(ident)
		if !is || c.name[x.decl] == "" {
			return
		}
		from, to, ok := c.f.bytes(x.where)
		if ok {
			if from, ok = c.nameIn(from, to, x.name); ok {
				edits = append(edits, edit{from, from + len(x.name), c.name[x.decl] + "[0]"})
			}
		}
		c.failed = c.failed || !ok
	})
	for _, s := range c.body {
		x, declares := s.(declStmt)
		if !declares || !slices.ContainsFunc(x.vars, func(v varDecl) bool { return c.name[v.decl] != "" }) {
			continue
		}
		at, _ := c.extent(x)
		for k, v := range x.vars {
			from, to, ok := c.f.bytes(v.init.at())
			if c.name[v.decl] == "" || !ok || from < at {
				c.failed = true
				return nil
			}
			text := c.name[v.decl] + "[0] = "
			if k > 0 {
				text = "; " + text
			}
			edits, at = append(edits, edit{at, from, text}), to
		}
	}
	slices.SortFunc(edits, func(e, f edit) int { return e.from - f.from })
	return slices.CompactFunc(edits, func(e, f edit) bool { return e.from == f.from && e.to == f.to })
}

// nameIn returns where name stands in the text from one offset to another, which is it in parentheses at the most; ok is false for what a macro makes.
func (c *cells) nameIn(from, to int, name string) (at int, ok bool) {
	text := string(c.f.text[from:to])
	if strings.Trim(text, "() \t\n") != name {
		return 0, false
	}
	return from + strings.Index(text, name), true
}
