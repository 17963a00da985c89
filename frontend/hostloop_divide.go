package frontend

import (
	"fmt"
	"strings"

	"modernc.org/cc/v4"
)

// This file writes a nest that gathers scalars: what it stores as a region, and what it gathers as C.

// reduction writes a nest that gathers: what it stores, as a region, and what it gathers, in the order that does not change what is
// gathered. Where the region cannot run, the nest runs as it was.
func (h *hostLoops) reduction(r *reduction) {
	if r.terms != nil {
		h.throughMemory(r.terms)
		return
	}
	from, to := h.extent(r.nest)
	h.upTo(from)
	h.put("{ ")
	switch {
	case !r.hasStores():
		h.gather(r, from, to)
	case r.first:
		restore := ""
		for _, d := range r.gathered {
			was := h.name("was")
			if !isScalarVariable(d) {
				h.put("char %s[sizeof %s];\n__builtin_memcpy(%[1]s, %[2]s, sizeof %[1]s);\n", was, h.u.members.name(d))
				restore += fmt.Sprintf("__builtin_memcpy(%s, %s, sizeof %[2]s);\n", h.u.members.name(d), was)
				continue
			}
			h.put("const %s %s = %s;\n(void)%s;\n", h.f.typeText(d.Type()), was, h.u.members.name(d), was)
			restore += fmt.Sprintf("%s = %s;\n", h.u.members.name(d), was)
		}
		h.gather(r, from, to)
		h.stores(r, from, to, restore+string(h.stretchOf(from, to))+"\n")
	default:
		done := h.name("done")
		h.put("int %s = 0;\n", done)
		h.stores(r, from, to, fmt.Sprintf("%s\n%s = 1;\n", h.stretchOf(from, to), done))
		h.put("if (!%s) {\n", done)
		h.gather(r, from, to)
		h.put("\n}")
	}
	h.put(" }")
	h.skipTo(to)
}

// stores writes what r stores, as a region; fused is what stands for it where that does not run.
func (h *hostLoops) stores(r *reduction, from, to int, fused string) {
	h.nests([]stmt{r.nest}, r.tests, fused, func() { h.edited(from, to, h.without(r, toGather, nil)) }, func() { h.put("%s", fused) })
	h.inner[len(h.inner)-1].apart = true
}

// gather writes what r gathers.
func (h *hostLoops) gather(r *reduction, from, to int) {
	own := h.without(r, toStore, nil)
	text, ok := h.anyOrder(r)
	h.put("%s", text)
	h.edited(from, to, own)
	if ok {
		h.put("\n}\n")
	}
}

// without returns edits that take the statements of some part, and those that nothing then needs, out of the nest;
// instead says what is written for leaves, by order.
func (h *hostLoops) without(r *reduction, what purpose, instead map[int]string) (edits []edit) {
	gone := func(l *gatherLeaf) bool {
		if what == toGather {
			return l.purpose == toGather
		}
		return !r.later(l)
	}
	var visit func(s stmt)
	visit = func(s stmt) {
		if s == nil {
			return
		}
		from, to := h.extent(s)
		all, any := true, false
		var replaced *gatherLeaf
		for i := range r.leaves {
			l := &r.leaves[i]
			if a, b := h.extent(l.stmt); from <= a && b <= to {
				if all, any = all && gone(l), true; a == from && b == to {
					replaced = l
				}
			}
		}
		if replaced != nil && instead[replaced.order] != "" {
			edits = append(edits, edit{from, to, instead[replaced.order]})
			return
		}
		jumps := endsEarly(s)
		if d, decl := s.(declStmt); any && all && !jumps && !(decl && what == toStore && r.bounds(d)) {
			keep := false
			for order := range instead {
				a, b := h.extent(r.leaves[order].stmt)
				keep = keep || from <= a && b <= to
			}
			if !keep {
				edits = append(edits, edit{from, to, ";"})
				return
			}
		}
		switch s := s.(type) {
		case block:
			for _, x := range s.items {
				visit(x)
			}
		case forStmt:
			visit(s.body)
		case ifStmt:
			visit(s.then)
			visit(s.orElse)
		}
	}
	visit(r.nest.body)
	return edits
}

