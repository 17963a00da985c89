package kerneltext

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/ctext"
	"github.com/hexcc/hexcc/gpu"
	"github.com/hexcc/hexcc/schedule"
	"github.com/hexcc/hexcc/scop"
)

// This file prints what hosts have alike, whatever starts the kernels: sizes of
// arrays, and the cases in which there is nothing to do.

// A Host prints a function that runs the kernels of a program. Its arguments are
// those of ctext.Parameters, named by ParameterName.
type Host struct {
	ctext.Printer
	ctext.Indexer
	Program *gpu.Program
	Linkage string // goes before the type of a function that C calls: extern "C", with a space after it; or ""
}

// A HostArray is an array in the memory of the host and on the device, by the
// names of variables.
type HostArray struct {
	*scop.Array
	Device   string   // on the device
	Bytes    string   // its size, or that of each plane
	Copied   string   // the size of what is copied: Bytes, or less
	Skipped  string   // how much lies in front of what is copied, "" for nothing
	Objects  []string // the arguments with its elements
	Transfer schedule.Transfer
}

// AllBytes returns the size of a with all planes.
func (a HostArray) AllBytes() string {
	if r := len(a.Planes); r > 0 {
		return fmt.Sprintf("%d * %s", r, a.Bytes)
	}
	return a.Bytes
}

// ParameterName returns the name of a parameter in the definition. Parameters that have not the type of indices
// are converted first.
func (h *Host) ParameterName(name string, t scop.Type, isParam bool) string {
	if isParam && t != h.Index {
		return h.Outer[name] + "_arg"
	}
	return h.Outer[name]
}

// Arrays returns the arrays of the program with new names for what is needed of them.
func (h *Host) Arrays() []HostArray {
	var arrays []HostArray
	for _, a := range h.Program.Scop.Arrays {
		name := h.Outer[a.Name]
		d := HostArray{Array: a, Device: h.Fresh("dev_" + name), Bytes: h.Fresh("bytes_" + name), Transfer: h.Program.Transfer(a)}
		if d.Copied = d.Bytes; len(a.First)+len(a.Last) > 0 {
			d.Copied = h.Fresh("copied_" + name)
		}
		if len(a.First) > 0 {
			d.Skipped = h.Fresh("skipped_" + name)
		}
		for _, o := range a.Objects() {
			d.Objects = append(d.Objects, h.Outer[o.Name])
		}
		arrays = append(arrays, d)
	}
	return arrays
}

// count returns e, or 0 if it is negative, as a size_t or a number.
func (h *Host) count(e scop.Affine) string {
	n := affine.MaxOf(h.Affine(e), affine.Num(0))
	if sum, ok := n.(affine.Sum); ok && sum.IsNum() {
		return h.Expr(n)
	}
	return "(size_t)" + h.Expr(n)
}

// sizeToLast returns the bytes of a, or of each plane, up to its last element that is known to exist.
func (h *Host) sizeToLast(a *scop.Array) string {
	return fmt.Sprintf("sizeof(%s) * (%s + 1)", a.Elem.InMemory(), h.elementsTo(a, a.Last))
}

// elementsTo returns how many elements of a, or of each plane, lie in front of the one with subscripts at.
func (h *Host) elementsTo(a *scop.Array, at []scop.Affine) string {
	text := ""
	for k, e := range a.ObjectExtents() {
		at := h.count(at[k])
		if k == 0 {
			text = at
		} else {
			text = fmt.Sprintf("(%s) * %s + %s", text, h.count(e), at)
		}
	}
	return text
}

// Object returns where what is copied of object k of a begins on the host.
func (a HostArray) Object(k int) string {
	if a.Skipped == "" {
		return a.Objects[k]
	}
	return fmt.Sprintf("%s + %s / sizeof(%s)", a.Objects[k], a.Skipped, a.Elem.InMemory())
}

// nothing returns early if no array has an element.
func (h *Host) nothing(arrays []HostArray) {
	var conds []string
	for _, a := range arrays {
		conds = append(conds, a.Bytes+" == 0")
	}
	if len(conds) > 0 {
		h.Line("if (%s)", strings.Join(conds, " && "))
		h.Line("  return 0; // no elements")
	}
}

// ObjectList returns the objects that the region uses as C declares them, each on
// a line, for a comment.
func (s *Spelling) ObjectList() string {
	var b strings.Builder
	for _, a := range s.Scop.Arrays {
		note := ""
		if a.Const {
			note = ", only read"
		}
		for _, o := range a.Objects() {
			fmt.Fprintf(&b, "     %s%s\n", s.ObjectDeclaration(a, o), note)
		}
	}
	return b.String()
}

// TestContract returns the comment on the function that tests facts.
func (s *Spelling) TestContract() string {
	text := "/* Whether these hold, which the function above relies on:\n\n"
	for _, fact := range ctext.Conditions(s.Scop) {
		text += "     " + fact + "\n"
	}
	return text + "\n   Returns 1, or 0 and, the first time, a message on stderr. */\n"
}

// Scops returns the programs of regions.
func Scops(regions []Region) (all []*scop.Program) {
	for _, r := range regions {
		all = append(all, r.Program.Scop)
	}
	return all
}

// MadeOf returns the comment at the head of a file in C that was made of regions.
func MadeOf(file string, regions ...*scop.Program) string {
	text := fmt.Sprintf("/* %s.", ctext.MadeFrom(file, regions[0].File))
	if fused := ctext.Rounded(regions...); fused != "" {
		text += "\n   " + fused
	}
	return text + " */\n"
}

// Header returns a header for C and C++ that says what it declares.
func Header(file, body string, regions ...*scop.Program) string {
	guard := ctext.Guard(strings.TrimSuffix(file, ".hex.h"))
	return MadeOf(file, regions...) +
		fmt.Sprintf("#ifndef %s\n#define %s\n\n#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n", guard, guard) +
		body + fmt.Sprintf("\n#ifdef __cplusplus\n}\n#endif\n\n#endif /* %s */\n", guard)
}

// A Region is what the head of a file says of a region of the source.
type Region struct {
	Program  *gpu.Program
	Function string   // that stands for it
	About    []string // what was done
}

// ascii returns text with characters beyond ASCII, which files of PTX may not have, as their numbers.
func ascii(text string) string {
	quoted := strconv.QuoteToASCII(text)
	return strings.ReplaceAll(strings.ReplaceAll(quoted[1:len(quoted)-1], `\"`, `"`), `\\`, `\`)
}

// PrintHead prints the head of a file with the kernels of regions.
func PrintHead(out *ctext.Printer, file string, regions []Region) {
	line := ascii(ctext.MadeFrom(file, regions[0].Program.Scop.File))
	for i, r := range regions {
		p := r.Program.Scop
		first, last := p.UserLines()
		lines := fmt.Sprintf("lines %d to %d (function %s).", first, last, ascii(p.Function))
		switch {
		case len(regions) == 1:
			out.Line("// %s, %s", line, lines)
		case i == 0:
			out.Line("// %s, %d regions.", line, len(regions))
			fallthrough
		default:
			out.Line("//\n// %s: %s", r.Function, lines)
		}
		for _, text := range slices.Concat(r.About, r.Program.Remarks) {
			out.Line("// %s", ascii(strings.ReplaceAll(text, "\n", " ")))
		}
	}
	if fused := ctext.Rounded(Scops(regions)...); fused != "" {
		out.Line("//\n// %s", ascii(fused))
	}
	out.Line("//")
}
