package cuda

import (
	"github.com/hexcc/hexcc/ctext"
	"github.com/hexcc/hexcc/scop"
)

// This file prints the test of what the kernels rely on but C does not
// guarantee. Where it fails, the host file runs the user's own loops, or stops
// the program.

// test prints the function that tests.
func (h *host) test() {
	used := h.TestUses()
	rename := func(name string, _ scop.Type, _ bool) string {
		if used[name] {
			return h.Outer[name]
		}
		return ""
	}
	h.Blank()
	h.Line("extern \"C\" int %s(%s)", h.names.Functions().Test(), ctext.Parameters(h.Program.Scop, "", rename))
	h.Raw("{\n")
	h.Depth = 1
	h.TestBody(&h.Printer, "fprintf(stderr", "the kernels", h.names.Refuse)
	h.Depth = 0
	h.Raw("}\n")
}
