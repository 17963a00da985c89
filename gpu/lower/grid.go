package lower

import (
	"fmt"

	"github.com/hexcc/hexcc/astgen"
	"github.com/hexcc/hexcc/gpu"
	"github.com/hexcc/hexcc/schedule"
)

// This file says which loops over tiles become the grid of a kernel: those whose values run in any order, as many as
// a grid has axes. Blocks start in the order of x, so that the innermost of them, along which
// neighbouring tiles share rows of memory, is x.

// gridOf returns the axes of the grid of a launch, x first, and what a block runs.
func gridOf(l astgen.Launch) (grid []gpu.Axis, inside astgen.Node) {
	inside = l.Body
	for len(grid) < gpu.MaxAxes {
		loop, ok := inside.(astgen.For)
		if !ok || loop.Role != schedule.Block {
			break
		}
		grid, inside = append([]gpu.Axis{{Var: loop.Var, Lo: loop.Lo, Hi: loop.Hi}}, grid...), loop.Body
	}
	if len(grid) == 0 {
		panic(fmt.Sprintf("lower: launch of phase %d starts with %T, not a loop of blocks", l.Phase, l.Body))
	}
	return grid, inside
}

// Looped returns the space dimensions along which a block runs the tiles of a phase one after the other: all but
// those that are axes of the grid.
func Looped(ph schedule.Phase) []int {
	nest := ph.Nest()
	axes := 0
	for axes < min(len(nest), gpu.MaxAxes) && ph.Space[nest[axes]].Role == schedule.Block {
		axes++
	}
	return nest[axes:]
}
