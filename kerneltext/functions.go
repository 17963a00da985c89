package kerneltext

import (
	"fmt"
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
	h.Line("%sint %s(%s)", h.Linkage, name, params)
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

// Failures returns the functions that tell of failures, with a Linkage. They are those
// of all regions of the file.
func Failures(f ctext.Functions, linkage string) string {
	return fmt.Sprintf(`
%[1]sconst char *%[2]s(void)
{
  return hexcc_message;
}

%[1]svoid %[3]s(void)
{
  fprintf(stderr, "%%s\n", hexcc_message);
  abort();
}
`, linkage, f.Error(), f.Stop())
}

// Unpassed keeps compilers from warning of scalars and arrays that no kernel is passed.
func (h *Host) Unpassed(passed map[string]bool) {
	var names []string
	for _, q := range h.Program.Scop.Scalars {
		names = append(names, h.Outer[q.Name])
	}
	for _, a := range h.Program.Scop.Arrays {
		names = append(names, h.Outer[a.Name])
	}
	for _, name := range names {
		if !passed[name] {
			h.Line("(void)%s;", name)
		}
	}
}

// TimeTiles prints the bounds of the time tiles, and returns what prints the loop over them.
func (h *Host) TimeTiles() (loop func(body func())) {
	t := h.Program.T
	lo, hi := h.Fresh(t+"_lo"), h.Fresh(t+"_hi")
	what := "time tiles"
	if h.Program.Fronts != nil {
		what = "fronts of tiles"
	}
	h.Line("const %v %s = %s, %s = %s; // %s", h.Index, lo, h.Expr(h.Program.TLo), hi, h.Expr(h.Program.THi), what)
	return func(body func()) {
		h.Braces(fmt.Sprintf("for (%v %s = %s; %s <= %s; %s++)", h.Index, t, lo, t, hi, t), body)
	}
}

// Elapsed prints how times are taken from events 0 to 3, where they are asked for: by
// a call into which go the numbers of two events and the field for the time between them.
func (h *Host) Elapsed(call string) {
	h.Braces("if (times != NULL)", func() {
		for i, field := range []string{"in", "kernels", "out"} {
			h.Line(call, i, i+1, field)
		}
	})
}

// StartClock and StopClock print in C how the time of all is taken, where it is asked for.
func (h *Host) StartClock() {
	h.Line("struct timespec start, stop;")
	h.Line("clock_gettime(CLOCK_MONOTONIC, &start);")
}

func (h *Host) StopClock() {
	h.Line("clock_gettime(CLOCK_MONOTONIC, &stop);")
	h.Line("if (times != NULL)")
	h.Line("  times->total = (float)((double)(stop.tv_sec - start.tv_sec) * 1e3 + (double)(stop.tv_nsec - start.tv_nsec) * 1e-6);")
}

// Untimed prints the function on arrays of the host that does not say how long it took.
func (h *Host) Untimed(f ctext.Functions) {
	named := func(name string, _ scop.Type, _ bool) string { return h.Outer[name] }
	h.Blank()
	h.Line("%sint %s(%s)", h.Linkage, f.Run(), ctext.Parameters(h.Program.Scop, "", named))
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
	h.Line("%sint %s(%s)", h.Linkage, f.Test(), ctext.Parameters(h.Program.Scop.Tested(), "", named))
	h.Braces("", func() {
		h.SilenceUntested(&h.Printer)
		h.TestBody(&h.Printer, "fprintf(stderr", "the kernels", refuse)
	})
}
