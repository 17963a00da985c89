package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hexcc/hexcc"
	"github.com/hexcc/hexcc/ctext"
	"github.com/hexcc/hexcc/cuda"
	"github.com/hexcc/hexcc/internal/nvcc"
	"github.com/hexcc/hexcc/machine"
	"github.com/hexcc/hexcc/model"
	"github.com/hexcc/hexcc/schedule"
)

// A kernelCase is a program to be compiled with many tile sizes.
type kernelCase struct {
	name, arch string
	text       []byte
	device     machine.Device
	tools
	parts   bool // tell what part of a tile takes how long
	typical model.Typical
	guarded float64 // what a turn that is not full takes, where full ones take 1
}

// An outcome is what is found of tile sizes.
type outcome struct {
	sizes          schedule.Sizes
	registers      int
	blocks, warps  int     // on a multiprocessor
	tile, clocks   float64 // by the model, by the replay
	expected, rate float64 // updates a second: by the model, by the replay
	why            string  // it was not replayed
	parts          []part
	space          *schedule.Canonical
	cone           schedule.Cone
}

func (o outcome) print() {
	if o.why != "" {
		fmt.Printf("%-22v %6d %6d %6d %9.0f  %s\n", o.sizes, o.registers, o.blocks, o.warps, o.tile, o.why)
		return
	}
	fmt.Printf("%-22v %6d %6d %6d %9.0f %9.0f %6.2f %9.0f %9.0f %6.2f\n", o.sizes, o.registers, o.blocks, o.warps,
		o.tile, o.clocks, o.clocks/o.tile, o.expected/1e9, o.rate/1e9, o.rate/o.expected)
	for _, p := range o.parts {
		fmt.Printf("    %-40s %9.0f %5.1f %% %9.0f %9.0f\n", p.name, p.clocks, 100*p.clocks/o.clocks, p.issued, p.unit)
	}
}

// compile translates with tile sizes, those that the model chooses where they are nil, and replays a full tile of phase 0.
func (k kernelCase) compile(sizes *schedule.Sizes) (o outcome, err error) {
	res, err := hexcc.Compile(hexcc.Source{Name: k.name + ".c", Text: k.text},
		hexcc.Options{Arch: k.arch, NoAlias: true, Strategy: hexcc.Hybrid, Tile: sizes, Base: "kernels"})
	if err != nil {
		return o, err
	}
	chosen, kernel := res.Choice.Best[0], res.GPU.Kernels[0]
	name := fmt.Sprintf("hexcc_kernels_0_phase%d", kernel.Phase)
	listing, registers, err := k.disassemble(res.Files.Named("kernels"), name)
	if err != nil {
		return o, err
	}
	points := float64(res.Choice.Grid.Points)
	threads := kernel.Threads[0] * kernel.Threads[1] * kernel.Threads[2]
	fit := k.device.Occupancy(threads, registers, kernel.SharedBytes()).Blocks
	slots := int64(fit * k.device.SMs)
	here := k.here(min(slots, chosen.Cost.Blocks))
	o = outcome{
		sizes: chosen.Sizes, space: res.Space, cone: res.Cone, registers: registers, blocks: here, warps: here * ((threads + 31) / 32),
		tile: chosen.Cost.Tile, expected: points / chosen.Cost.Seconds,
	}
	b, trace, err := traceOf(res.Files.Kernel, listing, name, kernel.Threads)
	if err != nil {
		o.why = err.Error()
		return o, nil
	}
	var byLine map[int]float64
	o.clocks, byLine = replayByLine(trace, here, chosen.Counts.Bytes, k.device)
	if k.parts {
		o.parts = b.parts(res.Files.Kernel, byLine, trace, here)
	}
	launch := float64(chosen.Cost.Blocks/max(1, slots)) * o.clocks
	if rest := chosen.Cost.Blocks % max(1, slots); rest > 0 {
		launch += replay(trace, k.here(rest), chosen.Counts.Bytes, k.device)
	}
	o.rate = points / chosen.Cost.With(launch, k.device)
	return o, nil
}

// here returns how many of so many blocks the busiest multiprocessor has.
func (k kernelCase) here(blocks int64) int {
	return int((blocks + int64(k.device.SMs) - 1) / int64(k.device.SMs))
}

// disassemble compiles files, and returns the instructions of the binary, and the registers of the kernel of that name.
func (k kernelCase) disassemble(files []ctext.File, name string) (listing string, registers int, err error) {
	dir, err := os.MkdirTemp("", "hexcc-sass")
	if err != nil {
		return "", 0, err
	}
	defer os.RemoveAll(dir)
	for _, f := range files {
		if err := os.WriteFile(filepath.Join(dir, f.Name), []byte(f.Text), 0o666); err != nil {
			return "", 0, err
		}
	}
	cubin, used, err := nvcc.Cubin(k.nvcc, filepath.Join(dir, cuda.KernelFile("kernels")), k.arch)
	if err != nil {
		return "", 0, err
	}
	at := slices.IndexFunc(used, func(u nvcc.Usage) bool { return isNamed(u.Kernel, name) })
	if at < 0 || used[at].Registers == 0 {
		return "", 0, fmt.Errorf("ptxas does not say what kernel %s uses", name)
	}
	listing, err = nvcc.Disassemble(k.nvdisasm, cubin)
	return listing, used[at].Registers, err
}

// traceOf returns the full tile of a kernel, and what each thread does in it.
func traceOf(text, listing, name string, threads [3]int) (b body, trace [][]step, err error) {
	if b, err = bodyOf(text, name); err != nil {
		return b, nil, err
	}
	code, err := parse(listing, name)
	if err != nil {
		return b, nil, err
	}
	trace, err = b.trace(code, threads)
	return b, trace, err
}

// others returns legal sizes near those of o, then those that are given.
func (k kernelCase) others(o outcome, near int, given string) (all []schedule.Sizes, err error) {
	for _, text := range strings.Split(given, "/") {
		if text == "" {
			continue
		}
		s, err := schedule.ParseSizes(text)
		if err != nil {
			return nil, err
		}
		all = append(all, *s)
	}
	add := func(s schedule.Sizes) {
		same := func(x schedule.Sizes) bool { return x.H == s.H && slices.Equal(x.W, s.W) }
		if len(all) < near && !same(o.sizes) && !slices.ContainsFunc(all, same) && schedule.CheckSizes(o.space, o.cone, s) == nil {
			all = append(all, s)
		}
	}
	heights := schedule.LegalH(o.space.K)
	at := slices.Index(heights, o.sizes.H)
	for _, by := range []int{0, 1, -1, 2, -2, 3} {
		if at+by < 0 || at+by >= len(heights) {
			continue
		}
		for _, w0 := range []int64{0, -8, 8, -16, 16} {
			for last := -1; last <= 1; last++ {
				s := schedule.Sizes{H: heights[at+by], W: slices.Clone(o.sizes.W)}
				s.W[0] = max(s.W[0]+w0, schedule.MinW0(o.cone, s.H))
				if d := len(s.W) - 1; d > 0 {
					s.W[d] = max(1, s.W[d]<<1>>(1-last))
				}
				add(s)
			}
		}
	}
	return all, nil
}
