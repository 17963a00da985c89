package lower

import (
	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/astgen"
	"github.com/hexcc/hexcc/gpu"
	"github.com/hexcc/hexcc/schedule"
)

// This file lowers steps whose points are in order along columns (schedule/columns.go). A block runs one point of all columns after the other, each thread those of
// its own columns: the same in all turns, so that no barrier stands between two of them.
//
//	for turn from the first to the last:  b0 = turn     or, downwards,    for turn from -last to -first:  b0 = -turn
//	  for b1, .. of the thread: the point

// inTurn returns the step s, whose loops over points are given.
func (ph *tiles) inTurn(s astgen.Step, loops []gpu.ThreadLoop, guard astgen.Cond, c gpu.Compute, role gpu.Role) gpu.Node {
	turn := affine.Var(ph.names.Turn)
	loop := gpu.For{Var: ph.names.Turn, Lo: loops[0].Lo, Hi: loops[0].Hi}
	at := turn
	if s.Way == schedule.Down {
		loop.Lo, loop.Hi = affine.Negative(loops[0].Hi), affine.Negative(loops[0].Lo)
		at = turn.Times(-1)
	}
	loops[0].Lo, loops[0].Hi, loops[0].Axis = at, at, -1
	loop.Body = []gpu.Node{ph.points(loops, guard, c, role)}
	if s.Guard != nil {
		return gpu.If{Cond: s.Guard, Then: []gpu.Node{loop}}
	}
	return loop
}
