package frontend

import (
	"fmt"
	"slices"
	"strings"
)

// This file writes how chunks run.

// before writes what stands before the loop.
func (h *hostLoops) before(c *chunk) {
	c.height, c.steps = h.name("height"), h.name("steps")
	var tests, sizes []string
	h.line("{")
	limit := int64(most)
	switch {
	case c.every > 0:
		limit = int64(c.every) - 1
		h.remark(c.loop, fmt.Sprintf("what ends this loop is tested after every %d steps, as '#pragma hexcc check' says: it may run up to %d steps more than the original", c.every, c.every-1))
	case len(c.goals) > 0:
		limit = 8
		h.remark(c.loop, "whether this loop ends is known after each step only: chunks of its steps are a region each, and where it ends within one, what the chunk changed is set back, and it runs again up to that step")
	case h.o.Ranks:
		h.remark(c.loop, "all ranks run this loop: the steps between those in which it does something are a region of their own")
	default:
		h.remark(c.loop, "the host runs this loop: the steps between those in which it does something are a region of their own")
	}
	for _, g := range c.goals {
		sizes = append(sizes, boxTests(g.box)...)
		h.line("%s *%s = (%s *)__builtin_calloc(%s, sizeof(%s));", g.typ, g.mask, g.typ, points(g.box), g.typ)
		tests = append(tests, "!"+g.mask)
	}
	for _, s := range c.saves {
		sizes = append(sizes, boxTests(s.box)...)
		h.line("%s *%s = (%s *)__builtin_malloc(%s * sizeof(%s));", s.typ, s.name, s.typ, points(s.box), s.typ)
		tests = append(tests, "!"+s.name)
	}
	h.line("long %s = %d; /* the most steps of a chunk */", c.height, limit)
	if len(tests) > 0 {
		h.line("if (%s)", strings.Join(append(tests, sizes...), " || "))
		h.line("  %s = 0;", c.height)
	}
}

// boxTests returns conditions, one of which holds if the box is empty.
func boxTests(box []extentOf) (tests []string) {
	for _, x := range box {
		tests = append(tests, fmt.Sprintf("(%s) <= 0", x.size))
	}
	return tests
}

// points returns how many points the box has, 0 if an extent is negative.
func points(box []extentOf) string {
	text := "1ul"
	for _, x := range box {
		text += fmt.Sprintf(" * (unsigned long)((%s) > 0 ? (%s) : 0)", x.size, x.size)
	}
	return text
}

// after writes what stands behind it.
func (h *hostLoops) after(c *chunk) {
	h.giveBack(c)
	h.line("(void)%s;", c.height)
	h.line("}")
}

// chunk writes the chunk, at the beginning of the body.
func (h *hostLoops) chunk(c *chunk) {
	at := h.cursor
	h.line("if (%s > 0) {", c.height)
	h.line("int %s = 0; /* of a chunk */", c.steps)
	h.simulate(c)
	h.chunkTables(c)
	h.checkAlternations(c)
	first := ""
	enough := c.steps + " > 0"
	if len(c.goals) > 0 {
		enough = c.steps + " > 1"
	}
	if c.counted != nil {
		first = h.name("first")
		from := c.counted.decl.Name()
		if c.after {
			from += " + 1"
		}
		h.line("const %s %s = %s;", h.f.typeText(c.counted.decl.Type()), first, from)
		enough += fmt.Sprintf(" && %s >= 0", first)
	}
	h.line("if (%s) {", enough)
	for _, g := range c.goals {
		h.viewOf(g.typ, g.mask, g.box)
	}
	for _, s := range c.saves {
		if len(s.box) > 0 {
			h.viewOf(s.typ, s.name, s.box)
		}
	}
	if len(c.goals) > 0 {
		h.save(c, false)
		for _, p := range c.pointers {
			h.line("__typeof__(%s) hexcc_was_%s = %s;", p.Name(), p.Name(), p.Name())
		}
		h.line("for (int hexcc_again = 0; ; hexcc_again = 1) {")
	}
	h.beginAlternations(c)
	h.steps(c, first)
	h.endAlternations(c)
	if len(c.goals) > 0 {
		h.judge(c)
		h.line("}")
	}
	for _, k := range c.counters {
		h.line("%s += %d * %s;", k.decl.Name(), k.by, c.steps)
	}
	for _, k := range c.alternations {
		h.line("for (int hexcc_k = 0; hexcc_k < %s; hexcc_k++)", c.steps)
		h.line("  %s;", k.text)
	}
	h.line("}")
	h.line("}")
	h.cursor = at
}

