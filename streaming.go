package hexcc

import (
	"fmt"

	"github.com/hexcc/hexcc/diag"
	"github.com/hexcc/hexcc/gpu/lower"
	"github.com/hexcc/hexcc/gpu/proof"
	"github.com/hexcc/hexcc/gpu/stream"
	"github.com/hexcc/hexcc/machine"
	"github.com/hexcc/hexcc/model"
	"github.com/hexcc/hexcc/schedule"
	"github.com/hexcc/hexcc/symbolic"
)

// This file is about kernels whose rows stream through the registers of a pipeline of warps.

// A Kernel is what blocks of a GPU do with tiles, by the name that --kernel has for it.
type Kernel string

// The kernels.
const (
	AnyKernel Kernel = "auto"      // Streaming in CUDA and two dimensions, where the model expects that to be faster and nothing else is asked for; else Tiles
	Tiles     Kernel = "tiles"     // the threads of a block run a tile step by step; rows of it are in shared memory
	Streaming Kernel = "streaming" // the warps of a block run a few steps each of a chain of tiles; rows are in registers
)

// streams reports whether rows are to stream: where that is asked for, of regions with a time loop, or was chosen.
func (u *unit) streams() bool {
	return u.Streams != nil || u.opts.Kernel == Streaming && u.opts.Target.isGPU() && !u.Scop.Timeless
}

// tiles are those that were chosen first: in their place rows stream, or tiles overlap.
type tiles struct {
	strategy Strategy
	plan     schedule.Plan
	space    *schedule.Canonical
	cone     schedule.Cone
	sizes    schedule.Sizes
	choice   *model.Choice
}

// asTiles returns the tiles that are chosen.
func (u *unit) asTiles() *tiles {
	return &tiles{u.Strategy, u.Plan, u.Space, u.Cone, u.Sizes, u.Choice}
}

// mayStream reports whether the choice between tiles in shared memory, whose sizes have been chosen, and rows that stream is ours. The kernels of PTX test
// more at the borders than the model knows of; of three dimensions it does not know what the compiler spills.
func (u *unit) mayStream() bool {
	o := u.opts
	return (o.Kernel == "" || o.Kernel == AnyKernel) && o.Target.isCUDA() && !o.Target.isMPI() && u.Strategy == Hybrid && !u.Scop.Timeless && len(u.Space.Space) == 2 &&
		u.Choice != nil && !u.Choice.Given && u.Plan.File == "" && o.Order == nil && o.Launch != Phases &&
		o.Memory == lower.Moved && o.Unroll == 0 && !o.any() && len(o.Leave) == 0 && o.LocalMemory == 0 && o.WorkGroup == 0 && u.device().AsyncCopies
}

// preferStreams turns to rows that stream if the choice is ours and the model expects more of them than of the tiles that were chosen.
func (u *unit) preferStreams() error {
	if !u.mayStream() {
		return nil
	}
	plan := u.Plan
	plan.Layout.StrideOneFirst = true
	space, err := plan.Canonicalize(u.Scop, u.Deps)
	if err != nil {
		return nil // in that order of dimensions there are no hexagons
	}
	cone, err := plan.Cone(space, u.Deps)
	if err != nil {
		return nil
	}
	choice, err := model.ChooseStreams(space, cone, u.device(), u.opts.Grid, nil, true, 0)
	if err != nil || !choice.Fits() {
		return err
	}
	u.Outlook = u.Outlook.WithStreams(choice)
	if !choice.Beats(u.Choice) || u.auto && u.Outlook.Loses(u.Outlook.Streams) {
		return nil
	}
	u.instead = u.asTiles()
	u.Plan, u.Space, u.Cone, u.Sizes, u.Choice, u.Streams = plan, space, cone, choice.Fit().Sizes, nil, choice
	return nil
}

// backToTiles turns to tiles in shared memory, and says so, if err is that rows cannot stream, though the model prefers that, or that a proof about them could not be
// decided. It reports whether it did.
func (u *unit) backToTiles(err error) bool {
	why := only(err, "HX402", "HX216", "HX214")
	if u.instead == nil || u.Streams == nil || why == nil {
		return false
	}
	u.back()
	u.remarks = append(u.remarks, &diag.Diagnostic{
		Severity: diag.Remark, Code: "HX212", At: u.Scop.Start(),
		Msg:   "tiles lie in shared memory, though the model prefers rows that stream through registers",
		Notes: []diag.Note{{Msg: "tried before: " + why.Msg}},
		Help:  "--kernel=tiles leaves the other kernel out; hexcc -v says what sizes cost",
	})
	return true
}

// back turns to the tiles that were chosen first.
func (u *unit) back() {
	t := u.instead
	u.Strategy, u.Plan, u.Space, u.Cone, u.Sizes, u.Choice, u.Streams = t.strategy, t.plan, t.space, t.cone, t.sizes, t.choice, nil
}

// notStreaming says why rows cannot stream.
func (u *unit) notStreaming(why, help string) error {
	return diag.List{{Code: "HX216", At: u.Scop.Start(), Msg: "rows cannot stream through registers: " + why, Help: help}}
}

const tilesHelp = "--kernel=tiles runs tiles from shared memory"

