package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/hexcc/hexcc"
	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/astgen"
	"github.com/hexcc/hexcc/diag"
	"github.com/hexcc/hexcc/gpu"
	"github.com/hexcc/hexcc/gpu/beat"
)

// This file reports on kernels whose rows stream through registers: what a block does in a full turn of its pipeline of warps, counted from its
// operations, and by running them.

const streamLegend = `What kernels do whose rows stream through registers (docs/streaming.md), in a full turn of the pipeline that is chosen.
By update (a statement instance): operations, as written, of all columns that lanes compute; columns that lanes get from those beside them; elements loaded
from shared memory and stored to it; bytes of global memory. useful: which part of the columns that are computed are the tile's.
counted from the operations of the pipeline; run, by a block that runs a turn. compiled: by ptxas, bytes of a thread that are spilled, and bytes of code.
machine: the instructions of the turn by class and update, as ptxas made them, those of a warp as one of each of its 32 lanes. integer has addresses, moves,
comparisons and selections, special reciprocals, roots and conversions; copies are from global to shared memory, spills of registers, control has branches and waits.
`

const streamHead = "   updates  useful operations shuffles  loads stores    bytes"

// streaming returns the lines of one case whose rows are to stream.
func (r *reporter) streaming(path string) (string, error) {
	src, err := sourceOf(path)
	if err != nil {
		return "", err
	}
	o := hexcc.Options{Arch: r.arch, Kernel: hexcc.Streaming, Base: "kernels", NoAlias: true}
	res, err := hexcc.Compile(src, o)
	var list diag.List
	if errors.As(err, &list) {
		return fmt.Sprintf("\n%s: %s\n", caseName(path), list[0].Msg), nil
	}
	if err != nil {
		return "", err
	}
	p := res.GPU.Pipeline()
	fit := res.Streams.Fit()
	var b strings.Builder
	fmt.Fprintf(&b, "\n%s, %v, %s: about %d registers of a thread, %d bytes of rows and edges, %d blocks\n", caseName(path), fit.Shape, r.arch, fit.Registers, fit.Shared, fit.Blocks)
	did, err := runTurn(p)
	if err != nil {
		return b.String(), err
	}
	counted := p.Count()
	fmt.Fprintf(&b, "  %-15s%s\n  %-15s%s\n  %-15s%s\n", "", streamHead, "counted", turnLine(counted), "run", turnLine(did))
	if err := agree(counted, did); err != nil || r.nvcc == "" {
		return b.String(), err
	}
	use, err := compileText(r.nvcc, res)
	if err != nil {
		return b.String(), err
	}
	fmt.Fprintf(&b, "  %-15s%s\n", "", "  registers  spilled     code")
	for _, arch := range compiledFor {
		fmt.Fprintf(&b, "  %-15s  %9d %8d %8d\n", "compiled, "+arch, use[arch].Registers, use[arch].Spilled, use[arch].Code)
	}
	if r.noSASS != nil {
		return b.String(), nil
	}
	code, err := r.machineCode(res, o.Base)
	if err != nil {
		return b.String(), err
	}
	fmt.Fprintf(&b, "  %-15s%s\n  %-15s%s\n", "", machineHead, "machine, "+r.arch, code.line(counted.Updates))
	return b.String(), nil
}

// turnLine returns the columns of streamHead.
func turnLine(n gpu.TurnCount) string {
	per := func(x int64) float64 { return float64(x) / float64(n.Updates) }
	operations := ""
	if n.Operations > 0 {
		operations = fmt.Sprintf("%.2f", per(n.Operations))
	}
	return fmt.Sprintf("  %8d %6.1f%% %10s %8.2f %6.2f %6.2f %8.2f", n.Updates, 100*float64(n.Updates)/float64(n.Evaluated), operations, per(n.Shuffles),
		per(n.SharedLoads), per(n.SharedStores), per(n.Bytes))
}

// agree returns an error if what ran is not what was counted.
func agree(counted, did gpu.TurnCount) error {
	counted.Runs, counted.SharedBytes, counted.Operations, counted.Beats, counted.Direct, counted.Moves, counted.Words, counted.Rotated = nil, 0, 0, 0, 0, 0, 0, 0 // which a run on no values does not see
	if fmt.Sprint(counted) != fmt.Sprint(did) {
		return fmt.Errorf("a turn was counted as %+v and ran as %+v", counted, did)
	}
	return nil
}

// A turnRun is a block that runs a full turn on values of which nothing is known: it counts.
type turnRun struct {
	p                      *gpu.Pipeline
	column, beat, warp, at int64
	did                    gpu.TurnCount
	wrong                  error
}

// runTurn returns what a block does that runs a full turn.
func runTurn(p *gpu.Pipeline) (gpu.TurnCount, error) {
	x := &turnRun{p: p}
	block := beat.New(p, beat.Vars{Column: &x.column, Beat: &x.beat, Warp: &x.warp, At: &x.at}, x)
	block.Start()
	block.FullTurn(0) // then what is read has been written
	before, had := block.Counts, x.did
	block.FullTurn(int64(p.Turn))
	n, c := x.did, block.Counts
	n.Updates -= had.Updates
	n.GlobalLoads, n.GlobalStores, n.Bytes = n.GlobalLoads-had.GlobalLoads, n.GlobalStores-had.GlobalStores, n.Bytes-had.Bytes
	n.Evaluated = c.LaneUpdates - before.LaneUpdates
	n.SharedLoads, n.SharedStores = c.SharedLoads-before.SharedLoads, c.SharedStores-before.SharedStores
	n.Shuffles = (c.Shuffles - before.Shuffles) / int64(p.Stages[0].Rows[0].Array.Elem.Words()) * gpu.WarpLanes
	return n, x.wrong
}

// The methods of a beat.Domain.

func (x *turnRun) Undefined() struct{} { return struct{}{} }

func (x *turnRun) Number(e affine.Sum) func() int64 {
	return func() int64 {
		return affine.Eval(e, map[string]int64{x.p.Vars.Column: x.column, x.p.Vars.Warp: x.warp, x.p.Vars.At: x.at, x.p.Vars.Beat: x.beat, x.p.Vars.Time: 0})
	}
}

func (x *turnRun) Holds(astgen.Cond) func() bool { return func() bool { return true } }

func (x *turnRun) Begin(int) {}

func (x *turnRun) Wrong(f beat.Fault, where string) {
	if x.wrong == nil {
		x.wrong = fmt.Errorf("a full turn goes wrong: %s", where)
	}
}

// An elementRun counts what is loaded and stored.
type elementRun struct {
	x     *turnRun
	size  int64
	count bool
}

func (x *turnRun) Element(e gpu.Element, use beat.Use) beat.Element[struct{}] {
	return elementRun{x, int64(e.Array.Elem.Size()), use != beat.Operated || !x.p.Same(&e)}
}

func (e elementRun) Load(int) struct{} {
	if e.count {
		e.x.did.GlobalLoads++
		e.x.did.Bytes += e.size
	}
	return struct{}{}
}

func (e elementRun) Store(int, struct{}) {
	e.x.did.GlobalStores++
	e.x.did.Bytes += e.size
}

// Instance counts the columns of the tile.
func (x *turnRun) Instance(gpu.Evaluate) func([]struct{}, int) {
	return func([]struct{}, int) { x.did.Updates++ }
}
