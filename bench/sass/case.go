package main

import (
	"fmt"
	"regexp"
	"slices"

	"github.com/hexcc/hexcc"
	"github.com/hexcc/hexcc/internal/sass"
	"github.com/hexcc/hexcc/machine"
	"github.com/hexcc/hexcc/model"
	"github.com/hexcc/hexcc/schedule"
)

// base is how names of files begin.
const base = "kernels"

// A kernelCase is a program to be compiled with many tile sizes.
type kernelCase struct {
	name, arch string
	text       []byte
	device     machine.Device
	compiler   sass.Compiler
	parts      bool // tell what part of a tile takes how long
	rounded
	typical model.Typical
	along   string         // what boxes that overlap are asked to stream along, as --stream has it; "": what the model chooses
	ways    *regexp.Regexp // to be replayed, beside that which auto takes
	lines   string         // a file to which what is found of each way is added; "": none
	guarded float64        // what a turn that is not full takes, where full ones take 1
}

// compile translates with tile sizes, those that the model chooses where they are nil, and replays a full tile of phase 0.
func (k kernelCase) compile(launch hexcc.Launch, sizes *schedule.Sizes) (o outcome, err error) {
	res, err := k.translate(hexcc.Options{Strategy: hexcc.Hybrid, Kernel: hexcc.Tiles, Launch: launch, Tile: sizes})
	if err != nil {
		return o, err
	}
	return k.hybrid(res)
}

// A rounded is how results differ from those of the source by rounding.
type rounded struct {
	fma         bool   // products are fused with sums
	reassociate string // sums are regrouped along this loop, or any with hexcc.AnyLoop; "": they are not
}

// translate translates with options, which are completed by what the case has for all.
func (k kernelCase) translate(o hexcc.Options) (*hexcc.Result, error) {
	o.Arch, o.NoAlias, o.Grid, o.Base, o.FMA, o.Reassociate = k.arch, true, k.typical, base, k.fma, k.reassociate
	return hexcc.Compile(hexcc.Source{Name: k.name + ".c", Text: k.text}, o)
}

// hybrid replays a full tile of phase 0 of what was translated.
func (k kernelCase) hybrid(res *hexcc.Result) (o outcome, err error) {
	chosen, kernel := res.Choice.Best[0], res.GPU.Kernels[0]
	function := fmt.Sprintf("hexcc_kernels_0_phase%d", kernel.Phase)
	name := function
	if o.launch = hexcc.Phases; res.Choice.Ready {
		o.launch, name = hexcc.Ready, "hexcc_kernels_0_chains"
	}
	made, err := k.compiler.Kernel(res.Files.Named(base), base, name)
	if err != nil {
		return o, err
	}
	points := float64(res.Choice.Grid.Points)
	threads := kernel.Threads[0] * kernel.Threads[1] * kernel.Threads[2]
	fit := k.device.Occupancy(threads, made.Registers, kernel.SharedBytes()).Blocks
	o.sizes, o.space, o.cone, o.registers = chosen.Sizes, res.Space, res.Cone, made.Registers
	o.tile, o.expected = chosen.Cost.Tile, points/chosen.Cost.Seconds
	b, trace, err := traceOf(res.Files.Kernel, made.Listing, name, function, kernel.Threads)
	if err != nil {
		o.why = err.Error()
		return o, nil
	}
	trace = waiting(trace, int(chosen.Cost.Pause))
	seen := map[int64]float64{}
	cost := chosen.Resident(fit, func(here int64) float64 {
		if seen[here] == 0 {
			seen[here] = replay(trace, residents{int(here), chosen.Counts.Bytes, kernel.SharedBytes(), 0}, k.device)
		}
		return seen[here]
	}, k.device)
	o.clocks, o.rate = cost.Tile, points/cost.Seconds
	o.blocks = k.here(min(int64(fit*k.device.SMs), chosen.Cost.Blocks))
	if chosen.Cost.Rounds > 0 {
		o.blocks = k.here(int64(cost.AtOnce))
	}
	o.warps = o.blocks * ((threads + 31) / 32)
	if k.parts {
		_, byLine := replayByLine(trace, residents{o.blocks, chosen.Counts.Bytes, kernel.SharedBytes(), 0}, k.device)
		o.parts = b.parts(res.Files.Kernel, byLine, trace, o.blocks)
	}
	return o, nil
}

// here returns how many of so many blocks the busiest multiprocessor has.
func (k kernelCase) here(blocks int64) int {
	return int((blocks + int64(k.device.SMs) - 1) / int64(k.device.SMs))
}

// waiting returns a tile with what its block waits for others, so many clocks: all warps meet, the first one looks at flags, all meet again.
func waiting(trace [][]step, clocks int) (out [][]step) {
	if clocks == 0 {
		return trace
	}
	meet, look := sass.Instruction{Op: "BAR.SYNC", Write: sass.NoScoreboard, Read: sass.NoScoreboard}, sass.Instruction{Op: "NOP", Stall: clocks, Write: sass.NoScoreboard, Read: sass.NoScoreboard}
	for i, steps := range trace {
		if steps = append(slices.Clone(steps), step{&meet, 32}); i == 0 {
			steps = append(steps, step{&look, 32})
		}
		out = append(out, append(steps, step{&meet, 32}))
	}
	return out
}

// ending returns what a block runs that ends with it: another one takes its place when all of its warps have ended.
func ending(trace [][]step) (out [][]step) {
	meet := sass.Instruction{Op: "BAR.SYNC", Write: sass.NoScoreboard, Read: sass.NoScoreboard}
	for _, steps := range trace {
		out = append(out, append(slices.Clone(steps), step{&meet, 32}))
	}
	return out
}

// traceOf returns the full tile of a function in the text, and what each thread does in it in the kernel of which it is part.
func traceOf(text, listing, kernel, function string, threads [3]int) (b body, trace [][]step, err error) {
	if b, err = bodyOf(text, function); err != nil {
		return b, nil, err
	}
	trace, err = b.traceIn(listing, kernel, threads)
	return b, trace, err
}

// traceIn returns what each thread of a kernel does in b.
func (b body) traceIn(listing, kernel string, threads [3]int) (trace [][]step, err error) {
	code, err := sass.Parse(listing, kernel)
	if err != nil {
		return nil, err
	}
	for i := range code { // what a function does that is called in the tile is done there
		if at := slices.IndexFunc(code[i].Lines, func(line int) bool { return line >= b.first && line <= b.last }); at >= 0 {
			code[i].Line = code[i].Lines[at]
		}
	}
	return b.trace(code, threads)
}
