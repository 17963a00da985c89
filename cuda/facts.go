package cuda

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/hexcc/hexcc/gpu"
	"github.com/hexcc/hexcc/scop"
)

// This file prints the test of what the kernels rely on but C does not
// guarantee: facts about parameters, and arrays that must not overlap. Where it
// fails, the host file runs the user's own loops, or stops the program.

// tested reports whether the region of p is entered through a test.
func tested(p *gpu.Program) bool { return len(p.Scop.Facts)+len(p.Scop.Apart) > 0 }

// Test returns the name of the function that tests: hexcc_jacobi_2d_0_fits.
func (n Names) Test() string { return n.Function() + "_fits" }

// conditionsOf returns what is tested, for people.
func conditionsOf(p *scop.Program) (texts []string) {
	for _, f := range p.Facts {
		texts = append(texts, f.Text)
	}
	for _, pair := range p.Apart {
		texts = append(texts, fmt.Sprintf("arrays %s and %s do not overlap", pair[0].Name(), pair[1].Name()))
	}
	return texts
}

// testDeclaration returns the test for the header.
func testDeclaration(p *gpu.Program, names Names, s *spelling) string {
	var b strings.Builder
	b.WriteString("\n/* Whether these hold, which the function above relies on:\n\n")
	for _, text := range conditionsOf(p.Scop) {
		fmt.Fprintf(&b, "     %s\n", text)
	}
	b.WriteString("\n   Returns 1, or 0 and, the first time, a message on stderr. */\n")
	rename := func(name string, _ scop.Type, _ bool) string { return s.outer[name] }
	names.test = true
	b.WriteString(prototype(p, names, "int", rename) + ";\n")
	return b.String()
}

// test prints the function that tests.
func (h *host) test() {
	p := h.prog.Scop
	used := h.testUses()
	rename := func(name string, _ scop.Type, _ bool) string {
		if used[name] {
			return h.outer[name]
		}
		return ""
	}
	names := h.names
	names.test = true
	h.blank()
	h.raw(prototype(h.prog, names, "extern \"C\" int", rename) + "\n{\n")
	h.depth = 1
	h.line("const char *violated = NULL;")
	for i, text := range append(h.factConditions(), h.apartConditions()...) {
		h.line("if (!(%s))", text)
		h.line("  violated = %s;", cString(conditionsOf(p)[i]))
	}
	otherwise := "the original loops run instead of the kernels"
	if h.names.Refuse {
		otherwise = "the program stops"
	}
	h.line("static int said = 0;")
	h.block("if (violated != NULL && !said)", func() {
		h.line("said = 1;")
		h.line("fprintf(stderr, \"%%s:%%d: hexcc: it does not hold that %%s: %s\\n\",", otherwise)
		h.line("    %s, %d, violated);", cString(p.File), p.Region.StartLine)
	})
	h.line("return violated == NULL;")
	h.depth = 0
	h.raw("}\n")
}

// testUses returns the parameters and arrays that the test looks at.
func (h *host) testUses() map[string]bool {
	p := h.prog.Scop
	used := map[string]bool{}
	note := func(a scop.Affine) {
		for i, c := range a.Params {
			used[p.Params[i].Name] = used[p.Params[i].Name] || c != 0
		}
	}
	for _, f := range p.Facts {
		note(f.Row)
	}
	for _, pair := range p.Apart {
		for _, o := range pair {
			used[o.Name()] = true
			for _, e := range o.Extents() {
				note(e)
			}
		}
	}
	return used
}

// factConditions returns each fact in C, in a type in which nothing overflows.
func (h *host) factConditions() (conds []string) {
	for _, f := range h.prog.Scop.Facts {
		conds = append(conds, h.wide(f.Row)+" >= 0")
	}
	return conds
}

// wide returns a, over parameters, in a type in which it does not overflow.
func (h *host) wide(a scop.Affine) string {
	isInt := func(q scop.Param) bool { return q.Type == scop.Int || q.Type == scop.Uint }
	wide := "__int128"
	if !slices.ContainsFunc(h.prog.Scop.Params, func(q scop.Param) bool { return !isInt(q) }) {
		wide = "long"
	}
	text := fmt.Sprintf("(%s)%d", wide, a.Const)
	for i, c := range a.Params {
		sign := " + "
		if c < 0 {
			sign, c = " - ", -c
		}
		if name := h.outer[h.prog.Scop.Params[i].Name]; c == 1 {
			text += sign + name
		} else if c != 0 {
			text += fmt.Sprintf("%s(%s)%d * %s", sign, wide, c, name)
		}
	}
	return text
}

// apartConditions returns, for each pair of arrays, that one ends before the other begins.
func (h *host) apartConditions() (conds []string) {
	for _, pair := range h.prog.Scop.Apart {
		x, y := pair[0], pair[1]
		before := func(x, y scop.Object) string {
			return fmt.Sprintf("(const char *)%s + %s <= (const char *)%s", h.outer[x.Name()], h.bytes(x), h.outer[y.Name()])
		}
		conds = append(conds, before(x, y)+" || "+before(y, x))
	}
	return conds
}

// bytes returns the size of o; with an extent that is not positive it does not matter.
func (h *host) bytes(o scop.Object) string {
	text := fmt.Sprintf("sizeof(%v)", o.Array.Elem)
	for _, e := range o.Extents() {
		text += fmt.Sprintf(" * (size_t)(%s)", h.wide(e))
	}
	return text
}

var pragmaLine = regexp.MustCompile(`^[ \t]*#[ \t]*pragma[ \t]+(scop|endscop)\b`)

// original returns the source of the region without its pragmas, and the number
// of its first line.
func original(p *scop.Program) (text string, line int) {
	lines := strings.SplitAfter(strings.TrimSuffix(string(p.Source[p.Region.Start:p.Region.End]), "\n"), "\n")
	line = p.Region.StartLine
	if pragmaLine.MatchString(lines[0]) {
		lines, line = lines[1:], line+1
	}
	if last := len(lines) - 1; last >= 0 && pragmaLine.MatchString(lines[last]) {
		lines = lines[:last]
	}
	text = strings.Join(lines, "")
	if text != "" && !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	return text, line
}
