package opencl

import (
	"fmt"
	"strings"

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
func (n Names) HostFile() string { return n.Base + ".hex_host.c" }

// RunFile returns the name of the C file that runs the kernels, and has their text in it.
func (n Names) RunFile() string { return n.Base + ".hex_kernel.c" }

// KernelFile returns the name of the file with the kernels alone.
func (n Names) KernelFile() string { return n.Base + ".hex_kernel.cl" }

// functions returns what the functions are called.
func (n Names) functions() ctext.Functions { return ctext.Functions{Base: n.Base, Region: n.Region} }

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
		if open, close := strings.Count(text, "{"), strings.Count(text, "}"); name != "host file" && open != close {
			return fmt.Errorf("%s has %d { and %d }", name, open, close)
		}
	}
	return nil
}

// A Part is one region of a file, translated.
type Part struct {
	Program *gpu.Program
	Names   Names
}

// PrintAll returns the regions of one file, in source order: there is at least
// one, all with the same Base.
func PrintAll(parts []Part) Files {
	var regions []region
	for _, p := range parts {
		regions = append(regions, newRegion(p))
	}
	kernels, runs := kernelFile(regions)
	if names := parts[0].Names; names.Lines {
		kernels, runs = kerneltext.WithLines(kernels, names.KernelFile(), runs)
	}
	return Files{
		Header: header(regions),
		Host:   hostSource(parts),
		Run:    runFile(regions, kernels),
		Kernel: kernels,
		Spans:  kerneltext.Spans(kernels, runs),
	}
}
