package ptx

import (
	"slices"

	"github.com/hexcc/hexcc/kerneltext"
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
	Kernels [][]Kernel // of each part, in order; where tiles wait for each other, the one that runs them all
	Wide    [][]Kernel // the same in the second version of the part, if it has one: indices have 64 bits
	Library []string   // the functions of libdevice that are called, as C calls them: expf
}

// Lower returns the kernels of the parts.
func Lower(parts []Part) Module {
	m := newModule()
	var out Module
	for _, p := range parts {
		var of [2][]Kernel
		for i, v := range p.Program.Versions() {
			if p.Program.Chains != nil {
				of[i] = []Kernel{m.lowerChains(p.Program, v, p.Names.Chains(i))}
				continue
			}
			for _, k := range v.Kernels {
				of[i] = append(of[i], m.lower(p.Program, k, p.Names.Kernel(k, i), v.Index))
			}
		}
		out.Kernels, out.Wide = append(out.Kernels, of[0]), append(out.Wide, of[1])
	}
	out.Text, out.Library = m.String(), slices.Sorted(slices.Values(m.called))
	return out
}
