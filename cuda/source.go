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
	guard := "HEXCC_" + strings.ToUpper(ctext.Identifier(names.Base)) + "_HEX_H"
	var b strings.Builder
	fmt.Fprintf(&b, "/* %s: declares what hexcc made from %s. */\n", names.HeaderFile(), ctext.CommentSafe(file))
	fmt.Fprintf(&b, "#ifndef %s\n#define %s\n\n#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n", guard, guard)
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
	fmt.Fprintf(&b, "\n#ifdef __cplusplus\n}\n#endif\n\n#endif /* %s */\n", guard)
	return b.String()
}

// contract returns the comment on the host function.
func contract(p *gpu.Program, s *kerneltext.Spelling) string {
	r := p.Scop.Region
	var b strings.Builder
	fmt.Fprintf(&b, "/* Does what lines %d to %d of %s do, on the current CUDA device: copies the\n", r.StartLine, r.EndLine, ctext.CommentSafe(p.Scop.File))
	b.WriteString("   arrays there, runs the kernels, and copies back those that change. Arrays are\n")
	b.WriteString("   in host memory, row-major, each given by its first element:\n\n")
	for _, a := range p.Scop.Arrays {
		note := ""
		if a.Const {
			note = ", only read"
		}
		for _, o := range a.Objects() {
			fmt.Fprintf(&b, "     %s%s\n", s.ObjectDeclaration(a, o), note)
		}
	}
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
