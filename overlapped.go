package hexcc

import (
	"errors"
	"fmt"
	"slices"

	"github.com/hexcc/hexcc/cpu"
	"github.com/hexcc/hexcc/diag"
	"github.com/hexcc/hexcc/gpu/lower"
	"github.com/hexcc/hexcc/machine"
	"github.com/hexcc/hexcc/model"
	"github.com/hexcc/hexcc/poly"
	"github.com/hexcc/hexcc/schedule"
)

// This file is about boxes that overlap: all nests of an iteration of the time loop in one launch.

// fuse sets the launches of an iteration that the caller asks for.
func (u *unit) fuse() (err error) {
	if u.Plan.Groups != nil {
		u.Groups = u.Plan.Groups
		return u.Plan.RefuseGroups(u.Groups.Check(u.Space, u.Deps))
	}
	if u.opts.Fuse == "" {
		return nil
	}
	launches, err := parseFusion(u.opts.Fuse, u.Scop)
	if err == nil {
		for _, x := range launches {
			group := slices.Concat(x...)
			slices.Sort(group)
			u.Groups = append(u.Groups, group)
		}
		err = u.Groups.Check(u.Space, u.Deps)
	}
	if limit := (*poly.LimitError)(nil); err == nil || errors.As(err, &limit) {
		return err
	}
	d := &diag.Diagnostic{Code: "HX218", At: u.Scop.Start(), Msg: fmt.Sprintf("fuse(%s): %v", u.opts.Fuse, err),
		Help: fmt.Sprintf("name each statement, or what it writes, once, behind what it reads of the same iteration, as in %s", alone(len(u.Scop.Stmts)).Text(u.Scop))}
	if no := (*schedule.GroupsError)(nil); errors.As(err, &no) && no.Dep != nil {
		d.Notes = []diag.Note{{At: no.Dep.SrcAccess.Pos, Msg: "what has to run before"}, {At: no.Dep.DstAccess.Pos, Msg: "what depends on it"}}
	}
	return diag.List{d}
}

// alone returns groups of one statement each.
func alone(n int) (g schedule.Groups) {
	for i := range n {
		g = append(g, []int{i})
	}
	return g
}

// overlap returns what makes boxes that overlap of u.
func (u *unit) overlap() *schedule.Overlap {
	o := schedule.NewOverlap(u.Space, u.Deps).In(u.Groups).Planned(u.Plan)
	if u.opts.Target.isCPU() {
		return o.Threads()
	}
	return o
}

// sizeOverlapped chooses or checks the sizes of boxes that overlap.
func (u *unit) sizeOverlapped() (_ Product, err error) {
	if err := u.fuse(); err != nil {
		return nil, err
	}
	if u.opts.Target.isCPU() {
		return u.sizeOverlappedCPU()
	}
	if u.opts.Tile != nil {
		u.Sizes = *u.opts.Tile
		if err := u.streamSizes(); err != nil {
			return nil, err
		}
		_, err := u.overlap().Tiles(u.Sizes)
		return u.Sizes, err
	}
	e, err := u.chooseOverlapped()
	if conflict := (*model.ConflictError)(nil); errors.As(err, &conflict) {
		return nil, u.notOverlapped(conflict.Error(), otherPlanes, diag.Note{At: conflict.DstAccess.Pos, Msg: "what is stored"}, diag.Note{At: conflict.SrcAccess.Pos, Msg: "what is read"})
	}
	if err != nil {
		return nil, err
	}
	u.Sizes, u.Groups, u.expected = e.Sizes, e.Groups, func(o *model.Outlook) *model.Outlook { return o.WithOverlapped(e) }
	return u.Sizes, nil
}

// triedGroups is how many partitions of an iteration into launches are weighed with all that tiles do, besides one launch for all.
const triedGroups = 3

// partitions returns the launches to weigh, where the choice is ours: one for all nests, and the best that the model of levels finds.
func (u *unit) partitions(levels machine.Levels) []schedule.Groups {
	if u.opts.Fuse != "" {
		return []schedule.Groups{u.Groups}
	}
	all := []schedule.Groups{nil}
	n := len(u.Scop.Stmts)
	if n < 2 {
		return all
	}
	g, err := schedule.NewGraph(u.Space, u.Deps)
	if err != nil {
		return all
	}
	f, err := model.ChooseFusions(u.Space, u.Deps, g, levels, u.opts.Grid)
	if err != nil { // what statements read is at no fixed distance
		return all
	}
	for _, x := range f.Best {
		if len(x.Groups) > 1 && len(x.Groups) < n && len(all) <= triedGroups {
			all = append(all, x.Groups)
		}
	}
	return all
}

