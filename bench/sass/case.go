package main

import (
	"compress/gzip"
	"crypto/sha256"
	"encoding/json"
	"errors"
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
	cache   string  // a folder for what the compiler made; "": none
	guarded float64 // what a turn that is not full takes, where full ones take 1
}

// An outcome is what is found of tile sizes.
type outcome struct {
	sizes          schedule.Sizes
	launch         hexcc.Launch
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
		fmt.Printf("%-22v %-6s %6d %6d %6d %9.0f  %s\n", o.sizes, o.launch, o.registers, o.blocks, o.warps, o.tile, o.why)
		return
	}
	fmt.Printf("%-22v %-6s %6d %6d %6d %9.0f %9.0f %6.2f %9.0f %9.0f %6.2f\n", o.sizes, o.launch, o.registers, o.blocks, o.warps,
		o.tile, o.clocks, o.clocks/o.tile, o.expected/1e9, o.rate/1e9, o.rate/o.expected)
	for _, p := range o.parts {
		fmt.Printf("    %-40s %9.0f %5.1f %% %9.0f %9.0f\n", p.name, p.clocks, 100*p.clocks/o.clocks, p.issued, p.unit)
	}
}

// compile translates with tile sizes, those that the model chooses where they are nil, and replays a full tile of phase 0.
func (k kernelCase) compile(launch hexcc.Launch, sizes *schedule.Sizes) (o outcome, err error) {
	res, err := hexcc.Compile(hexcc.Source{Name: k.name + ".c", Text: k.text},
		hexcc.Options{Arch: k.arch, NoAlias: true, Strategy: hexcc.Hybrid, Launch: launch, Tile: sizes, Grid: k.typical, Base: "kernels"})
	if err != nil {
		return o, err
	}
	chosen, kernel := res.Choice.Best[0], res.GPU.Kernels[0]
	function := fmt.Sprintf("hexcc_kernels_0_phase%d", kernel.Phase)
	name := function
	if o.launch = hexcc.Phases; res.Choice.Ready {
		o.launch, name = hexcc.Ready, "hexcc_kernels_0_chains"
	}
	listing, registers, err := k.disassembled(res.Files.Named("kernels"), name)
	if err != nil {
		return o, err
	}
	points := float64(res.Choice.Grid.Points)
	threads := kernel.Threads[0] * kernel.Threads[1] * kernel.Threads[2]
	fit := k.device.Occupancy(threads, registers, kernel.SharedBytes()).Blocks
	o.sizes, o.space, o.cone, o.registers = chosen.Sizes, res.Space, res.Cone, registers
	o.tile, o.expected = chosen.Cost.Tile, points/chosen.Cost.Seconds
	b, trace, err := traceOf(res.Files.Kernel, listing, name, function, kernel.Threads)
	if err != nil {
		o.why = err.Error()
		return o, nil
	}
	trace = waiting(trace, int(chosen.Cost.Pause))
	seen := map[int64]float64{}
	cost := chosen.Resident(fit, func(here int64) float64 {
		if seen[here] == 0 {
			seen[here] = replay(trace, int(here), chosen.Counts.Bytes, k.device)
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
		_, byLine := replayByLine(trace, o.blocks, chosen.Counts.Bytes, k.device)
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
	meet, look := instruction{op: "BAR.SYNC", write: noScoreboard, read: noScoreboard}, instruction{op: "NOP", stall: clocks, write: noScoreboard, read: noScoreboard}
	for i, steps := range trace {
		if steps = append(slices.Clone(steps), step{&meet, 32}); i == 0 {
			steps = append(steps, step{&look, 32})
		}
		out = append(out, append(steps, step{&meet, 32}))
	}
	return out
}

// A compiled is what the compiler made of a kernel: its instructions, and how many registers it has.
type compiled struct {
	Registers int
	Listing   string
}

// disassembled is disassemble, which is remembered by the text that is compiled, for an architecture, by a compiler.
func (k kernelCase) disassembled(files []ctext.File, name string) (listing string, registers int, err error) {
	if k.cache == "" {
		return k.disassemble(files, name)
	}
	h := sha256.New()
	fmt.Fprintln(h, k.version, k.arch, name)
	for _, f := range files {
		fmt.Fprintln(h, f.Name, len(f.Text), f.Text)
	}
	path := filepath.Join(k.cache, fmt.Sprintf("%x.gz", h.Sum(nil)[:16]))
	if c, err := readCompiled(path); err == nil {
		return c.Listing, c.Registers, nil
	}
	if listing, registers, err = k.disassemble(files, name); err != nil {
		return listing, registers, err
	}
	return listing, registers, writeCompiled(path, compiled{registers, listing})
}

func readCompiled(path string) (c compiled, err error) {
	f, err := os.Open(path)
	if err != nil {
		return c, err
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		return c, err
	}
	return c, json.NewDecoder(z).Decode(&c)
}

// writeCompiled writes a file that is whole or not there.
func writeCompiled(path string, c compiled) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(path), "new")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	z := gzip.NewWriter(f)
	if err := errors.Join(json.NewEncoder(z).Encode(c), z.Close(), f.Close()); err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}

// section returns the part of a listing that is about a function.
func section(listing, name string) string {
	var out strings.Builder
	inside := false
	for line := range strings.Lines(listing) {
		if s, ok := strings.CutPrefix(strings.TrimSpace(line), ".section\t"); ok {
			inside = strings.HasPrefix(s, ".text.") && isNamed(strings.Split(s, ",")[0], name)
		}
		if inside {
			out.WriteString(line)
		}
	}
	return out.String()
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
	return section(listing, name), used[at].Registers, err
}

// traceOf returns the full tile of a function in the text, and what each thread does in it in the kernel of which it is part.
func traceOf(text, listing, kernel, function string, threads [3]int) (b body, trace [][]step, err error) {
	if b, err = bodyOf(text, function); err != nil {
		return b, nil, err
	}
	code, err := parse(listing, kernel)
	if err != nil {
		return b, nil, err
	}
	for i := range code { // what a function does that is called in the tile is done there
		if at := slices.IndexFunc(code[i].lines, func(line int) bool { return line >= b.first && line <= b.last }); at >= 0 {
			code[i].line = code[i].lines[at]
		}
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
