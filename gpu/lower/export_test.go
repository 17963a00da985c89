package lower

import (
	"github.com/hexcc/hexcc/astgen"
	"github.com/hexcc/hexcc/gpu"
	"github.com/hexcc/hexcc/machine"
)

// KernelPasses returns the names of the passes that leave a kernel, in order.
func KernelPasses() (names []string) {
	for i, p := range passes {
		if p.name == "nodes" {
			for _, q := range passes[i:] {
				names = append(names, q.name)
			}
		}
	}
	return names
}

// LowerUpTo is Lower, but the kernels are those that a pass leaves.
func LowerUpTo(pass string, p *astgen.Program, d machine.Device, o Options) (*gpu.Program, error) {
	return lowerUpTo(pass, p, d, o)
}

// AheadAtMost is aheadAtMost.
const AheadAtMost = aheadAtMost
