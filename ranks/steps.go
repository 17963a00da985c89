package ranks

import (
	"fmt"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/schedule"
	"github.com/hexcc/hexcc/scop"
)

// This file is about regions whose tiles are not of time: each level of an iteration of the time loop is a phase, and a time tile is one iteration. Their tiles are boxes of rows,
// and after each phase goes what it has computed beside a border and what is read there, in any later iteration: a value is sent once, whether it is read in one of them or in all.

// OneByOne reports whether time is not tiled: iterations of the time loop run one by one.
func (p *Plan) OneByOne() bool { return p.Schedule.Sizes.H == schedule.NoHeight }

// inSteps returns why ranks cannot share out the tiles of the schedule, nil if they can: those of two phases of hexagons, or boxes of space.
func (p *planner) inSteps() error {
	s := p.Schedule
	switch {
	case Pipelined(s):
		return nil
	case s.Fronts != nil:
		return &NotShared{p.scop.Start(), "a nest needs values that it has computed itself in the same step: ranks run such tiles as a pipeline, on CPUs alone",
			"--target=mpi runs it on CPUs; or let points of two colours take turns, as in examples/gallery/red-black-sor.c"}
	case s.Canonical.Sweeps != nil || s.Canonical.Ordered:
		return &NotShared{p.scop.Start(), "a nest needs values that it has computed itself in the same step, so that its points run one after the other, and so would ranks",
			"read the values of the step before, from a second array or a time dimension such as [t%2], or let points of two colours take turns, as in examples/gallery/red-black-sor.c"}
	case s.Waits != nil || s.Canonical.Ways != nil:
		return &NotShared{p.scop.Start(), fmt.Sprintf("ranks share out hexagonal tiles, or rows step by step, and this region has neither: %s", s.Scheme),
			"read the values of the previous time step, from a second array or a time dimension such as [t%2], and let the time loop be the outermost loop of the region"}
	}
	if p.OneByOne() {
		return nil
	}
	if len(s.Phases) != 2 {
		return &NotShared{p.scop.Start(), fmt.Sprintf("ranks share out hexagonal tiles, or rows step by step, and this region has neither: %s", s.Scheme),
			"--strategy=space runs its steps one by one, whose rows ranks share out"}
	}
	return nil
}

// later returns the time tiles in which values are read that one of time tile T has written, and that cross a border: in hexagons those of the same one and the next; where steps run one by one, any.
func (p *planner) later() []affine.Sum {
	T := affine.Var(p.T)
	if p.OneByOne() {
		return []affine.Sum{affine.Var(readerT)}
	}
	return []affine.Sum{T, T.Add(1)}
}

// RowsBetween returns the least width of boxes of rows with which a value goes no further than to the next box, by how far apart the statements of a region touch an array along
// their outermost loop over space. The proof of the plan does not rely on it.
func RowsBetween(p *scop.Program) (rows int64) {
	type along struct {
		array *scop.Array
		dim   int
	}
	least, most := map[along]int64{}, map[along]int64{}
	for _, st := range p.Stmts {
		for _, x := range st.Accesses {
			for d, index := range x.Index {
				if len(index.Iters) < 2 || index.Iters[1] == 0 || index.Mod > 0 {
					continue
				}
				key, row := along{x.Array, d}, max(index.Iters[1], -index.Iters[1]) // elements of a row, where one subscript stands for several
				lo := (index.Const - affine.Remainder(index.Const, row)) / row
				hi := (index.Const + affine.Remainder(-index.Const, row)) / row
				if _, seen := least[key]; !seen {
					least[key], most[key] = lo, hi
				}
				least[key], most[key] = min(least[key], lo), max(most[key], hi)
			}
		}
	}
	rows = 1
	for key, lo := range least {
		rows = max(rows, most[key], -lo, (most[key]-lo+1)/2)
	}
	return min(rows, mostRows)
}

// mostRows bounds how wide boxes are that are chosen.
const mostRows = 64
