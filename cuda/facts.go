package cuda

import (
	"fmt"
	"strings"

	"github.com/hexcc/hexcc/ctext"
	"github.com/hexcc/hexcc/gpu"
	"github.com/hexcc/hexcc/kerneltext"
	"github.com/hexcc/hexcc/scop"
)

// This file prints the test of what the kernels rely on but C does not
// guarantee. Where it fails, the host file runs the user's own loops, or stops
// the program.

// Test returns the name of the function that tests: hexcc_jacobi_2d_0_fits.
func (n Names) Test() string { return n.Function() + "_fits" }

// testDeclaration returns the test for the header.
func testDeclaration(p *gpu.Program, names Names, s *kerneltext.Spelling) string {
	var b strings.Builder
	b.WriteString("\n/* Whether these hold, which the function above relies on:\n\n")
	for _, text := range ctext.Conditions(p.Scop) {
		fmt.Fprintf(&b, "     %s\n", text)
	}
	b.WriteString("\n   Returns 1, or 0 and, the first time, a message on stderr. */\n")
	rename := func(name string, _ scop.Type, _ bool) string { return s.Outer[name] }
	names.test = true
	b.WriteString(prototype(p, names, "int", rename) + ";\n")
	return b.String()
}

// test prints the function that tests.
func (h *host) test() {
	p := h.prog.Scop
	used := h.TestUses()
	rename := func(name string, _ scop.Type, _ bool) string {
		if used[name] {
			return h.Outer[name]
		}
		return ""
	}
	names := h.names
	names.test = true
	h.Blank()
	h.Raw(prototype(h.prog, names, "extern \"C\" int", rename) + "\n{\n")
	h.Depth = 1
	h.Line("const char *violated = NULL;")
	for i, text := range h.TestConditions() {
		h.Line("if (!(%s))", text)
		h.Line("  violated = %s;", ctext.Quote(ctext.Conditions(p)[i]))
	}
	otherwise := "the original loops run instead of the kernels"
	if h.names.Refuse {
		otherwise = "the program stops"
	}
	h.Line("static int said = 0;")
	h.Braces("if (violated != NULL && !said)", func() {
		h.Line("said = 1;")
		h.Line("fprintf(stderr, \"%%s:%%d: hexcc: it does not hold that %%s: %s\\n\",", otherwise)
		h.Line("    %s, %d, violated);", ctext.Quote(p.File), p.Region.StartLine)
	})
	h.Line("return violated == NULL;")
	h.Depth = 0
	h.Raw("}\n")
}
