package kerneltext

import (
	"fmt"

	"github.com/hexcc/hexcc/gpu"
)

// This file prints the loops of a host around the launches of a kernel: a grid that is too large for one launch
// along some axis goes in several.

// A Slab is what one launch has of a grid along an axis: at most Most blocks from the tile From on, no further than Last.
type Slab struct {
	BlockNames
	Most int
}

// MaxGrid is the most blocks that a grid of CUDA has, along x, y and z.
var MaxGrid = [gpu.MaxAxes]int{1<<31 - 1, 1<<16 - 1, 1<<16 - 1}

// BlocksOf returns expressions for how many blocks slabs have, by the function min of that prefix.
func BlocksOf(slabs []Slab, prefix string) (counts []string) {
	for _, s := range slabs {
		counts = append(counts, fmt.Sprintf("(unsigned)%smin(%s - %s + 1, %dL)", prefix, s.Last, s.From, s.Most))
	}
	return counts
}

// Launches prints loops over the slabs of the grid of k, in which there are at most most blocks along each axis, and
// what body prints in them. Where the grid is empty along some axis nothing is launched.
func (h *Host) Launches(k *gpu.Kernel, names map[string]BlockNames, most [gpu.MaxAxes]int, body func([]Slab)) {
	var slabs []Slab
	for i, x := range k.Grid {
		slabs = append(slabs, Slab{names[x.Var], most[i]})
	}
	for i := len(slabs) - 1; i >= 0; i-- { // the outermost first
		h.Line("const long %s = %s, %s = %s;", slabs[i].First, h.Expr(k.Grid[i].Lo), slabs[i].Last, h.Expr(k.Grid[i].Hi))
	}
	h.slabs(slabs, len(slabs)-1, func() { body(slabs) })
}

// slabs prints the loops along the axes from i down to x.
func (h *Host) slabs(all []Slab, i int, body func()) {
	if i < 0 {
		body()
		return
	}
	s := all[i]
	h.Braces(fmt.Sprintf("for (long %s = %s; %s <= %s; %s += %d)", s.From, s.First, s.From, s.Last, s.From, s.Most), func() {
		h.slabs(all, i-1, body)
	})
}
