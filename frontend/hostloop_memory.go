package frontend

import (
	"fmt"
	"slices"
	"strings"

	"modernc.org/cc/v4"
)

// This file gives terms that go by way of memory theirs: before the outermost loop of the host in which their number stays the same, so that it is taken once.

// throughMemory writes a nest whose terms go by way of memory. Where there is none, or the region cannot run, the nest runs as it was.
func (h *hostLoops) throughMemory(g *gatheredTerms) {
	f := g.of.nest
	from, to := h.extent(f)
	h.upTo(from)
	reserved := h.reserved[f.head]
	h.put("{ ")
	if reserved == nil {
		h.takeMemory(g)
	} else {
		g = reserved
	}
	plain := h.name("plain")
	tests := boxTests(g.box)
	for _, t := range g.terms {
		tests = append(tests, "!"+t.name)
	}
	h.line("int %s = %s; /* the nest runs as it was */", plain, strings.Join(tests, " || "))
	h.line("if (!%s) {", plain)
	for _, t := range g.terms {
		h.viewOf(t.typ, t.name, append([]extentOf{{}}, g.box...))
	}
	instead := fmt.Sprintf("%s = 1;\n", plain)
	h.nests([]stmt{f}, nil, instead, func() { h.edited(from, to, g.edits(h)) }, func() { h.put("%s", instead) })
	h.line("if (!%s) {", plain)
	h.gatherTerms(g)
	h.line("}")
	h.line("}")
	h.line("if (%s) {", plain)
	h.put("%s", h.stretchOf(from, to))
	h.line("")
	h.line("}")
	if reserved == nil {
		h.giveMemory(g)
	}
	h.put(" }")
	h.skipTo(to)
}

// takeMemory writes that memory is taken for terms.
func (h *hostLoops) takeMemory(g *gatheredTerms) {
	for _, t := range g.terms {
		h.line("%s *%s = (%s *)__builtin_malloc(%s * sizeof(%s));", t.typ, t.name, t.typ, points(g.box), t.typ)
	}
}

// giveMemory writes that it is given back.
func (h *hostLoops) giveMemory(g *gatheredTerms) {
	for _, t := range g.terms {
		h.line("__builtin_free(%s);", t.name)
	}
}

// reserve writes, in front of loop s of the host, that memory is taken for those nests of its body whose terms need as much in each iteration, and that have none. Jumps out of the
// loop, but for break, would leave it with nobody.
func (h *hostLoops) reserve(s, body stmt) (all []*gatheredTerms) {
	if h.o.Ranks || contains(body, func(s stmt) bool { return isJump(s, "'return'") || isJump(s, "'goto'") || isJump(s, "a label") }) {
		return nil
	}
	changed, set := h.alteredBy(s), setsAny(s)
	steady := func(x ident, of *cc.Declarator) bool {
		return x.decl == nil || x.decl == of || !slices.Contains(set, x.decl) && !declaredWithin(s, h.u.members.rootOf(x.decl)) && !changed.indirectly(x.decl)
	}
	eachStmt(body, func(s stmt) {
		f, ok := s.(forStmt)
		if !ok || slices.ContainsFunc(all, func(g *gatheredTerms) bool {
			return contains(g.of.nest, func(s stmt) bool { in, ok := s.(forStmt); return ok && in.head == f.head })
		}) {
			return
		}
		ds := h.gatheredByNest(f)
		if len(ds) == 0 || h.reserved[f.head] != nil {
			return
		}
		r, _ := h.readReduction(f, ds)
		if r == nil || r.terms == nil {
			return
		}
		for _, in := range r.terms.loops {
			for _, e := range []expr{initOf(in), in.cond} {
				same := !readsElement(e) && !hasEffect(e)
				eachExpr(e, func(e expr) {
					x, is := e.(ident)
					same = same && (!is || steady(x, iteratorOf(in)))
				})
				if !same {
					return
				}
			}
		}
		if h.reserved == nil {
			h.reserved = map[where]*gatheredTerms{}
		}
		h.reserved[f.head] = r.terms
		all = append(all, r.terms)
	})
	if len(all) > 0 {
		h.line("{")
	}
	for _, g := range all {
		h.takeMemory(g)
	}
	return all
}

// release writes, behind the loop, that memory is given back.
func (h *hostLoops) release(all []*gatheredTerms) {
	for _, g := range all {
		h.giveMemory(g)
	}
	if len(all) > 0 {
		h.line("}")
	}
}
