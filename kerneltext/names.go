package kerneltext

import (
	"fmt"

	"github.com/hexcc/hexcc/ctext"
	"github.com/hexcc/hexcc/gpu"
	"github.com/hexcc/hexcc/scop"
)

// Names say what the outputs are called, and what they do where kernels cannot run.
type Names struct {
	Base   string   // of the files, without folder: jacobi-2d for jacobi-2d.hex.h
	Region int      // which region of the source it is, from 0
	About  []string // lines for the head of the kernel file: what was tiled, and how
	Refuse bool     // where a tested fact does not hold, stop the program; else run the original loops
	// WithoutDevice: where no device runs the kernels, run the original loops; else stop the program.
	WithoutDevice bool
	// Lines: #line directives make tools take what a statement became for its line in the source.
	// All regions of a file have them, or none. For C only.
	Lines bool
	// Places: files say what computes which expression of the source. All regions of a file have that, or none.
	Places bool
	Check  bool // the translation is to be compared with the original: what would hang ends with an error
}

// HeaderFile returns the name of the header.
func (n Names) HeaderFile() string { return ctext.HeaderFile(n.Base) }

// Functions returns what the functions of the host are called.
func (n Names) Functions() ctext.Functions { return ctext.Functions{Base: n.Base, Region: n.Region} }

// Function returns the name of the one on arrays of the host: hexcc_jacobi_2d_0.
func (n Names) Function() string { return n.Functions().Run() }

// Kernel returns the name of a kernel of a version: hexcc_jacobi_2d_0_phase1, or hexcc_jacobi_2d_0_phase1_long of the second.
func (n Names) Kernel(k *gpu.Kernel, version int) string {
	name := fmt.Sprintf("%s_phase%d", n.Function(), k.Phase)
	if version > 0 {
		name += "_long"
	}
	return name
}

// Chains returns the name of the kernel that runs the chains of a version: hexcc_jacobi_2d_0_chains.
func (n Names) Chains(version int) string {
	name := n.Function() + "_chains"
	if version > 0 {
		name += "_long"
	}
	return name
}

// Call returns what stands for the region p in the user's source, with a note where it goes.
func (n Names) Call(p *scop.Program, note string) ctext.Call {
	return n.Functions().Call(p, note, n.Refuse, n.WithoutDevice)
}

// A Part is one region of a file, to be printed.
type Part struct {
	Program *gpu.Program
	Names   Names
}

// HostSource returns the user's source with calls in place of regions, for the file of that name;
// note says where they go.
func HostSource(parts []Part, file, note string) string {
	var calls []ctext.Call
	var regions []*scop.Program
	for _, p := range parts {
		calls, regions = append(calls, p.Names.Call(p.Program.Scop, note)), append(regions, p.Program.Scop)
	}
	return MadeOf(file, regions...) + fmt.Sprintf("#include \"%s\"\n", parts[0].Names.HeaderFile()) + ctext.Replaced(calls)
}
