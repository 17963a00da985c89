package frontend

import (
	"fmt"
	"slices"

	"modernc.org/cc/v4"
)

// This file finds what is to be set back where a chunk ran too far: what steps may read before they set it.

// A save is what is kept of an array.
type save struct {
	name   string
	typ    string
	loops  []forStmt
	box    []extentOf
	target string // the element
}

// findSaves finds what is to be set back: what steps may read before they set it.
func (h *hostLoops) findSaves(c *chunk, assigned map[*cc.Declarator]bool) string {
	chosen := map[*cc.Declarator][]*cc.Declarator{} // by pointers of a step: what they are chosen from
	group := func(d *cc.Declarator) []*cc.Declarator {
		if from := chosen[d]; from != nil {
			return from
		}
		return []*cc.Declarator{d}
	}
	for _, m := range h.movesIn(c) {
		if x := m.choice; x != nil && declaredWithin(c.loop, m.to) {
			chosen[m.to] = []*cc.Declarator{x.yes.decl, x.no.decl}
		}
		if assigned[m.to] && !declaredWithin(c.loop, m.to) && !slices.Contains(c.pointers, m.to) {
			c.pointers = append(c.pointers, m.to)
		}
	}
	if len(c.pointers) > 0 {
		from, unknown := h.leadFrom(c)
		if unknown != nil {
			return fmt.Sprintf("what '%s' leads to is not the value of a variable", unknown.Name())
		}
		alone := group
		group = func(d *cc.Declarator) []*cc.Declarator {
			if slices.Contains(c.pointers, d) {
				return from
			}
			return alone(d)
		}
	}
	named := func(target expr, d, to *cc.Declarator) string {
		return exprText(mapExpr(target, func(e expr) expr {
			if x, ok := e.(ident); ok && x.decl == d {
				x.name = h.u.members.name(to)
				return x
			}
			return e
		}))
	}
	why := ""
	for _, it := range c.items {
		if !it.kept {
			continue
		}
		eachStore(it.stmt, func(target expr, loops []forStmt, under bool) {
			p, _ := lvalue(target)
			d := p.root.decl
			for _, to := range group(d) {
				element := named(target, d, to)
				if why != "" || h.setFirst(c, to, element, loops) {
					continue
				}
				if declaredWithin(c.loop, to) {
					why = fmt.Sprintf("'%s' is an array of one step, so that no step can be taken back", to.Name())
					continue
				}
				box, ok := h.box(loops)
				if t, number := storedType(p.typ); under || !ok || !number || h.u.members.is(d) || len(p.fields) > 0 {
					_ = t
					why = fmt.Sprintf("'%s' is not set by a plain nest, so that no step can be taken back", h.spelled(target))
					continue
				}
				whole := h.valuesWithin(it.stmt).in(target)
				if p, _ := lvalue(whole); h.computes(it.stmt, p.subs, loops) {
					why = fmt.Sprintf("which elements '%s' is depends on what the nest computes", h.spelled(target))
					continue
				}
				orbit, ok := h.orbitOf(c, whole)
				if !ok {
					why = fmt.Sprintf("which elements '%s' is depends on the step", h.spelled(target))
					continue
				}
				for _, e := range orbit {
					element := named(e, d, to)
					if !slices.ContainsFunc(c.saves, func(s save) bool { return s.target == element && sameHeads(s.loops, loops) }) {
						c.saves = append(c.saves, save{h.name("kept"), h.f.typeText(p.typ), loops, box, element})
					}
				}
			}
		})
	}
	return why
}

// leadFrom returns the pointers whose values, as a chunk begins, are those that the pointers which its steps move have in it: of these the ones that a
// step uses before it sets them, and others that they are set to. unknown is one that is set to what is no variable.
func (h *hostLoops) leadFrom(c *chunk) (from []*cc.Declarator, unknown *cc.Declarator) {
	for _, d := range c.pointers {
		if !setsBeforeUse(c, d) {
			from = append(from, d)
		}
	}
	flows, moves := slices.Clone(c.pointers), h.movesIn(c) // flows: with those of one step whose values they get
	for i := 0; i < len(flows); i++ {
		for _, m := range moves {
			sources := []*cc.Declarator{m.from}
			if x := m.choice; x != nil {
				sources = []*cc.Declarator{x.yes.decl, x.no.decl}
			}
			for _, d := range sources {
				switch {
				case m.to != flows[i] || slices.Contains(flows, d) || slices.Contains(from, d):
				case d == nil:
					unknown = m.to
				case declaredWithin(c.loop, d):
					flows = append(flows, d)
				default:
					from = append(from, d)
				}
			}
		}
	}
	return from, unknown
}

// movesIn returns the moves of pointers in what the steps of c run.
func (h *hostLoops) movesIn(c *chunk) (all []move) {
	for _, it := range c.items {
		if it.kept {
			eachStmt(it.stmt, func(s stmt) {
				ms, _ := h.moves(s)
				all = append(all, ms...)
			})
		}
	}
	return all
}

// setsBeforeUse reports whether a step of c assigns to the pointer d before it uses it, so that nothing uses what it held before.
func setsBeforeUse(c *chunk, d *cc.Declarator) bool {
	for _, e := range c.cond {
		if mentions(e, d) {
			return false
		}
	}
	for _, it := range c.items {
		if it.stmt == nil {
			continue
		}
		for _, s := range flatten([]stmt{it.stmt}) {
			if x, ok := s.(exprStmt); ok && x.x != nil {
				for _, e := range unfolded(x.x) {
					if a, ok := e.(assign); ok && a.op == "=" && isIdent(direct(a.x), d) && !mentions(a.y, d) {
						return true
					}
					if mentions(e, d) {
						return false
					}
				}
				continue
			}
			if mentionsIn(s, map[*cc.Declarator]bool{d: true}) {
				return false
			}
		}
	}
	return false
}

