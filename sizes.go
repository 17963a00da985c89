package hexcc

import (
	"fmt"
	"slices"

	"github.com/hexcc/hexcc/diag"
	"github.com/hexcc/hexcc/gpu/lower"
	"github.com/hexcc/hexcc/machine"
	"github.com/hexcc/hexcc/model"
	"github.com/hexcc/hexcc/schedule"
)

// This file asks the model for tile sizes, or checks those that are given.

// sizeHybrid chooses or checks the sizes of tiles of time and space.
func (u *unit) sizeHybrid() (_ Product, err error) {
	if u.streams() {
		return u.sizePipeline()
	}
	if u.Plan.Sizes != nil { // checked with the schedule
		u.Sizes = *u.Plan.Sizes
		return u.Sizes, nil
	}
	if u.opts.Target.isCPU() {
		return u.sizeCPU()
	}
	if u.opts.Tile != nil {
		u.Sizes = *u.opts.Tile
		if err := schedule.CheckSizes(u.Space, u.Cone, u.Sizes); err != nil {
			return nil, err
		}
		u.Choice, err = u.launcher().Assess(u.Space, u.Cone, u.device(), u.opts.Grid, u.Sizes, u.asked())
		return u.Sizes, err
	}
	if err := schedule.CheckTilable(u.Space, u.Cone); err != nil {
		return nil, err
	}
	choice, err := u.launcher().Choose(u.memo, u.Space, u.Cone, u.device(), u.opts.Grid, u.asked())
	if err != nil {
		return nil, err
	}
	u.Choice, u.Sizes = choice, choice.Sizes()
	return choice, nil
}

// sizeCPU chooses or checks the sizes of tiles for a CPU.
func (u *unit) sizeCPU() (Product, error) {
	if u.opts.Tile != nil {
		u.Sizes = *u.opts.Tile
		return u.Sizes, schedule.CheckSizes(u.Space, u.Cone, u.Sizes)
	}
	if err := schedule.CheckTilable(u.Space, u.Cone); err != nil {
		return nil, err
	}
	cpu := u.cpu()
	leaning, launches := cpu.Aligned(u.Space, u.Cone), u.launches()
	best, err := cpu.Best(u.Space, leaning, u.opts.Grid, launches)
	if err == nil && launches.Phases && best[0].Weight.Ready && !u.canWait(leaning, best[0].Sizes) {
		best, err = cpu.Best(u.Space, leaning, u.opts.Grid, model.Launches{Phases: true})
	}
	if err != nil {
		return nil, err
	}
	if u.opts.Target.isMPI() {
		slices.SortStableFunc(best, func(x, y model.Weighed) int { return u.planesMove(x.Sizes) - u.planesMove(y.Sizes) })
	}
	if u.tiled {
		return u.shared(best)
	}
	u.Sizes, u.weighed = best[0].Sizes, best
	return u.Sizes, schedule.CheckSizes(u.Space, u.Cone, u.Sizes)
}

// planesMove returns 1 where time tiles of these sizes begin with different planes of an array, of those that take turns, as u[t%3][..] does, else 0: what is sent is then harder to prove.
func (u *unit) planesMove(sizes schedule.Sizes) int {
	perTile := (2*sizes.H + 2) / int64(u.Space.K) // iterations of the time loop
	for _, st := range u.Scop.Stmts {
		for _, x := range st.Accesses {
			for _, index := range x.Index {
				if len(index.Iters) > 0 && index.Iters[0] != 0 && index.Mod > 0 && index.Iters[0]*perTile%index.Mod != 0 {
					return 1
				}
			}
		}
	}
	return 0
}

// sizeWavefront chooses or checks the sizes of parallelograms.
func (u *unit) sizeWavefront() (_ Product, err error) {
	if u.opts.Tile != nil {
		u.Sizes = *u.opts.Tile
	} else {
		if err := schedule.CheckTilable(u.Space, u.Cone); err != nil {
			return nil, err
		}
		if u.opts.Target.isGPU() {
			u.Sizes, err = model.Fronts(u.Space, u.Cone, u.device(), u.opts.Grid)
		} else {
			var best []model.Weighed
			if best, err = u.cpu().Parallelograms(u.Space, u.Cone, u.opts.Grid); err == nil {
				u.Sizes = best[0].Sizes
			}
			if err == nil && u.opts.Target.isMPI() {
				u.Sizes = u.sizeForRanks(best)
			}
		}
		if err != nil {
			return nil, err
		}
	}
	return u.Sizes, schedule.CheckWavefront(u.Space, u.Cone, u.Sizes)
}

// cpu returns what sizes are chosen for where the target is a CPU.
func (u *unit) cpu() model.Caches {
	if u.opts.CPU != nil {
		return model.Caches{CPU: *u.opts.CPU}
	}
	return model.Caches{CPU: machine.AnyCPU}
}

// sizeSpace chooses or checks the widths of boxes.
func (u *unit) sizeSpace() (_ Product, err error) {
	switch {
	case u.Plan.Sizes != nil || u.opts.Tile != nil && (u.host == nil || u.opts.inSteps()):
		return u.sizeBoxes()
	case u.opts.Target.isCPU():
		u.Sizes, err = u.cpu().Boxes(u.Space, u.opts.Grid)
		if err == nil && u.opts.Target.isMPI() && u.Space.Sweeps == nil {
			u.Sizes.W = slices.Clone(u.Sizes.W)
			u.Sizes.W[0] = u.rows
		}
		return u.Sizes, err
	default:
		e, err := u.memo.ChooseSpace(u.Space, u.device(), u.opts.Grid, u.asked())
		u.Sizes = e.Sizes
		return u.Sizes, err
	}
}

// sizeUntiled chooses or checks how many points a block has along each dimension.
func (u *unit) sizeUntiled() (Product, error) {
	if u.Plan.Sizes != nil || u.opts.Tile != nil {
		return u.sizeBoxes()
	}
	e, err := u.memo.ChooseUntiled(u.Space, u.device(), u.opts.Grid, u.asked())
	u.Sizes = e.Sizes
	return u.Sizes, err
}

// sizeBoxes checks widths that are given.
func (u *unit) sizeBoxes() (Product, error) {
	if u.Plan.Sizes != nil {
		u.Sizes = *u.Plan.Sizes
	} else {
		u.Sizes = *u.opts.Tile
	}
	if u.Sizes.H != schedule.NoHeight && !u.Scop.Timeless { // which a file may have beside others
		return nil, diag.List{{Code: "HX203", Msg: fmt.Sprintf("tile sizes %v: tiles of space only have no height", u.Sizes), Help: "leave h out"}}
	}
	u.Sizes.H = schedule.NoHeight
	return u.Sizes, schedule.CheckWidths(u.Space, u.Sizes)
}

// device returns what kernels are made for: the architecture, within the limits of the options and the language.
func (u *unit) device() machine.Device {
	d := machine.DeviceOf(u.opts.Arch).Within(u.opts.LocalMemory, u.opts.WorkGroup)
	if u.opts.Target.isGPU() {
		d = u.opts.within(d)
	}
	d.AsyncCopies = d.AsyncCopies && !u.opts.Target.isOpenCL()
	return d
}

// mapping returns the options of the mapping to blocks and threads.
func (u *unit) mapping() lower.Options {
	o := u.chosen().Options()
	o.Strategy, o.Unroll, o.Most, o.Async = u.opts.Memory, u.opts.Unroll, u.opts.Registers, u.device().AsyncCopies
	if u.Strategy.scheme().global {
		o.Strategy = lower.Global
	}
	return o
}
