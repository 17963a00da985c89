package ptx

import (
	"slices"

	"github.com/hexcc/hexcc/ctext"
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

// LoaderFile returns the name of the file with the host functions and the text of the kernels.
func LoaderFile(base string) string { return base + ".hex_kernel.c" }

// PTXFile returns the name of the file with the kernels.
func PTXFile(base string) string { return base + ".hex.ptx" }

// ModuleFile returns the name of the file with the kernels in LLVM IR.
func ModuleFile(base string) string { return base + ".hex.ll" }

// A Module is the kernels of a file in LLVM IR.
type Module struct {
	Text    string
	Kernels [][]Kernel // of each part, in order
	Library []string   // the functions of libdevice that are called, as C calls them: expf
}

// Lower returns the kernels of the parts.
func Lower(parts []Part) Module {
	m := newModule()
	var out Module
	for _, p := range parts {
		var kernels []Kernel
		for _, k := range p.Program.Kernels {
			kernels = append(kernels, m.lower(p.Program, k, p.Names.Kernel(k), indexOf(p.Program.Scop)))
		}
		out.Kernels = append(out.Kernels, kernels)
	}
	out.Text, out.Library = m.String(), slices.Sorted(slices.Values(m.called))
	return out
}

// indexOf returns the C type of the indices of p, as ctext chooses it.
func indexOf(p *scop.Program) scop.Type { return ctext.New(p, nil, nil).Index }
