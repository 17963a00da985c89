package kerneltext

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hexcc/hexcc/astgen"
	"github.com/hexcc/hexcc/ctext"
	"github.com/hexcc/hexcc/gpu"
	"github.com/hexcc/hexcc/schedule"
	"github.com/hexcc/hexcc/scop"
)

// This file prints the header of a translation for a device: what C and C++
// programs call. Languages differ in how they name arrays and queues of a device.

// A Runtime is what the header says of the language of the device.
type Runtime struct {
	Device  string // where the kernels run: the current CUDA device
	Memory  string // how arrays on it are given: "by a pointer to device memory"
	Status  string // what functions return where they fail: a cudaError_t
	Array   string // the type of an array on the device, without const, %s for that of its elements: "%s *"
	Queue   string // the last parameter of Functions.Device: struct CUstream_st *stream
	About   string // a sentence on that parameter
	Declare string // declarations that the prototypes need, or ""
	More    string // more declarations, or ""
}

// An Entry is a region for the header.
type Entry struct {
	Spelling  *Spelling
	Functions ctext.Functions
	Program   *gpu.Program
	Host      string // the file that calls it
}

// Times declares the struct of Functions.Timed, once for all headers of a program.
const Times = `#ifndef HEXCC_TIMES
#define HEXCC_TIMES
/* How long a call took, in milliseconds: copies to the device, kernels, and copies
   back, by the clock of the device; and all of it, by that of the host. */
struct hexcc_times {
  float in, kernels, out, total;
};
#endif
`

// DeviceHeader returns the header called name for the regions of one file, in source order.
func DeviceHeader(name string, r Runtime, entries []Entry) string {
	var b strings.Builder
	b.WriteString(r.Declare + Times)
	for _, e := range entries {
		if ctext.HasHalves(e.Spelling.Scop) {
			b.WriteString("\n" + ctext.HalfType)
			break
		}
	}
	b.WriteString("\n")
	for _, e := range entries {
		b.WriteString(e.run(r) + "\n" + e.timed() + "\n" + e.device(r) + "\n")
		if ctext.Tested(e.Spelling.Scop) {
			b.WriteString(e.Spelling.TestContract() + e.test() + "\n")
		}
	}
	f, host := entries[0].Functions, entries[0].Host
	fmt.Fprintf(&b, "/* What failed last in this thread: file, line, call and error. Never NULL. */\nconst char *%s(void);\n\n", f.Error())
	fmt.Fprintf(&b, "/* Prints that on stderr and aborts: what %s does where a function above fails. */\nvoid %s(void);\n\n", ctext.CommentSafe(host), f.Stop())
	fmt.Fprintf(&b, "/* Whether the kernels can run on %s. Returns 1, or 0 and, the first\n   time, a message on stderr. */\nint %s(void);\n", r.Device, f.Ready())
	b.WriteString(r.More)
	var regions []*scop.Program
	for _, e := range entries {
		regions = append(regions, e.Spelling.Scop)
	}
	return Header(name, b.String(), regions...)
}

// prototype returns the declaration of a function on arrays of the host.
func (e Entry) prototype(name string) string {
	return fmt.Sprintf("int %s(%s);\n", name, ctext.Parameters(e.Spelling.Scop, "", e.Spelling.named))
}

// test declares the function that tests what is assumed.
func (e Entry) test() string {
	return fmt.Sprintf("int %s(%s);\n", e.Functions.Test(), ctext.Parameters(e.Spelling.Scop.Tested(), "", e.Spelling.named))
}

// run declares the function on arrays of the host.
func (e Entry) run(r Runtime) string {
	p := e.Spelling.Scop
	var b strings.Builder
	first, last := p.UserLines()
	fmt.Fprintf(&b, "/* Does what lines %d to %d of %s do, on %s: copies the\n", first, last, ctext.CommentSafe(p.File), r.Device)
	b.WriteString("   arrays there, runs the kernels, and copies back those that change. Arrays are\n")
	b.WriteString("   in host memory, row-major, each given by its first element:\n\n" + e.Spelling.ObjectList())
	fmt.Fprintf(&b, "\n   They must not overlap. Returns 0, or %s: %s\n", r.Status, e.Functions.Error()+"() says more.")
	b.WriteString("   Then the arrays are as before, unless what failed is copying back or came after it.\n")
	b.WriteString("   In any case all that was allocated is freed. Any number of threads may call it at once.")
	b.WriteString(e.Spelling.coefficients() + " */\n")
	return b.String() + e.prototype(e.Functions.Run())
}

// coefficients says which numbers stand for elements of arrays, for a comment.
func (s *Spelling) coefficients() string {
	var all []string
	for _, q := range s.Scop.Scalars {
		if q.Of != nil {
			all = append(all, fmt.Sprintf("%s is %s", s.Outer[q.Name], q.Source()))
		}
	}
	if len(all) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString("\n   Of arrays of coefficients it takes elements:\n")
	for four := range slices.Chunk(all, 4) {
		fmt.Fprintf(&b, "\n     %s", ctext.CommentSafe(strings.Join(four, ", ")))
	}
	return b.String()
}