// chunkTables writes that no steps run in a chunk where tables are not what they seem to be, and notes what is written for their elements.
func (h *hostLoops) chunkTables(c *chunk) {
	var kept []stmt
	for _, it := range c.items {
		if it.kept {
			kept = append(kept, it.stmt)
		}
	}
	holds := h.name("holds")
	edits, lines := h.tables(kept, holds)
	c.tables = edits
	if len(lines) == 0 {
		return
	}
	h.line("int %s = 1; /* tables are what they seem to be */", holds)
	for _, line := range lines {
		h.line("%s", line)
	}
	h.line("if (!%s)", holds)
	h.line("  %s = 0;", c.steps)
}

// viewOf declares name_, a pointer to arrays of the extents of box, for memory called name. In C++ extents that are calls, such as f() of two types,
// are taken to be different.
func (h *hostLoops) viewOf(typ, name string, box []extentOf) {
	declared := view(typ, name+"_", box)
	if h.f.cxx != nil && slices.ContainsFunc(box[1:], func(x extentOf) bool { return strings.Contains(x.size, "()") }) {
		declared = "auto " + name + "_"
	}
	h.line("%s = (%s)%s;", declared, view(typ, "", box), name)
}

// view returns the declaration of a pointer to arrays of the extents of box.
func view(typ, name string, box []extentOf) string {
	text := fmt.Sprintf("%s (*%s)", typ, name)
	for _, x := range box[1:] {
		text += "[" + x.size + "]"
	}
	return text
}

// simulate writes how many steps may be in a chunk: those in which the host does nothing but count, and after which another one follows.
func (h *hostLoops) simulate(c *chunk) {
	for _, k := range c.counters {
		h.line("{ %s hexcc_from_%s = %s; {", h.f.typeText(k.decl.Type()), k.decl.Name(), k.decl.Name())
		h.line("%s %s = hexcc_from_%s; (void)%s;", h.f.typeText(k.decl.Type()), k.decl.Name(), k.decl.Name(), k.decl.Name())
	}
	h.line("for (;;) {")
	var cond []string
	for _, e := range c.cond {
		cond = append(cond, "("+h.spelled(e)+")")
	}
	ends := ""
	if len(cond) > 0 {
		ends = "!(" + strings.Join(cond, " && ") + ")"
	}
	if ends != "" && !c.post {
		h.line("if (%s) { %s -= %s > 0; break; }", ends, c.steps, c.steps)
	}
	h.line("if (%s == %s) break;", c.steps, c.height)
	for _, it := range c.items {
		if it.counter != nil {
			h.line("%s;", it.counter.text)
		}
		switch {
		case it.early:
			h.line("if (%s) { %s -= %s > 0; break; }", h.tests(it), c.steps, c.steps)
		case it.tests != nil:
			h.line("if (%s) break;", h.tests(it))
		}
	}
	if ends != "" && c.post {
		h.line("if (%s) break;", ends)
	}
	h.line("%s++;", c.steps)
	h.line("}")
	for range c.counters {
		h.line("} }")
	}
}

// steps writes the region of a chunk; where nests stand in the branches of a test that stays the same, one for each branch, so that
// nothing is asked of the one that does not run.
func (h *hostLoops) steps(c *chunk, first string) {
	at := slices.IndexFunc(c.items, func(it chunkItem) bool { return it.branches })
	if at < 0 || len(c.goals) > 0 {
		h.stepsWith(c, first, -1, nil)
		return
	}
	s := c.items[at].stmt.(ifStmt)
	h.line("if (%s) {", h.spelled(s.cond))
	h.stepsWith(c, first, at, s.then)
	h.line("} else {")
	if s.orElse != nil || slices.ContainsFunc(c.items, func(it chunkItem) bool { return it.kept && !it.branches }) {
		h.stepsWith(c, first, at, s.orElse)
	}
	h.line("}")
}

// stepsWith writes the region of a chunk, with branch in the place of item number chosen, if that is one.
func (h *hostLoops) stepsWith(c *chunk, first string, chosen int, branch stmt) {
	instead := fmt.Sprintf("%s = 0;\n%s = 0;\n", c.steps, c.height)
	if len(c.goals) > 0 {
		instead += "break;\n"
	}
	h.line("")
	for _, line := range h.r.wishes {
		h.line("%s", line)
	}
	h.begin(instead, c.name)
	at := "hexcc_t"
	if c.counted != nil {
		name := c.counted.decl.Name()
		at = fmt.Sprintf("(%s - %s)", name, first)
		h.line("for (%s %s = %s; %s < %s + %s; %s++) {", h.f.typeText(c.counted.decl.Type()), name, first, name, first, c.steps, name)
	} else {
		h.line("for (int hexcc_t = 0; hexcc_t < %s; hexcc_t++) {", c.steps)
	}
	for k, it := range c.items {
		if k == chosen {
			it.stmt = branch
		}
		if !it.kept && it.red == nil || it.stmt == nil {
			continue
		}
		var g *goal
		for i := range c.goals {
			if c.goals[i].red == it.red && it.red != nil {
				g = &c.goals[i]
			}
		}
		if !it.kept && g == nil {
			continue
		}
		from, to := h.extent(it.stmt)
		h.line("")
		var edits []edit
		if it.red != nil {
			edits = h.without(it.red, toGather, g.leaves(at))
		}
		h.replaced = c.tables
		h.edited(from, to, edits)
		h.replaced = nil
		if end := h.f.text[to-1]; end != ';' && end != '}' {
			h.put(";") // what follows a macro is not of the statement's text
		}
		h.line("")
	}
	h.line("}")
	h.end()
}

