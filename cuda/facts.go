package cuda

import (
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
	rename := func(name string, _ scop.Type, _ bool) string { return s.Outer[name] }
	names.test = true
	return "\n" + s.TestContract() + prototype(p, names, "int", rename) + ";\n"
}

// test prints the function that tests.
func (h *host) test() {
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
	h.Raw(prototype(h.Program, names, "extern \"C\" int", rename) + "\n{\n")
	h.Depth = 1
	h.TestBody(&h.Printer, "fprintf(stderr", "the kernels", h.names.Refuse)
	h.Depth = 0
	h.Raw("}\n")
}