// chooseOverlapped chooses boxes that overlap on a GPU and, where that is ours to do, the launches of an iteration.
func (u *unit) chooseOverlapped() (model.Estimate, error) {
	wish, err := u.planes()
	if err != nil {
		return model.Estimate{}, err
	}
	return leastOf(u.partitions(u.device().Levels()), func(g schedule.Groups) (model.Estimate, float64, error) {
		e, err := u.memo.ChooseOverlapped(u.Space, u.Deps, g, u.device(), u.opts.Grid, u.asked(), wish)
		return e, e.Seconds, err
	})
}

// chooseBuffered is chooseOverlapped on a CPU, where launches are phases.
func (u *unit) chooseBuffered() (model.Buffered, error) {
	return leastOf(u.partitions(u.cpu().Levels()), func(g schedule.Groups) (model.Buffered, float64, error) {
		e, err := u.cpu().Overlapping(u.Space, u.Deps, g, u.opts.Grid)
		return e, e.PerPoint, err
	})
}

// fewerLaunches is how many times better later partitions, of more launches, have to be than those before.
const fewerLaunches = 1.05

// leastOf returns what weigh finds for the partition that costs the least. The error is the first one, where there is one for all.
func leastOf[T any](partitions []schedule.Groups, weigh func(schedule.Groups) (T, float64, error)) (best T, err error) {
	found, least := false, 0.0
	for _, g := range partitions {
		x, cost, no := weigh(g)
		switch {
		case no != nil:
			if err == nil {
				err = no
			}
		case !found || cost*fewerLaunches < least:
			best, least, found = x, cost, true
		}
	}
	if found {
		err = nil
	}
	return best, err
}

// sizeOverlappedCPU chooses or checks the sizes of boxes that overlap for a CPU.
func (u *unit) sizeOverlappedCPU() (Product, error) {
	if _, err := u.planes(); err != nil {
		return nil, err
	}
	if u.opts.Tile != nil {
		u.Sizes = *u.opts.Tile
		if u.Sizes.Stream != nil {
			return nil, u.notOverlapped("tiles stream on GPUs only", "leave stream out of --tile")
		}
		tiles, err := u.overlap().Tiles(u.Sizes)
		if err != nil {
			return nil, err
		}
		return u.Sizes, u.unbuffered(model.BuffersOf(tiles))
	}
	e, err := u.chooseBuffered()
	if err != nil {
		return nil, u.unbuffered(err)
	}
	u.Sizes, u.Groups, u.expected = e.Sizes, e.Groups, func(o *model.Outlook) *model.Outlook { return o.WithBuffered(e) }
	return u.Sizes, nil
}

// unbuffered says why tiles that overlap cannot have for themselves what they compute, if err is that. Other errors are returned as they are.
func (u *unit) unbuffered(err error) error {
	if conflict := (*model.ConflictError)(nil); errors.As(err, &conflict) {
		return u.notOverlapped(conflict.Error(), otherPlanes,
			diag.Note{At: conflict.DstAccess.Pos, Msg: "what is stored"}, diag.Note{At: conflict.SrcAccess.Pos, Msg: "what is read"})
	}
	none := (*cpu.BufferError)(nil)
	if !errors.As(err, &none) {
		return err
	}
	help := "take another strategy, or write each subscript as one loop variable plus a constant"
	switch {
	case none.Stays && u.Groups != nil:
		help = fmt.Sprintf("fuse: give what writes %s a launch of its own, or put all that reads it in the same one; or leave --strategy=overlapped out", none.Array.Name)
	case none.Stays:
		help = fmt.Sprintf("declare %[1]s in the function, if each iteration reads only what it has written of it, and nothing else does; or compute it in such an array, and copy that to another plane of %[1]s in a nest behind; or leave --strategy=overlapped out", none.Array.Name)
	}
	return u.notOverlapped(none.Error(), help, diag.Note{At: none.Array.Pos, Msg: "declared here"})
}

// otherPlanes is the way out where tiles that overlap would store what others still read.
const otherPlanes = "let nests write to other arrays, or another plane, than those that they read, as in A[(t+1)%2]; or take another strategy"

// notOverlapped says why a region is not tiled by boxes that overlap.
func (u *unit) notOverlapped(why, help string, notes ...diag.Note) error {
	return diag.List{{Code: "HX218", At: u.Scop.Start(), Msg: "--strategy=overlapped: " + why, Help: help, Notes: notes}}
}