func (e Entry) timed() string {
	return fmt.Sprintf("/* The same; *times, unless times is NULL, is how long it took. */\nint %s(%s);\n",
		e.Functions.Timed(), AndAlso(ctext.Parameters(e.Spelling.Scop, "", e.Spelling.named), "struct hexcc_times *times"))
}

// device declares the function on arrays of the device.
func (e Entry) device(r Runtime) string {
	s, p := e.Spelling, e.Spelling.Scop
	var b strings.Builder
	b.WriteString("/* The same on arrays that are on the device already. Allocates and copies nothing")
	if e.Program.Chains != nil {
		b.WriteString(" but flags, in the\n   order of the queue, by which tiles wait for each other")
	}
	b.WriteString(", and\n")
	b.WriteString("   returns when all kernels are in the queue, before they end: errors of kernels are\n")
	b.WriteString("   returned by later calls. " + r.About + "\n")
	fmt.Fprintf(&b, "   Arrays are row-major, each given %s:\n\n", r.Memory)
	for _, a := range p.Arrays {
		fmt.Fprintf(&b, "     %s%s\n", s.declared(a.Elem, a.Name, a.Extents), deviceNote(a, e.Program.Transfer(a)))
	}
	for _, a := range p.Arrays {
		b.WriteString(s.planesNote(a))
	}
	b.WriteString("*/\n")
	fmt.Fprintf(&b, "int %s(%s);\n", e.Functions.Device(), DeviceParameters(s, r, s.named))
	return b.String()
}

// deviceNote returns what the values of an array are before and after.
func deviceNote(a *scop.Array, t schedule.Transfer) string {
	switch {
	case a.Const:
		return ", only read"
	case t.Absent:
		return ", not used: may be NULL"
	case !t.In && !t.Out:
		return ", scratch: needs no values, and leaves none"
	case !t.In:
		return ", only written"
	}
	return ""
}

// planesNote says where the planes of a lie, if it has some.
func (s *Spelling) planesNote(a *scop.Array) string {
	if len(a.Planes) == 0 {
		return ""
	}
	name := s.Outer[a.Name]
	var before, after []string
	for k, p := range a.Planes {
		if len(a.Origin) > 0 {
			before = append(before, fmt.Sprintf("%s[%d] is what %s points into", name, k, p.Pointer))
		} else {
			before = append(before, fmt.Sprintf("%s[%d] is what %s points to", name, k, p.Pointer))
		}
		turned := fmt.Sprintf("(N + %d)", k)
		if k == 0 {
			turned = "N"
		}
		after = append(after, fmt.Sprintf("%s to %s[%s %% %d]", p.Pointer, name, turned, len(a.Planes)))
	}
	text := "\n   Before the region, " + strings.Join(before, ", ") + ".\n"
	if len(a.Turns) == 0 {
		return text
	}
	x := ctext.NewIndexer(s.Spelling)
	var turns []string
	for _, t := range a.Turns {
		turns = append(turns, x.Expr(x.Affine(t)))
	}
	n := turns[0]
	if len(turns) > 1 {
		n = "the least of " + strings.Join(turns, " and ")
	}
	text += "   The elements stay where they are when the region exchanges the pointers. After it,\n"
	return text + fmt.Sprintf("   %s, where N is %s, or 0 if that is less.\n", strings.Join(after, ", "), n)
}

// named returns the spelling of a parameter, scalar or array, for Parameters.
func (s *Spelling) named(name string, _ scop.Type, _ bool) string { return s.Outer[name] }

// AndAlso returns a list of parameters with one more.
func AndAlso(params, more string) string {
	if params == "void" {
		return more
	}
	return params + ", " + more
}

// DeviceParameters returns the parameters of Functions.Device, numbers and arrays named by rename.
func DeviceParameters(s *Spelling, r Runtime, rename func(name string, t scop.Type, isParam bool) string) string {
	whole := *s.Scop
	whole.Arrays = nil
	params := ctext.Parameters(&whole, "", rename)
	for _, a := range s.Scop.Arrays {
		t := r.Array
		if strings.Contains(t, "%s") {
			t = fmt.Sprintf(t, strings.TrimSuffix(ctext.Pointed(a), " "))
		}
		params = AndAlso(params, t+rename(a.Name, a.Elem, false))
	}
	return AndAlso(params, r.Queue)
}

// WhereBusy prints what body does where a launch has something to do, in braces.
func (h *Host) WhereBusy(w astgen.Work, body func()) {
	cond := h.Work(w)
	if cond != "" {
		h.Line("// elsewhere no tile has an iteration")
		cond = "if (" + cond + ")"
	}
	h.Braces(cond, body)
}

// UnlessBusy prints the return where there is nothing to do.
func (h *Host) UnlessBusy() {
	if cond := h.Cond(h.Program.Busy); cond != "" {
		h.Line("if (!(%s))", cond)
		h.Line("  return 0; // no iteration")
	}
}
