package kerneltext

import (
	"slices"
	"strings"

	"github.com/hexcc/hexcc/ctext"
	"github.com/hexcc/hexcc/scop"
)

// This file prints functions in C that hosts have alike.

// Function prints a function whose parameters of other types than that of indices
// are converted where body uses them. Body returns the names of what it passes on.
func (h *Host) Function(name, params string, body func() []string) {
	before, outer := h.Buf.String(), h.Uses
	h.Buf.Reset()
	h.Uses = map[string]bool{}
	h.Depth = 1
	passed := body()
	text, uses := h.Buf.String(), h.Uses
	h.Buf.Reset()
	h.Depth = 0
	h.Raw(before + "\n")
	h.Line("int %s(%s)", name, params)
	h.Braces("", func() {
		for _, q := range h.Program.Scop.Params {
			spelled, given := h.Outer[q.Name], h.ParameterName(q.Name, q.Type, true)
			switch {
			case uses[spelled] && spelled != given:
				h.Line("const %v %s = (%v)%s;", h.Index, spelled, h.Index, given)
			case !uses[spelled] && !slices.Contains(passed, given):
				h.Line("(void)%s;", given)
			}
		}
		h.Raw(text)
	})
	for use := range uses {
		outer[use] = true
	}
	h.Uses = outer
}

// Numbers returns the parameters and scalars, named by rename.
func (h *Host) Numbers(rename func(name string, t scop.Type, isParam bool) string) (args []string) {
	for _, q := range h.Program.Scop.Params {
		args = append(args, rename(q.Name, q.Type, true))
	}
	for _, q := range h.Program.Scop.Scalars {
		args = append(args, rename(q.Name, q.Type, false))
	}
	return args
}

// Untimed prints the function on arrays of the host that does not say how long it took.
func (h *Host) Untimed(f ctext.Functions) {
	named := func(name string, _ scop.Type, _ bool) string { return h.Outer[name] }
	h.Blank()
	h.Line("int %s(%s)", f.Run(), ctext.Parameters(h.Program.Scop, "", named))
	h.Braces("", func() {
		args := h.Numbers(named)
		for _, a := range h.Program.Scop.Arrays {
			for _, o := range a.Objects() {
				args = append(args, h.Outer[o.Name])
			}
		}
		h.Line("return %s(%s);", f.Timed(), strings.Join(append(args, "NULL"), ", "))
	})
}

// Test prints the function that tests facts.
func (h *Host) Test(f ctext.Functions, refuse bool) {
	named := func(name string, _ scop.Type, _ bool) string { return h.Outer[name] }
	h.Blank()
	h.Line("int %s(%s)", f.Test(), ctext.Parameters(h.Program.Scop, "", named))
	h.Braces("", func() {
		h.SilenceUntested(&h.Printer)
		h.TestBody(&h.Printer, "fprintf(stderr", "the kernels", refuse)
	})
}
