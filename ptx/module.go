package ptx

import (
	"fmt"

	"github.com/hexcc/hexcc/ctext"
	"github.com/hexcc/hexcc/gpu"
	"github.com/hexcc/hexcc/scop"
)

// Names say what the outputs are called.
type Names struct {
	Base   string   // of the files, without folder: jacobi-2d for jacobi-2d.hex.ptx
	Region int      // which region of the source it is, from 0
	About  []string // lines for the head of the file: what was tiled, and how
	Refuse bool     // where a tested fact does not hold, stop the program; else run the original loops
	// WithoutDevice: where no device runs the kernels, run the original loops; else stop the program.
	WithoutDevice bool
}

// HeaderFile returns the name of the header.
func (n Names) HeaderFile() string { return n.Base + ".hex.h" }

// HostFile returns the name of the user's source with the region replaced.
func (n Names) HostFile() string { return n.Base + ".hex_host.c" }

// LoaderFile returns the name of the file with the host functions and the text of the kernels.
func (n Names) LoaderFile() string { return n.Base + ".hex_kernel.c" }

// PTXFile returns the name of the file with the kernels.
func (n Names) PTXFile() string { return n.Base + ".hex.ptx" }

// ModuleFile returns the name of the file with the kernels in LLVM IR.
func (n Names) ModuleFile() string { return n.Base + ".hex.ll" }

// Function returns the name of the host function: hexcc_jacobi_2d_0.
func (n Names) Function() string { return n.functions().Run() }

func (n Names) functions() ctext.Functions { return ctext.Functions{Base: n.Base, Region: n.Region} }

// kernel returns the name of a kernel.
func (n Names) kernel(k *gpu.Kernel) string { return fmt.Sprintf("%s_phase%d", n.Function(), k.Phase) }

// A Part is one region of a file, translated.
type Part struct {
	Program *gpu.Program
	Names   Names
}

// A Module is the kernels of a file in LLVM IR.
type Module struct {
	Text    string
	Kernels [][]Kernel // of each part, in order
}

// Lower returns the kernels of the parts, of which Check finds nothing wrong.
func Lower(parts []Part) Module {
	m := newModule()
	var out Module
	for _, p := range parts {
		var kernels []Kernel
		for _, k := range p.Program.Kernels {
			kernels = append(kernels, m.lower(p.Program, k, p.Names.kernel(k), indexOf(p.Program.Scop)))
		}
		out.Kernels = append(out.Kernels, kernels)
	}
	out.Text = m.String()
	return out
}

// indexOf returns the C type of the indices of p, as ctext chooses it.
func indexOf(p *scop.Program) scop.Type { return ctext.New(p, nil, nil).Index }
