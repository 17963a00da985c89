package kerneltext

import (
	"fmt"
	"slices"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/ctext"
	"github.com/hexcc/hexcc/gpu"
)

// This file names the columns of a full tile: subscripts modulo the width of a
// buffer, which depend on the thread and the tile alone and occur again and
// again, such as const int x_m1 = mod(32*S1 + tx - 1, 64).

// columns declares those that occur more than once in nodes, and has them
// printed by name until the function it returns is called.
func (k *printer) columns(nodes []gpu.Node) (end func()) {
	var order []affine.Mod
	times := map[string]int{}
	loops := gpu.LoopVars(nodes)
	gpu.EachIndex(nodes, func(e affine.Expr) {
		m, ok := e.(affine.Mod)
		if !ok || !k.ofLane(m, loops) {
			return
		}
		if times[m.String()]++; times[m.String()] == 2 {
			order = append(order, m)
		}
	})
	for _, m := range order {
		name := k.Fresh(k.columnName(m))
		k.Line("const int %s = %s;", name, k.Expr(m))
		k.ColumnOf[m.String()] = name
	}
	return func() {
		for _, m := range order {
			delete(k.Taken, k.ColumnOf[m.String()])
			delete(k.ColumnOf, m.String())
		}
	}
}

// ofLane reports whether m has a thread index in it, and the variable of none of the loops.
func (k *printer) ofLane(m affine.Mod, loops []string) bool {
	found, inside := false, false
	affine.Vars(m, func(name string) {
		found = found || k.isLane(name)
		inside = inside || !k.isLane(name) && slices.Contains(loops, name)
	})
	return found && !inside
}

func (k *printer) isLane(name string) bool {
	for _, lane := range k.ThreadVars {
		if lane != "" && lane == name {
			return true
		}
	}
	return false
}

// columnName returns a name that tells the distance from the thread index, and which that is.
func (k *printer) columnName(m affine.Mod) string {
	x := ctext.Centered(m)
	name := "column"
	for axis, lane := range k.ThreadVars {
		if lane != "" && x.Coef(lane) != 0 {
			name = axes[axis][1:]
		}
	}
	if x.Const < 0 {
		return fmt.Sprintf("%s_m%d", name, -x.Const)
	}
	return fmt.Sprintf("%s_%d", name, x.Const)
}
