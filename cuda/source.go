package cuda

import (
	"fmt"
	"strings"

	"github.com/hexcc/hexcc/gpu"
	"github.com/hexcc/hexcc/scop"
)

// header returns BASE.hex.h.
func header(parts []part) string {
	names, file := parts[0].Names, parts[0].Program.Scop.File
	guard := "HEXCC_" + strings.ToUpper(identifier(names.Base)) + "_HEX_H"
	var b strings.Builder
	fmt.Fprintf(&b, "/* %s: declares what hexcc made from %s. */\n", names.HeaderFile(), commentSafe(file))
	fmt.Fprintf(&b, "#ifndef %s\n#define %s\n\n#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n", guard, guard)
	for i, p := range parts {
		if i > 0 {
			b.WriteString("\n")
		}
		b.WriteString(contract(p.Program, p.spelling))
		rename := func(name string, _ scop.Type, _ bool) string { return p.spelling.outer[name] }
		b.WriteString(prototype(p.Program, p.Names, "int", rename) + ";\n")
		if tested(p.Program) {
			b.WriteString(testDeclaration(p.Program, p.Names, p.spelling))
		}
	}
	fmt.Fprintf(&b, "\n#ifdef __cplusplus\n}\n#endif\n\n#endif /* %s */\n", guard)
	return b.String()
}

// contract returns the comment on the host function.
func contract(p *gpu.Program, s *spelling) string {
	r := p.Scop.Region
	var b strings.Builder
	fmt.Fprintf(&b, "/* Does what lines %d to %d of %s do, on the current CUDA device: copies the\n", r.StartLine, r.EndLine, commentSafe(p.Scop.File))
	b.WriteString("   arrays there, runs the kernels, and copies back those that change. Arrays are\n")
	b.WriteString("   in host memory, row-major, each given by its first element:\n\n")
	for _, a := range p.Scop.Arrays {
		note := ""
		if a.Const {
			note = ", only read"
		}
		for _, o := range a.Objects() {
			fmt.Fprintf(&b, "     %s%s\n", objectDeclaration(s, a, o), note)
		}
	}
	b.WriteString("\n   They must not overlap. Returns 0, or a cudaError_t after a message on stderr;\n")
	b.WriteString("   then the contents of the arrays that change is unspecified. */\n")
	return b.String()
}

// hostSource returns the user's source with the regions replaced by calls.
func hostSource(parts []Part) string {
	file := cString(parts[0].Program.Scop.File)
	var b strings.Builder
	fmt.Fprintf(&b, "#include \"%s\"\n#line 1 %s\n", parts[0].Names.HeaderFile(), file)
	source, done := parts[0].Program.Scop.Source, 0
	for _, p := range parts {
		r := p.Program.Scop.Region
		b.Write(source[done:r.Start])
		b.WriteString(replacement(p.Program, p.Names))
		fmt.Fprintf(&b, "#line %d %s\n", r.EndLine+1, file)
		done = r.End
	}
	b.Write(source[done:])
	return b.String()
}

// replacement returns the statement that stands for the region. A failure stops
// the program: going on with arrays of unknown contents would be worse.
func replacement(p *gpu.Program, names Names) string {
	var args []string
	for _, q := range p.Scop.Params {
		args = append(args, q.Source())
	}
	for _, q := range p.Scop.Scalars {
		args = append(args, q.Source())
	}
	for _, a := range p.Scop.Arrays {
		for _, o := range a.Objects() {
			args = append(args, fmt.Sprintf("(%s*)(%s)", pointed(a), o.Flat))
		}
	}
	arguments := "(" + strings.Join(args, ", ") + ")"
	out := printer{depth: 1}
	run := func() {
		out.line("if (%s%s != 0)", names.Function(), arguments)
		out.line("  __builtin_abort(); /* the message is on stderr */")
		for _, a := range p.Scop.Arrays {
			rotate(&out, p.Scop, a)
		}
	}
	out.block("", func() {
		if outer := p.Scop.Outer; len(outer) > 0 {
			out.line("(void)%s; /* unused from here on */", strings.Join(outer, "; (void)"))
		}
		out.line("/* hexcc: on the GPU, see %s */", names.KernelFile())
		switch {
		case !tested(p):
			run()
		case names.Refuse:
			out.line("if (!%s%s)", names.Test(), arguments)
			out.line("  __builtin_abort(); /* the message is on stderr */")
			run()
		default:
			text, line := original(p.Scop)
			out.line("if (%s%s) {", names.Test(), arguments)
			out.depth++
			run()
			out.depth--
			out.line("} else {")
			out.raw(fmt.Sprintf("#line %d %s\n", line, cString(p.Scop.File)))
			out.raw(text)
			out.line("}")
		}
	})
	return out.buf.String()
}

// rotate prints what leaves the pointers of a as the original program does.
func rotate(out *printer, p *scop.Program, a *scop.Array) {
	if len(a.Turns) == 0 {
		return
	}
	for i, n := range a.Turns {
		if i == 0 {
			out.line("long hexcc_turns_%s = %s;", a.Name, longSum(p, n))
		} else {
			out.line("if (hexcc_turns_%s > %s)", a.Name, longSum(p, n))
			out.line("  hexcc_turns_%s = %s;", a.Name, longSum(p, n))
		}
	}
	out.block(fmt.Sprintf("for (hexcc_turns_%s = hexcc_turns_%s > 0 ? hexcc_turns_%s %% %d : 0; hexcc_turns_%s > 0; hexcc_turns_%s--)",
		a.Name, a.Name, a.Name, len(a.Planes), a.Name, a.Name), func() {
		first, last := a.Planes[0].Pointer, a.Planes[len(a.Planes)-1].Pointer
		out.line("__typeof__(%s) hexcc_first = %s;", first, first)
		for k, plane := range a.Planes[1:] {
			out.line("%s = %s;", a.Planes[k].Pointer, plane.Pointer)
		}
		out.line("%s = hexcc_first;", last)
	})
}

// longSum returns a, which is over parameters only, in C and computed in 64 bits.
func longSum(p *scop.Program, a scop.Affine) string {
	text := fmt.Sprintf("%dL", a.Const)
	for i, c := range a.Params {
		switch {
		case c == 1:
			text += " + (long)" + p.Params[i].Source()
		case c == -1:
			text += " - (long)" + p.Params[i].Source()
		case c < 0:
			text += fmt.Sprintf(" - %dL * (long)%s", -c, p.Params[i].Source())
		case c > 0:
			text += fmt.Sprintf(" + %dL * (long)%s", c, p.Params[i].Source())
		}
	}
	return text
}

// cString returns s as a string literal.
func cString(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`).Replace(s) + `"`
}

// commentSafe returns s such that it does not end a comment.
func commentSafe(s string) string {
	return strings.NewReplacer("*/", "* /", "/*", "/ *", "\n", " ").Replace(s)
}
