package cuda

import (
	"fmt"
	"strings"

	"github.com/hexcc/hexcc/ctext"
	"github.com/hexcc/hexcc/gpu"
	"github.com/hexcc/hexcc/kerneltext"
	"github.com/hexcc/hexcc/scop"
)

// header returns BASE.hex.h.
func header(parts []part) string {
	names, file := parts[0].Names, parts[0].Program.Scop.File
	var b strings.Builder
	for i, p := range parts {
		if i > 0 {
			b.WriteString("\n")
		}
		b.WriteString(contract(p.Program, p.spelling))
		rename := func(name string, _ scop.Type, _ bool) string { return p.spelling.Outer[name] }
		b.WriteString(prototype(p.Program, p.Names, "int", rename) + ";\n")
		if ctext.Tested(p.Program.Scop) {
			b.WriteString(testDeclaration(p.Program, p.Names, p.spelling))
		}
	}
	return kerneltext.Header(names.HeaderFile(), file, b.String())
}

// contract returns the comment on the host function.
func contract(p *gpu.Program, s *kerneltext.Spelling) string {
	r := p.Scop.Region
	var b strings.Builder
	fmt.Fprintf(&b, "/* Does what lines %d to %d of %s do, on the current CUDA device: copies the\n", r.StartLine, r.EndLine, ctext.CommentSafe(p.Scop.File))
	b.WriteString("   arrays there, runs the kernels, and copies back those that change. Arrays are\n")
	b.WriteString("   in host memory, row-major, each given by its first element:\n\n")
	b.WriteString(s.ObjectList())
	b.WriteString("\n   They must not overlap. Returns 0, or a cudaError_t after a message on stderr;\n")
	b.WriteString("   then the contents of the arrays that change is unspecified. */\n")
	return b.String()
}

// hostSource returns the user's source with the regions replaced by calls.
func hostSource(parts []Part) string {
	var calls []ctext.Call
	for _, p := range parts {
		c := ctext.Call{
			Scop: p.Program.Scop, Note: fmt.Sprintf("hexcc: on the GPU, see %s", p.Names.KernelFile()),
			Run: p.Names.Function(), Status: true, Refuse: p.Names.Refuse,
		}
		if ctext.Tested(p.Program.Scop) {
			c.Test = p.Names.Test()
		}
		calls = append(calls, c)
	}
	return fmt.Sprintf("#include \"%s\"\n", parts[0].Names.HeaderFile()) + ctext.Replaced(calls)
}
