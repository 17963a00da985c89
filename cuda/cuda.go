// Package cuda prints a gpu.Program as CUDA C++, and the user's source with the
// region replaced by a call. It decides nothing about the program: it spells.
package cuda

import (
	"github.com/hexcc/hexcc/ctext"
	"github.com/hexcc/hexcc/gpu"
	"github.com/hexcc/hexcc/kerneltext"
)

// Names say what the outputs are called.
type Names struct {
	Base   string   // of the files, without folder: jacobi-2d for jacobi-2d.hex.h
	Region int      // which region of the source it is, from 0
	About  []string // lines for the head of the kernel file: what was tiled, and how
	Refuse bool     // where a tested fact does not hold, stop the program; else run the original loops
	// WithoutDevice: where no device runs the kernels, run the original loops; else stop the program.
	WithoutDevice bool
	// Lines: #line directives make tools take what a statement became for its line in the source.
	// All regions of a file have them, or none.
	Lines bool
}

// HeaderFile returns the name of the header.
func (n Names) HeaderFile() string { return n.Base + ".hex.h" }

// HostFile returns the name of the user's source with the region replaced.
func (n Names) HostFile() string { return n.Base + ".hex_host.cu" }

// KernelFile returns the name of the file that holds kernels and host function.
func (n Names) KernelFile() string { return n.Base + ".hex_kernel.cu" }

// CheckFile returns the name of the program that compares with the original.
func (n Names) CheckFile() string { return ctext.CheckFile(n.Base) }

// Function returns the name of the host function: hexcc_jacobi_2d_0.
func (n Names) Function() string { return n.functions().Run() }

func (n Names) functions() ctext.Functions { return ctext.Functions{Base: n.Base, Region: n.Region} }

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
}

// String returns the kernel file, which says all the others do.
func (f Files) String() string { return f.Kernel }

// A Part is one region of a file, translated.
type Part struct {
	Program *gpu.Program
	Names   Names
}

// Print returns p, the only region of its file, as CUDA C++.
func Print(p *gpu.Program, names Names) Files { return PrintAll([]Part{{p, names}}) }

// PrintAll returns the regions of one file, in source order: there is at least
// one, all with the same Base.
func PrintAll(parts []Part) Files {
	printed := make([]part, len(parts))
	for i, p := range parts {
		printed[i] = newPart(p)
	}
	kernels, runs := kernelFile(printed)
	if names := parts[0].Names; names.Lines {
		kernels, runs = kerneltext.WithLines(kernels, names.KernelFile(), runs)
	}
	return Files{
		Header: header(printed),
		Host:   hostSource(parts),
		Kernel: kernels,
		Spans:  kerneltext.Spans(kernels, runs),
	}
}