// leaves returns what is written for the statements that gather what ends the loop; at is the number of the step.
func (g *goal) leaves(at string) map[int]string {
	instead := map[int]string{}
	if g == nil {
		return instead
	}
	var subs, last strings.Builder
	for _, x := range g.box {
		fmt.Fprintf(&subs, "[%s]", x.sub)
	}
	one := "1"
	if g.typ == "long" {
		one = "1L"
	}
	unsure := "0"
	if g.suspect != "" {
		unsure = fmt.Sprintf("(%s ? %s << %d : 0)", g.suspect, one, g.bits)
	}
	fmt.Fprintf(&last, " %[1]s_%[2]s = %[1]s_%[2]s | (%[3]s ? %[4]s << %[5]s : %[6]s);", g.mask, subs.String(), g.condition, one, at, unsure)
	for i, t := range g.terms {
		text := fmt.Sprintf("const %s %s = %s;", t.typ, t.name, t.text)
		if i == len(g.terms)-1 {
			text += last.String()
		}
		if len(g.terms) == 1 {
			text = "{ " + text + " }"
		}
		instead[t.x.at.order] = text
	}
	return instead
}

// judge writes what becomes of a chunk that has run.
func (h *hostLoops) judge(c *chunk) {
	h.line("long hexcc_going = 0; /* a bit for each step after which the loop goes on */")
	bits := int64(62)
	for _, g := range c.goals {
		bits = min(bits, g.bits)
		h.line("%s", directive("parallel for simd reduction(|:hexcc_going)"))
		h.line("for (long hexcc_p = 0; hexcc_p < (long)(%s); hexcc_p++) {", points(g.box))
		h.line("hexcc_going |= %s[hexcc_p];", g.mask)
		h.line("%s[hexcc_p] = 0;", g.mask)
		h.line("}")
	}
	h.line("if (hexcc_again)")
	h.line("  break; /* only the bits had to go */")
	unsure := "0"
	for _, g := range c.goals {
		if g.suspect != "" {
			unsure += fmt.Sprintf(" || hexcc_going >> %d & 1", g.bits)
		}
	}
	h.line("int hexcc_good = 0;")
	h.line("while (hexcc_good < %s && !(%s) && (hexcc_going >> hexcc_good & 1))", c.steps, unsure)
	h.line("  hexcc_good++;")
	h.line("if (hexcc_good == %s) {", c.steps)
	h.line("%s = %s < %d ? 2 * %s : %d;", c.height, c.height, bits/2, c.height, bits)
	h.line("break;")
	h.line("}")
	h.line("%s /= 2;", c.height)
	for _, p := range c.pointers {
		h.line("%s = hexcc_was_%s;", p.Name(), p.Name())
	}
	h.save(c, true)
	h.line("%s = hexcc_good;", c.steps)
	h.line("if (hexcc_good == 0)")
	h.line("  break;")
}

// save writes what keeps, or sets back, what steps change.
func (h *hostLoops) save(c *chunk, back bool) {
	for _, s := range c.saves {
		kept := s.name + "_"
		for _, x := range s.box {
			kept += "[" + x.sub + "]"
		}
		if len(s.box) == 0 {
			kept = "*" + s.name
		}
		to, from := kept, s.target
		if back {
			to, from = from, to
		}
		if len(s.loops) > 0 {
			h.line("%s", directive("parallel for"))
		}
		for _, f := range s.loops {
			h.line("%s", h.head(f))
		}
		h.line("%s = %s;", to, from)
	}
}

// tests returns in C that a step in which item it does something is not in a chunk.
func (h *hostLoops) tests(it chunkItem) string {
	if len(it.tests) == 1 {
		return h.spelled(it.tests[0])
	}
	var all []string
	for _, e := range it.tests {
		all = append(all, "("+h.spelled(e)+")")
	}
	return strings.Join(all, " || ")
}