// sizePipeline chooses the shape of the pipeline, and with it the sizes of tiles.
func (u *unit) sizePipeline() (Product, error) {
	switch {
	case !u.opts.Target.isOpenCL() && !u.device().Acquires():
		return nil, u.notStreaming(u.device().Name+" has no loads that acquire what other blocks have written", "name a later device, --arch=sm_70 at least, or leave --kernel=streaming out")
	}
	if u.opts.Tile != nil {
		return nil, u.notStreaming("the sizes of tiles follow from the shape of the pipeline", "leave --tile out; --pipeline has columns, steps, warps, period, and in three dimensions lines and across")
	}
	if u.Strategy != Hybrid {
		return nil, u.notStreaming("only hexagons do", tilesHelp)
	}
	shape, ahead := u.opts.Pipeline, 0
	if n := u.opts.Prefetch; n != nil {
		if err := u.checkWishes(); err != nil {
			return nil, err
		}
		if ahead = int(*n); shape != nil {
			if shape.Ahead > 0 && shape.Ahead != ahead {
				return nil, u.unkept(u.opts.prefetch(), fmt.Sprintf("the pipeline is %v", *shape), "say one of them")
			}
			own := *shape
			own.Ahead, shape = ahead, &own
		}
	}
	choice, err := model.ChooseStreams(u.Space, u.Cone, u.device(), u.opts.Grid, shape, u.opts.Target.isCUDA(), ahead)
	if err != nil {
		return nil, err
	}
	if !choice.Fits() {
		if err := u.wrongInFile(); err != nil {
			return nil, err
		}
		return nil, u.notStreaming(choice.Tried[0].Why, tilesHelp) // of the shape that would be best
	}
	u.Streams = choice
	if len(u.Space.Space) == 3 {
		u.remarks = append(u.remarks, &diag.Diagnostic{Severity: diag.Remark, Code: "HX211", At: u.Scop.Start(),
			Msg:  "plain loops may be faster than what is written: in three dimensions, strips wait for those before theirs, and turns at borders are slow",
			Help: "leave --kernel=streaming out, and the model chooses"})
	}
	u.Sizes = choice.Fit().Sizes
	if said := u.Plan.Sizes; said != nil && said.String() != u.Sizes.String() {
		return nil, u.Plan.WrongSizes(fmt.Sprintf("rows that stream through a pipeline of %v have tiles of %v: they follow from it", *u.shape(), u.Sizes), "leave the tile line out, or change the clause pipeline with it")
	}
	return u.Sizes, nil
}

// wrongInFile returns what the proofs say of hexagons that a schedule file fixed, nil if nothing: two instances say more than that rows cannot stream.
func (u *unit) wrongInFile() error {
	if u.Plan.Sizes == nil {
		return nil
	}
	tiles, err := u.Plan.Hybrid(u.Space, u.Cone, *u.Plan.Sizes)
	if err != nil {
		return err
	}
	for _, p := range []schedule.Proof{schedule.ProvePartition(tiles), schedule.ProveLegality(tiles, u.Deps)} {
		if !p.Holds && p.Undecided == "" {
			return u.Plan.Refuse(p, tiles, u.Deps)
		}
	}
	return nil
}

// shape returns that of the pipeline of warps that runs a chain of tiles; nil: tiles are staged in shared memory.
func (u *unit) shape() *stream.Shape {
	if u.Streams == nil {
		return nil
	}
	return &u.Streams.Fit().Shape
}

// mapPipeline makes the kernels.
func (u *unit) mapPipeline(d machine.Device) (_ Product, err error) {
	made, why := stream.Lower(u.Loops, d, *u.shape())
	if why != "" {
		return nil, u.notStreaming(why, tilesHelp)
	}
	u.GPU = made
	return u.GPU, nil
}

// provePipeline proves that the kernels are the schedule, and that full turns work on the values of the program.
func (u *unit) provePipeline() (Product, error) {
	for _, proof := range []schedule.Proof{
		proof.Emission(u.GPU, u.Loops), proof.Pipeline(u.GPU, u.Schedule, u.Deps), symbolic.ProveStreams(u.GPU, u.Schedule),
	} {
		if _, err := u.proved(proof, u.GPU); err != nil {
			return nil, err
		}
	}
	if u.GPU.Chains == nil || !u.opts.Target.isOpenCL() {
		return u.Proofs, nil
	}
	launched, why := stream.Diagonals(u.GPU)
	if why != "" {
		return nil, u.notStreaming(why, tilesHelp)
	}
	if _, err := u.proved(proof.Diagonals(u.GPU, launched, u.Schedule), launched); err != nil {
		return nil, err
	}
	u.GPU = launched
	return u.Proofs, nil
}

// inFronts reports whether strips of lines run by launches of fronts: OpenCL does not promise that a group of work-items goes on while another one waits for it.
func (u *unit) inFronts() bool {
	return u.opts.Target.isOpenCL() && u.shape() != nil && u.shape().Lines > 0
}

// roomFor returns an error if a block of a pipeline has no room for what the printed kernel keeps in shared memory: beside rows and edges, where rows and
// columns exist.
func (u *unit) roomFor(bytes int) error {
	if limit := u.device().SharedBytes; u.streams() && bytes > limit {
		return u.notStreaming(fmt.Sprintf("the kernel keeps %d bytes in shared memory, and %s has %d for a block", bytes, u.device().Name, limit),
			"ask for a smaller pipeline, such as --pipeline=columns=4,steps=2,warps=4,period=1, or leave --kernel=streaming out")
	}
	return nil
}
