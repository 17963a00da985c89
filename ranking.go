package hexcc

import (
	"fmt"
	"slices"

	"github.com/hexcc/hexcc/model"
)

// rank keeps what the model weighs of the tiles that were taken for a CPU, and of others of the same kind, if Options.Ranked asks for it.
func (u *unit) rank() error {
	if !u.opts.Ranked {
		return nil
	}
	grid, err := model.NewGrid(u.Space, u.opts.Grid)
	if err != nil {
		return err
	}
	plain, err := u.plain()
	if err != nil {
		return err
	}
	ready := u.Strategy == Hybrid && u.Schedule.Waits != nil
	taken, err := u.weigh(Way{Strategy: u.Strategy, Sizes: u.Sizes, Launch: map[bool]Launch{false: Phases, true: Ready}[ready]})
	if err != nil {
		return err
	}
	others, err := u.ranked(ready)
	if err != nil {
		return err
	}
	taken.Sizes, taken.Sizes.Start = u.Sizes, nil
	r := model.NewRanking(u.cpu().CPU, grid, plain, u.opts.Tile != nil || u.Plan.Sizes != nil, taken, others)
	for i, x := range r.Best {
		if slices.ContainsFunc(u.tried, func(y try) bool {
			return y.strategy == u.Strategy && y.sizes.H == x.Sizes.H && slices.Equal(y.sizes.W, x.Sizes.W)
		}) {
			r.Why[i] = "too hard to prove"
		}
		if u.opts.Target.isMPI() && u.Strategy == Wavefront && !u.besideOnly(x.Sizes) {
			r.Why[i] = "its tiles need more than those beside them, which neighbours of a rank may not have"
		}
	}
	if err := r.Verify(); err != nil {
		panic(fmt.Sprintf("hexcc: %v", err))
	}
	u.Ranking = r
	return nil
}

// ranked returns sizes of the tiles that were taken for a CPU, the best first by the model; of hexagons for one launch, when they are ready or in phases.
func (u *unit) ranked(ready bool) ([]model.Ranked, error) {
	switch cpu := u.cpu(); u.Strategy {
	case Hybrid:
		return cpu.RankedHexagons(u.Space, cpu.Aligned(u.Space, u.Cone), u.opts.Grid, ready)
	case Space:
		return cpu.RankedBoxes(u.Space, u.opts.Grid)
	case Wavefront:
		return cpu.RankedParallelograms(u.Space, u.Cone, u.opts.Grid)
	case Overlapped:
		return cpu.RankedOverlapping(u.Space, u.Deps, u.Groups, u.opts.Grid)
	}
	return nil, nil
}