// computes reports whether subs are made of scalars that s sets, but for the variables of loops.
func (h *hostLoops) computes(s stmt, subs []expr, loops []forStmt) bool {
	var ds []*cc.Declarator
	eachStmt(s, func(s stmt) {
		if x, ok := s.(declStmt); ok {
			for _, v := range x.vars {
				ds = append(ds, v.decl)
			}
		}
	})
	ds = append(ds, assignedIn(s)...)
	ds = slices.DeleteFunc(ds, func(d *cc.Declarator) bool {
		return slices.ContainsFunc(loops, func(f forStmt) bool { return iteratorOf(f) == d })
	})
	return mentionsAny(subs, ds)
}

func sameHeads(fs, gs []forStmt) bool {
	return slices.EqualFunc(fs, gs, func(f, g forStmt) bool {
		d, e := iteratorOf(f), iteratorOf(g)
		rename := func(x expr) expr {
			return mapExpr(x, func(x expr) expr {
				if y, ok := x.(ident); ok && y.decl == e {
					y.decl, y.name = d, d.Name()
					return y
				}
				return x
			})
		}
		return d.Name() == e.Name() && sameExpr(initOf(f), rename(initOf(g))) && sameExpr(f.cond, rename(g.cond))
	})
}

// eachInLoops calls f for the statements in s that are no blocks and no loops, with the loops around each, and whether it is under a condition.
func eachInLoops(s stmt, loops []forStmt, under bool, f func(s stmt, loops []forStmt, under bool)) {
	switch s := s.(type) {
	case block:
		for _, x := range s.items {
			eachInLoops(x, loops, under, f)
		}
	case forStmt:
		eachInLoops(s.body, append(loops[:len(loops):len(loops)], s), under, f)
	case ifStmt:
		f(s, loops, under)
		eachInLoops(s.then, loops, true, f)
		if s.orElse != nil {
			eachInLoops(s.orElse, loops, true, f)
		}
	default:
		f(s, loops, under)
	}
}

// eachStore calls f for each element that s sets, with the loops around it, and whether it is under a condition.
func eachStore(s stmt, f func(target expr, loops []forStmt, under bool)) {
	eachInLoops(s, nil, false, func(s stmt, loops []forStmt, under bool) {
		if x, ok := s.(exprStmt); ok {
			if a, ok := x.x.(assign); ok {
				if p, ok := lvalue(a.x); ok && len(p.subs) > 0 {
					f(a.x, loops, under)
				}
			}
		}
	})
}

// setFirst reports whether each step sets element in loops, and all else of array d that it sets by this name, before it reads any of it: then
// a step that runs again sets it again. A step may set more of the array where it is known by another name.
func (h *hostLoops) setFirst(c *chunk, d *cc.Declarator, element string, loops []forStmt) bool {
	var first expr
	var heads []forStmt
	ok := true
	for _, it := range c.items {
		if !it.kept {
			continue
		}
		if it.stmt != nil {
			if ms, moved := h.moves(it.stmt); moved && len(ms) > 0 {
				continue
			}
			if b, is := it.stmt.(block); is {
				if ms, moved := h.allMoves(b); moved && len(ms) > 0 {
					continue
				}
			}
		}
		setHere := false
		eachStore(it.stmt, func(target expr, loops []forStmt, under bool) {
			if p, _ := lvalue(target); p.root.decl != d {
				return
			}
			switch {
			case first == nil && !under:
				first, heads, setHere = target, loops, true
			case first == nil || !sameExpr(target, first) || !sameHeads(heads, loops):
				ok = false
			}
		})
		mentioned := false
		eachExprIn(it.stmt, func(e expr) { mentioned = mentioned || isIdent(e, d) })
		if !mentioned {
			continue
		}
		if first == nil {
			return false
		}
		f, isLoop := it.stmt.(forStmt)
		if !isLoop {
			return false
		}
		loops, body := perfect(f)
		if !sameHeads(heads, loops) {
			return false
		}
		ok = ok && h.readsAs(body, first, d, setHere)
	}
	return ok && first != nil && exprText(first) == element && sameHeads(heads, loops)
}

// readsAs reports whether body uses d as element, and, if it sets it, does not read it before.
func (h *hostLoops) readsAs(body stmt, element expr, d *cc.Declarator, sets bool) bool {
	ok, uses, seen := true, 0, 0
	var count func(e expr)
	count = func(e expr) {
		if x, is := e.(index); is && sameNamed(x, element) {
			seen++
			return
		}
		if isIdent(e, d) {
			uses++
		}
		for _, x := range children(e) {
			count(x)
		}
	}
	set := !sets
	for _, s := range flatten([]stmt{body}) {
		before := seen
		for _, e := range exprsIn(s) {
			count(e)
		}
		if set {
			continue
		}
		if e, is := s.(exprStmt); is {
			if a, is := e.x.(assign); is && sameNamed(a.x, element) && a.op == "=" && seen == before+1 {
				set = true
				continue
			}
		}
		ok = ok && seen == before
	}
	return ok && uses == 0
}

// sameNamed reports whether x and y are written alike, with variables of the same names.
func sameNamed(x, y expr) bool { return exprText(x) == exprText(y) }
