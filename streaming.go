package hexcc

import (
	"fmt"

	"github.com/hexcc/hexcc/diag"
	"github.com/hexcc/hexcc/gpu/proof"
	"github.com/hexcc/hexcc/gpu/stream"
	"github.com/hexcc/hexcc/machine"
	"github.com/hexcc/hexcc/schedule"
	"github.com/hexcc/hexcc/symbolic"
)

// This file is about kernels whose rows stream through the registers of a pipeline of warps.

// A Kernel is what blocks of a GPU do with tiles, by the name that --kernel has for it.
type Kernel string

// The kernels.
const (
	AnyKernel Kernel = "auto"      // Tiles
	Tiles     Kernel = "tiles"     // the threads of a block run a tile step by step; rows of it are in shared memory
	Streaming Kernel = "streaming" // the warps of a block run a few steps each of a chain of tiles; rows are in registers
)

// streams reports whether rows are to stream: where that is asked for, of regions with a time loop.
func (u *unit) streams() bool {
	return u.opts.Kernel == Streaming && u.opts.Target.isGPU() && !u.Scop.Timeless
}

// notStreaming says why rows cannot stream.
func (u *unit) notStreaming(why, help string) error {
	return diag.List{{Code: "HX216", At: u.Scop.Start(), Msg: "rows cannot stream through registers: " + why, Help: help}}
}

const tilesHelp = "--kernel=tiles runs tiles from shared memory"

// sizePipeline chooses the shape of the pipeline, and with it the sizes of tiles.
func (u *unit) sizePipeline() (Product, error) {
	switch {
	case u.opts.Target.isOpenCL():
		return nil, u.notStreaming("OpenCL does not promise that a group of work-items goes on while another one waits for it", "use --target=cuda or --target=ptx, or leave --kernel=streaming out")
	case !u.device().Acquires():
		return nil, u.notStreaming(u.device().Name+" has no loads that acquire what other blocks have written", "name a later device, --arch=sm_70 at least, or leave --kernel=streaming out")
	}
	if u.opts.Tile != nil {
		return nil, u.notStreaming("the sizes of tiles follow from the shape of the pipeline", "leave --tile out; --pipeline has columns, steps, warps, period, and in three dimensions lines and across")
	}
	if u.Strategy != Hybrid {
		return nil, u.notStreaming("only hexagons do", tilesHelp)
	}
	if shape := u.opts.Pipeline; shape != nil {
		u.Pipelines = []stream.Fit{stream.Fits(u.Space, u.Cone, u.device(), *shape)}
	} else {
		u.Pipelines = stream.Choose(u.Space, u.Cone, u.device(), u.opts.Target != PTX)
	}
	fit := u.Pipelines[len(u.Pipelines)-1]
	if fit.Why != "" {
		return nil, u.notStreaming(u.Pipelines[0].Why, tilesHelp) // of the shape that would be best
	}
	if len(u.Space.Space) == 3 {
		u.remarks = append(u.remarks, &diag.Diagnostic{Severity: diag.Remark, Code: "HX211", At: u.Scop.Start(),
			Msg:  "plain loops may be faster than what is written: in three dimensions, strips wait for those before theirs, and turns at borders are slow",
			Help: "leave --kernel=streaming out, and the model chooses"})
	}
	u.Sizes = fit.Sizes
	return fit.Sizes, nil
}

// shape returns that of the pipeline of warps that runs a chain of tiles; nil: tiles are staged in shared memory.
func (u *unit) shape() *stream.Shape {
	if len(u.Pipelines) == 0 {
		return nil
	}
	return &u.Pipelines[len(u.Pipelines)-1].Shape
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
	return u.Proofs, nil
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