// mayOverlap reports whether the choice of boxes that overlap is ours, and there are nests that depend on each other, or on a GPU time steps, for one launch to hold.
func (u *unit) mayOverlap() bool {
	o := u.opts
	if o.Target.isCPU() {
		return u.auto && u.Scop.Timeless && u.Space.K > 1 && u.Strategy == Space
	}
	return u.auto && (u.Space.K > 1 || !u.Scop.Timeless) && (u.Strategy == Hybrid || u.Strategy == Space) && (o.Launch == "" || o.Launch == AnyLaunch) && o.Memory != lower.Global
}

// weighOverlapped adds what the model expects of boxes that overlap to the outlook, where the choice is ours and they apply.
func (u *unit) weighOverlapped() error {
	if !u.mayOverlap() || u.Space.K == 1 && u.Outlook.Covers() { // dependences of one nest that reach across the grid let boxes grow to it, too
		return nil
	}
	var err error
	if u.opts.Target.isCPU() {
		var e model.Buffered
		if e, err = u.chooseBuffered(); err == nil {
			u.Outlook = u.Outlook.WithBuffered(e)
		}
	} else {
		var e model.Estimate
		if e, err = u.chooseOverlapped(); err == nil {
			u.Outlook = u.Outlook.WithOverlapped(e)
		}
	}
	return notTheirs(err)
}

// fewerSteps turns to boxes that overlap and span at most half as many iterations of the time loop, and says so, where these are still expected to be faster than all else: why is what
// was too hard about the others. It reports whether it did.
func (u *unit) fewerSteps(why string) bool {
	if u.Strategy != Overlapped || !u.opts.Target.isGPU() || u.Sizes.H < 2 || u.Outlook == nil {
		return false
	}
	asked, before := u.asked(), u.Sizes
	asked.Iterations = before.H / 2
	e, err := u.memo.ChooseOverlapped(u.Space, u.Deps, u.Groups, u.device(), u.opts.Grid, asked, new(model.NoStream))
	if err != nil {
		return false
	}
	outlook := u.Outlook.WithOverlapped(e)
	if better, _ := outlook.Better(); better != outlook.Overlapped {
		return false
	}
	u.Outlook, u.Sizes = outlook, e.Sizes
	u.remarks = append(u.remarks, &diag.Diagnostic{
		Severity: diag.Remark, Code: "HX212", At: u.Scop.Start(), Msg: fmt.Sprintf("the tile is %v, since what the model prefers is too hard to prove", u.Sizes),
		Notes: []diag.Note{{Msg: fmt.Sprintf("tried before: %v: %s", before, why)}},
		Help:  "simplify bounds and subscripts, or fix parameters to numbers with -D; hexcc -v says what sizes cost",
	})
	return true
}

// apart turns to the tiles that were chosen before boxes that overlap, or before parallelograms, and says so, if err is that these cannot be made, or that a proof about them could not be
// decided. It reports whether it did.
func (u *unit) apart(err error) bool {
	why, preferred := only(err, "HX402", "HX218", "HX401", "HX404"), "boxes that overlap"
	if u.instead == nil || u.Strategy != Overlapped && u.Strategy != Wavefront || why == nil {
		return false
	}
	if why.Code == "HX402" && u.fewerSteps(why.Msg) {
		return true
	}
	if u.Strategy == Wavefront {
		preferred = "parallelograms that " + u.parallelograms()
	}
	gaveUp := u.Strategy
	u.back()
	u.Groups = nil
	taken := "tiles are %v, apart from each other"
	if gaveUp == Overlapped && u.Outlook != nil {
		u.Outlook = u.Outlook.WithoutOverlapped()
		if better, _ := u.Outlook.Better(); better != nil && !u.needsTiles(better) {
			u.Strategy, u.Choice, u.Sizes = Space, nil, better.Sizes
			if better == u.Outlook.Untiled {
				u.Strategy, taken = Untiled, "nothing is tiled, in blocks of %v"
			}
		}
	}
	u.remarks = append(u.remarks, &diag.Diagnostic{
		Severity: diag.Remark, Code: "HX212", At: u.Scop.Start(),
		Msg:   fmt.Sprintf(taken+", though the model prefers %s", u.Sizes, preferred),
		Notes: []diag.Note{{Msg: "tried before: " + why.Msg}},
		Help:  "simplify bounds and subscripts, or fix parameters to numbers with -D; hexcc -v says what sizes cost",
	})
	return true
}
