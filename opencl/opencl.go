package opencl

import (
	"fmt"

	"github.com/hexcc/hexcc/ctext"
	"github.com/hexcc/hexcc/internal/parallel"
	"github.com/hexcc/hexcc/kerneltext"
	"github.com/hexcc/hexcc/scop"
)

// Names and Part are those of all printers of kernels.
type (
	Names = kerneltext.Names
	Part  = kerneltext.Part
)

// HostFile returns the name of the user's source with the region replaced.
func HostFile(base string) string { return base + ".hex_host.c" }

// RunFile returns the name of the C file that runs the kernels, and has their text in it.
func RunFile(base string) string { return base + ".hex_kernel.c" }

// KernelFile returns the name of the file with the kernels alone.
func KernelFile(base string) string { return base + ".hex_kernel.cl" }

// Files are the texts of a translation.
type Files struct {
	// Header declares the functions, for C and for C++.
	Header string
	// Host is the user's source, byte for byte, with the regions replaced by
	// calls and #line directives that keep all positions.
	Host string
	// Run is C: the functions that run the kernels, whose text it holds.
	Run string
	// Kernel is OpenCL C: the kernels.
	Kernel string
	// Spans say which lines of Kernel run a statement: in order, apart from each other.
	Spans []kerneltext.Span
	// Places say what in Kernel computes which expression of the source, if Names.Places: in order.
	Places []ctext.Place
	scop   *scop.Program // a region of the source
}

// String returns the kernel file.
func (f Files) String() string { return f.Kernel }

// Verify checks what can be seen without a compiler: braces balance in what we
// write whole, and no file is empty.
func (f Files) Verify() error {
	for name, text := range map[string]string{"header": f.Header, "kernel file": f.Kernel, "host file": f.Host, "file that runs kernels": f.Run} {
		if text == "" {
			return fmt.Errorf("%s is empty", name)
		}
		if open, close := ctext.Braces(text); name != "host file" && open != close {
			return fmt.Errorf("%s has %d { and %d }", name, open, close)
		}
	}
	return nil
}

// Named returns the files to write, the user's first.
func (f Files) Named(base string) []ctext.File {
	return []ctext.File{
		{Name: ctext.InLanguage(HostFile(base), f.scop), Text: f.Host},
		{Name: RunFile(base), Text: f.Run},
		{Name: KernelFile(base), Text: f.Kernel},
		{Name: ctext.HeaderFile(base), Text: f.Header},
	}
}

// PrintAll returns the regions of one file, in source order: there is at least
// one, all with the same Base.
func PrintAll(parts []Part) Files { return Join(parallel.Map(parts, PrintPart)) }

// A Printed is a region whose kernels are text. It takes little memory.
type Printed struct{ region }

// PrintPart prints the kernels of one region.
func PrintPart(p Part) Printed { return Printed{newRegion(p)} }

// LocalBytes returns how many bytes of local memory a work-group takes, the most of all kernels of the region.
func (p Printed) LocalBytes() (most int) {
	for _, k := range kerneltext.All(p.versions) {
		most = max(most, k.Shared)
	}
	return most
}

// Join returns the files of regions that are printed, in source order: there is at least one, all with the same Base.
func Join(printed []Printed) Files {
	var regions []region
	var parts []Part
	for _, r := range printed {
		regions, parts = append(regions, r.region), append(parts, r.Part)
	}
	kernels, runs := kernelFile(regions)
	if names := parts[0].Names; names.Lines {
		kernels, runs = kerneltext.WithLines(kernels, KernelFile(names.Base), runs)
	}
	spans := kerneltext.Spans(kernels, runs)
	kernels, places := ctext.Unplaced(kernels)
	return Files{
		Header: header(regions),
		Host:   kerneltext.HostSource(parts, ctext.InLanguage(HostFile(parts[0].Names.Base), parts[0].Program.Scop), "hexcc: on an OpenCL device, see "+KernelFile(parts[0].Names.Base)),
		Run:    runFile(regions, kernels),
		Kernel: kernels,
		Spans:  spans,
		Places: places,
		scop:   parts[0].Program.Scop,
	}
}
