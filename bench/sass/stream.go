package main

import (
	"fmt"
	"strings"

	"github.com/hexcc/hexcc"
	"github.com/hexcc/hexcc/gpu"
	"github.com/hexcc/hexcc/gpu/stream"
	"github.com/hexcc/hexcc/internal/programs"
	"github.com/hexcc/hexcc/internal/sass"
	"github.com/hexcc/hexcc/model"
)

// This file replays the full turns of kernels whose rows stream through the registers of a pipeline of warps. The steady state is what it
// counts: how many beats a second a multiprocessor runs that holds as many blocks as registers and shared memory allow. What start, end, borders and waits
// cost comes from a simulation of the chains of a whole run.

// streaming is what the flags ask for of pipelines.
type streaming struct {
	on, double   bool
	shapes, grid string
	guarded      float64
}

// run prints the lines of a case.
func (s streaming) run(k kernelCase) (err error) {
	all := []*stream.Shape{nil}
	for _, text := range strings.Split(s.shapes, "/") {
		if text == "" {
			continue
		}
		shape, err := stream.ParseShape(text)
		if err != nil {
			return err
		}
		all = append(all, shape)
	}
	if s.double {
		k.text = programs.InDouble(k.text)
	}
	if k.typical, err = model.ParseTypical(s.grid); err != nil {
		return err
	}
	k.guarded = s.guarded
	return k.stream(all)
}

// A streamed is what is found of a shape of the pipeline.
type streamed struct {
	shape         stream.Shape
	registers     int
	code          sass.CodeSize
	turn          int // bytes of one full turn of all stages
	blocks        int
	perUpdate     float64 // instructions
	clocks        float64 // of a turn of each block on a multiprocessor
	steady, whole float64 // updates a second
	share         float64 // of the steady speed that a whole run has
	costs         []turnCost
	spills        int // loads and stores of registers that a turn of a warp of each stage spills
}

// stream prints the lines of a case, for the shapes that are given.
func (k kernelCase) stream(shapes []*stream.Shape) error {
	fmt.Printf("\n%s\n%-38s %5s %6s %7s %7s %6s %9s %7s %9s %6s %9s\n", k.name, "pipeline", "regs", "spills", "code", "turns", "blocks", "instr/upd", "clocks", "steady", "share", "GSt/s")
	for _, shape := range shapes {
		x, err := k.pipeline(shape)
		if err != nil {
			fmt.Printf("%-38v %v\n", shape, strings.SplitN(err.Error(), "\n", 2)[0])
			continue
		}
		fmt.Printf("%-38v %5d %6d %7d %7d %6d %9.1f %7.0f %9.0f %6.3f %9.0f\n", x.shape, x.registers, x.spills, x.code.All(), x.turn, x.blocks, x.perUpdate, x.clocks, x.steady/1e9, x.share, x.whole/1e9)
		fmt.Printf("    %v\n", x.code)
		for _, c := range x.costs {
			fmt.Printf("    %-100s %8.0f a beat of a warp %6.2f of a full turn's clocks, %6.2f beside such; %d turns\n", c.name, c.instructions, c.alone, c.beside, c.turns)
		}
	}
	return nil
}

// pipeline translates with a shape, the chosen one for nil, and replays its full turns.
func (k kernelCase) pipeline(shape *stream.Shape) (x streamed, err error) {
	res, err := k.translate(hexcc.Options{Kernel: hexcc.Streaming, Pipeline: shape})
	if err != nil {
		return x, err
	}
	return k.streamed(res)
}

// streamed replays the turns of what was translated.
func (k kernelCase) streamed(res *hexcc.Result) (x streamed, err error) {
	kernel := res.GPU.Kernels[0]
	p := kernel.Pipeline()
	if p == nil {
		return x, fmt.Errorf("rows do not stream")
	}
	x.shape = stream.Shape{Columns: p.Columns, Steps: p.Steps, Warps: p.InTime(), Period: p.Period, Lines: p.Lines, Across: p.Across}
	const name = "hexcc_kernels_0_chains"
	made, err := k.compiler.Kernel(res.Files.Named(base), base, name)
	if err != nil {
		return x, err
	}
	code, err := sass.Parse(made.Listing, name)
	if err != nil {
		return x, err
	}
	x.registers, x.code = made.Registers, sass.SizeOf(code, res.Files.Kernel)
	turns, err := sass.FindTurns(code, res.Files.Kernel, p)
	if err != nil {
		return x, err
	}
	var trace [][]step
	instructions := 0
	for i, st := range p.Stages {
		var turn []step
		for j := range turns.Full[i] {
			in := &turns.Full[i][j]
			turn = append(turn, step{in, gpu.WarpLanes})
			if in.Class() == sass.Spills {
				x.spills++
			}
		}
		x.turn += 16 * len(turn)
		for range st.Count {
			trace = append(trace, turn)
			instructions += len(turn)
		}
	}
	updates := p.Count().Updates
	own := updates / int64(p.Turn)
	x.perUpdate = float64(instructions) * gpu.WarpLanes / float64(updates)
	x.blocks = k.device.Occupancy(p.Threads(), made.Registers, kernel.SharedBytes()).Blocks
	here := residents{x.blocks, p.Count().Bytes, kernel.SharedBytes(), 0}
	x.clocks = replay(trace, here, k.device)
	x.steady = float64(updates) * float64(x.blocks*k.device.SMs) * k.device.Hertz() / x.clocks
	grid, err := model.NewGrid(res.Space, k.typical)
	if err != nil {
		return x, err
	}
	g, err := readGuards(res.Files.Kernel, p)
	if err != nil {
		return x, err
	}
	costs := &turnCosts{guardedText: g, code: code, straight: turns, pipeline: p, full: trace, clocks: x.clocks, residents: here, device: k.device, found: map[string]turnCost{}, seen: map[string]keyed{}, always: k.guarded}
	run := chainRun{program: res.GPU, pipeline: p, env: map[string]int64{}, slots: x.blocks * k.device.SMs, costs: costs}
	for _, v := range grid.Values {
		run.env[v.Name] = v.Value
	}
	x.share = run.busy() * float64(grid.Points) / float64(own) / run.beats
	x.whole = x.steady * x.share
	if costs.err != nil {
		return x, costs.err
	}
	x.costs = costs.all()
	return x, nil
}
