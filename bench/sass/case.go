package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hexcc/hexcc"
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
}

// An outcome is what is found of tile sizes.
type outcome struct {
	sizes          schedule.Sizes
	registers      int
	blocks, warps  int     // on a multiprocessor
	tile, clocks   float64 // by the model, by the replay
	expected, rate float64 // updates a second: by the model, by the replay
	why            string  // it was not replayed
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
}

// compile translates with tile sizes, those that the model chooses where they are nil, and replays a full tile of phase 0.
func (k kernelCase) compile(sizes *schedule.Sizes) (o outcome, err error) {
	res, err := hexcc.Compile(hexcc.Source{Name: k.name + ".c", Text: k.text},
		hexcc.Options{Arch: k.arch, NoAlias: true, Strategy: hexcc.Hybrid, Tile: sizes, Base: "kernels"})
	if err != nil {
		return o, err
	}
	chosen := res.Choice.Best[0]
	o = outcome{sizes: chosen.Sizes, expected: rate(chosen, chosen.Cost.Seconds, res.Choice.Grid), space: res.Space, cone: res.Cone}
	kernel := res.GPU.Kernels[0]
	dir, err := os.MkdirTemp("", "hexcc-sass")
	if err != nil {
		return o, err
	}
	defer os.RemoveAll(dir)
	for _, f := range res.Files.Named("kernels") {
		if err := os.WriteFile(filepath.Join(dir, f.Name), []byte(f.Text), 0o666); err != nil {
			return o, err
		}
	}
	cubin := filepath.Join(dir, "kernels.cubin")
	said, err := command(k.nvcc, "-O3", "-arch="+k.arch, "-lineinfo", "-Xptxas=-v", "-cubin", "-o", cubin, filepath.Join(dir, cuda.KernelFile("kernels")))
	if err != nil {
		return o, err
	}
	listing, err := command(k.nvdisasm, "-g", "-hex", "-c", cubin)
	if err != nil {
		return o, err
	}
	name := fmt.Sprintf("hexcc_kernels_0_phase%d", kernel.Phase)
	for _, u := range nvcc.Usages(said) {
		if isNamed(u.Kernel, name) {
			o.registers = u.Registers
		}
	}
	if o.registers == 0 {
		return o, fmt.Errorf("ptxas does not say what kernel %s uses:\n%s", name, said)
	}
	threads := kernel.Threads[0] * kernel.Threads[1] * kernel.Threads[2]
	d := k.device
	fit := d.Occupancy(threads, o.registers, kernel.SharedBytes()).Blocks
	blocks := chosen.Cost.Blocks
	slots := int64(fit * d.SMs)
	whole, rest := blocks/max(1, slots), blocks%max(1, slots)
	here := fit
	if whole == 0 {
		here = int((blocks + int64(d.SMs) - 1) / int64(d.SMs))
	}
	o.blocks, o.warps = here, here*((threads+31)/32)
	o.tile = chosen.Cost.Tile
	b, err := bodyOf(res.Files.Kernel, name)
	if err == nil {
		var code []instruction
		if code, err = parse(listing, name); err == nil {
			var trace [][]step
			if trace, err = b.trace(code, [3]int{kernel.Threads[0], kernel.Threads[1], kernel.Threads[2]}); err == nil {
				o.clocks = replay(trace, here, chosen.Counts.Bytes, d)
				clocks := float64(whole) * o.clocks
				if rest > 0 && whole > 0 {
					clocks += replay(trace, int((rest+int64(d.SMs)-1)/int64(d.SMs)), chosen.Counts.Bytes, d)
				} else if whole == 0 {
					clocks = o.clocks
				}
				o.rate = rate(chosen, chosen.Cost.With(clocks, d), res.Choice.Grid)
				return o, nil
			}
		}
	}
	o.why = err.Error()
	return o, nil
}

// rate returns the updates a second.
func rate(c model.Candidate, seconds float64, g model.Grid) float64 {
	return float64(g.Points) / seconds
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

// command runs a program and returns what it printed.
func command(name string, args ...string) (string, error) {
	out, err := exec.Command(name, args...).CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("%s: %w\n%s", filepath.Base(name), err, out)
	}
	return string(out), nil
}
