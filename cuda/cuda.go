// Package cuda prints a gpu.Program as CUDA C++, and the user's source with the
// region replaced by a call. It decides nothing about the program: it spells.
package cuda

import (
	"github.com/hexcc/hexcc/ctext"
	"github.com/hexcc/hexcc/gpu"
	"github.com/hexcc/hexcc/internal/parallel"
	"github.com/hexcc/hexcc/kerneltext"
)

// Names and Part are those of all printers of kernels.
type (
	Names = kerneltext.Names
	Part  = kerneltext.Part
)

// HostFile returns the name of the user's source with the region replaced.
func HostFile(base string) string { return base + ".hex_host.cu" }

// KernelFile returns the name of the file that holds kernels and host function.
func KernelFile(base string) string { return base + ".hex_kernel.cu" }

// Files are the texts of a translation.
type Files struct {
	// Header declares the host functions, for C and for C++.
	Header string
	// Host is the user's source, byte for byte, with the region replaced by a
	// call and #line directives that keep all positions. It is C if the source
	// is C, and C++ if the source is C++.
	Host string
	// Kernel is CUDA C++: the kernels, and the host functions that run them.
	// NVRTC compiles the kernels alone.
	Kernel string
	// Spans say which lines of Kernel run a statement: in order, apart from each other.
	Spans []kerneltext.Span
	// Places say what in Kernel computes which expression of the source, if Names.Places: in order.
	Places []ctext.Place
}

// String returns the kernel file, which says all the others do.
func (f Files) String() string { return f.Kernel }

// Named returns the files to write, the user's first.
func (f Files) Named(base string) []ctext.File {
	return []ctext.File{
		{Name: HostFile(base), Text: f.Host},
		{Name: KernelFile(base), Text: f.Kernel},
		{Name: ctext.HeaderFile(base), Text: f.Header},
	}
}

// Print returns p, the only region of its file, as CUDA C++.
func Print(p *gpu.Program, names Names) Files { return PrintAll([]Part{{Program: p, Names: names}}) }

// PrintAll returns the regions of one file, in source order: there is at least
// one, all with the same Base.
func PrintAll(parts []Part) Files { return Join(parallel.Map(parts, PrintPart)) }

// A Printed is a region whose kernels and functions are text. It takes little memory.
type Printed struct{ part }

// PrintPart prints what belongs to one region.
func PrintPart(p Part) Printed { return Printed{newPart(p)} }

// SharedBytes returns how many bytes of shared memory a block asks for at launch, the most of all kernels of the region.
func (p Printed) SharedBytes() (most int) {
	for _, k := range p.host.launched() {
		most = max(most, k.Dynamic)
	}
	return most
}

// Join returns the files of regions that are printed, in source order: there is at least one, all with the same Base.
func Join(regions []Printed) Files {
	var printed []part
	var parts []Part
	for _, r := range regions {
		printed, parts = append(printed, r.part), append(parts, r.Part)
	}
	kernels, runs := kernelFile(printed)
	if names := parts[0].Names; names.Lines {
		kernels, runs = kerneltext.WithLines(kernels, KernelFile(names.Base), runs)
	}
	spans := kerneltext.Spans(kernels, runs)
	kernels, places := ctext.Unplaced(kernels)
	return Files{
		Header: header(printed),
		Host:   kerneltext.HostSource(parts, HostFile(parts[0].Names.Base), "hexcc: on the GPU, see "+KernelFile(parts[0].Names.Base)),
		Kernel: kernels,
		Spans:  spans,
		Places: places,
	}
}
