package opencl

import (
	_ "embed" // the text of rows
	"fmt"
	"slices"
	"strings"

	"github.com/hexcc/hexcc/ctext"
	"github.com/hexcc/hexcc/gpu"
	"github.com/hexcc/hexcc/internal/parallel"
	"github.com/hexcc/hexcc/kerneltext"
)

// This file prints the kernel file.

// A region is a Part whose kernels are printed.
type region struct {
	Part
	spelling *kerneltext.Spelling
	versions []kerneltext.Version
}

func newRegion(p Part) region {
	s := kerneltext.NewSpelling(p.Program, dialect)
	s.Places = p.Names.Places
	p, versions := kerneltext.WithoutBodies(p, kerneltext.Versions(p, s))
	return region{p, s, versions}
}

// rows is what the device does with rows that stream through registers.
//
//go:embed text/rows.cl
var rows string

// streams reports whether rows stream in the kernels of r.
func (r region) streams() bool { return r.versions[0].Printed[0].Lanes > 0 }

func (r region) functions() ctext.Functions { return r.Names.Functions() }

// Built is what is needed to run the kernels of a region without its host.
type Built struct {
	Versions []kerneltext.Version
	Text     string // OpenCL C
	// Spelled says by which name in Text a parameter or scalar is passed.
	Spelled  map[string]string
	TimeTile string
	Doubles  bool     // the device must have doubles
	Inexact  []string // functions whose last bits C and OpenCL leave open
}

// Kernels returns the kernels of p.
func Kernels(p Part) Built { return AllKernels([]Part{p})[0] }

// AllKernels returns the kernels of regions of one file, with the same Base and one Text.
func AllKernels(parts []Part) []Built {
	regions := parallel.Map(parts, newRegion)
	text, _ := kernelFile(regions)
	all := make([]Built, len(regions))
	for i, r := range regions {
		n := needsOf([]region{r})
		all[i] = Built{r.versions, text, r.spelling.Outer, r.spelling.TimeTile, n.doubles, n.inexact}
	}
	return all
}

// kernelFile returns BASE.hex_kernel.cl, and where in it statements run.
func kernelFile(regions []region) (string, []kerneltext.Run) {
	var out ctext.Printer
	heads := make([]kerneltext.Region, len(regions))
	for i, r := range regions {
		heads[i] = kerneltext.Region{Program: r.Program, Function: r.functions().Run(), About: r.Names.About}
	}
	programs := kerneltext.Scops(heads)
	names, needs := regions[0].Names, needsOf(regions)
	kerneltext.PrintHead(&out, KernelFile(names.Base), heads)
	language := "OpenCL C 1.2"
	if slices.ContainsFunc(regions, region.streams) {
		language = "OpenCL C 2.0 or later, or 1.2 with cl_intel_subgroups"
	}
	out.Line("// %s. %s builds and runs it; it holds the same text.", language, ctext.CommentSafe(RunFile(names.Base)))
	out.Line("// The results are those of %s, bit for bit: no operation is reordered or contracted.", ctext.Equals(programs...))
	for _, text := range needs.remarks() {
		out.Line("// %s", text)
	}
	out.Raw("#pragma OPENCL FP_CONTRACT OFF\n")
	if needs.doubles {
		out.Raw("#ifdef cl_khr_fp64\n#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n#endif\n")
	}
	if slices.ContainsFunc(programs, ctext.HasHalves) {
		out.Raw("\ntypedef ushort hexcc_half; // the bits of a half\n" + ctext.UsedConversions(conversions, programs...))
	}
	if slices.ContainsFunc(regions, region.streams) {
		out.Raw(rows)
	}
	var runs []kerneltext.Run
	defined := map[string]bool{}
	for i, r := range regions {
		uses := kerneltext.Uses(kerneltext.All(r.versions))
		for _, h := range kerneltext.HelperTexts(kerneltext.HelperUses(r.versions), "static inline") {
			if !defined[h] {
				out.Raw("\n" + h)
				defined[h] = true
			}
		}
		if macros := r.spelling.Macros(uses); macros != "" {
			out.Raw("\n" + macros)
		}
		text, moved := kerneltext.Join(r.Program, r.versions)
		for _, run := range kerneltext.Moved(moved, out.Buf.Len()) {
			run.Region = r.Names.Region
			runs = append(runs, run)
		}
		out.Raw(text)
		if i+1 < len(regions) {
			out.Raw(r.spelling.Undefine(uses))
		}
	}
	return out.Buf.String(), runs
}

// conversions need no extension.
var conversions = []ctext.HalfConversion{
	{Name: ctext.FloatOfHalf, Text: "static inline float hexcc_float_of_half(hexcc_half h) { return vload_half(0, (const half *)&h); }\n"},
	{Name: ctext.HalfOfFloat, Text: "static inline hexcc_half hexcc_half_of_float(float x) { hexcc_half h; vstore_half_rte(x, 0, (half *)&h); return h; }\n"},
	{Name: ctext.HalfOfDouble, Text: "static inline hexcc_half hexcc_half_of_double(double x) { hexcc_half h; vstore_half_rte(x, 0, (half *)&h); return h; }\n"},
}

// embedded returns text as the elements of an array of C strings, a line each.
func embedded(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		b.WriteString("  " + ctext.Quote(line) + ",\n")
	}
	return b.String()
}

// threads returns the threads of a work-group of k as a C initialiser.
func threads(k *gpu.Kernel) string {
	t := kerneltext.Threads(k)
	return fmt.Sprintf("{%d, %d, %d}", t[0], t[1], t[2])
}