// anyOrder returns C that gathers the extremes of r in any order, up to an else: there they are gathered in the order
// of the program. The first is taken only where the order makes no difference: where all terms are numbers, and the
// extreme is not 0, which has two signs.
func (h *hostLoops) anyOrder(r *reduction) (string, bool) {
	loops, body := perfect(r.nest)
	if !r.private() {
		return "", false
	}
	gathering := 0
	for i := range r.leaves {
		if r.leaves[i].purpose == toGather {
			gathering++
		}
		if len(r.leaves[i].loops) != len(loops) {
			return "", false
		}
	}
	if gathering != len(r.extremes) || len(r.gathered) != gathering {
		return "", false
	}
	var decls, clauses, tests, apply []string
	instead := map[int]string{}
	for _, x := range r.extremes {
		if x.counts || !x.typ.IsFloat() || x.apply == nil {
			return "", false
		}
		t := h.taking(x.least)
		decls, clauses, tests = append(decls, t.decl), append(clauses, t.clause), append(tests, t.test)
		apply = append(apply, x.apply(t.most))
		e := h.name("term")
		instead[x.at.order] = fmt.Sprintf("{ const double %s = %s; %s }", e, h.spelled(x.term), t.of(e))
	}
	var shadows []string
	seen := map[*cc.Declarator]bool{}
	for i := range r.leaves {
		l := &r.leaves[i]
		if _, decl := l.stmt.(declStmt); l.purpose == toSet && !decl && !seen[l.to] && !declaredWithin(r.nest, l.to) {
			if r.u.members.is(l.to) || !r.hasStores() {
				return "", false // its value may be used afterwards
			}
			seen[l.to] = true
			shadows = append(shadows, fmt.Sprintf("%s %s;", h.f.typeText(l.to.Type()), l.to.Name()))
		}
	}
	for _, f := range loops {
		if _, own := f.init.(declStmt); !own && !r.hasStores() {
			return "", false
		}
		for _, g := range loops {
			if f.head != g.head && mentionsAny([]expr{initOf(f), f.cond}, []*cc.Declarator{iteratorOf(g)}) {
				return "", false
			}
		}
	}
	var b strings.Builder
	for _, d := range decls {
		b.WriteString(d + "\n")
	}
	how := strings.Join(clauses, " ")
	guard, head, ok := h.canonicalHead(loops[0])
	if !ok {
		return "", false
	}
	b.WriteString(guard)
	if inner := loops[1:]; len(inner) == 0 {
		fmt.Fprintf(&b, "%s\n%s", directive("parallel for simd "+how), head)
	} else {
		fmt.Fprintf(&b, "%s\n%s ", directive("parallel for "+how), head)
		for _, f := range inner[:len(inner)-1] {
			b.WriteString(h.head(f) + " ")
		}
		b.WriteString("{\n")
		f := inner[len(inner)-1]
		if guard, head, ok := h.canonicalHead(f); ok {
			fmt.Fprintf(&b, "%s%s\n%s ", guard, directive("simd "+how), head)
		} else {
			b.WriteString(h.head(f) + " ")
		}
	}
	scratch := &patchwork{user: h.f, region: true}
	from, to := h.extent(body)
	scratch.edited(from, to, clip(h.without(r, toStore, instead), from, to))
	fmt.Fprintf(&b, "{ %s\n%s }", strings.Join(shadows, " "), scratch.text.String())
	if len(loops) > 1 {
		b.WriteString("\n}")
	}
	fmt.Fprintf(&b, "\nif (%s) { %s } else { /* in the order of the program */\n", strings.Join(tests, " && "), strings.Join(apply, " "))
	return b.String(), true
}

// clip returns the edits that are in a stretch.
func clip(edits []edit, from, to int) (in []edit) {
	for _, e := range edits {
		if from <= e.from && e.to <= to {
			in = append(in, e)
		}
	}
	return in
}

// bounds reports whether loops of the nest mention what d declares.
func (r *reduction) bounds(d declStmt) bool {
	var ds []*cc.Declarator
	for _, v := range d.vars {
		ds = append(ds, v.decl)
	}
	for _, l := range r.leaves {
		for _, f := range l.loops {
			if mentionsAny(append(exprsOf(f), initOf(f), f.cond), ds) {
				return true
			}
		}
	}
	return false
}
