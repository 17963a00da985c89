package main

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/hexcc/hexcc"
	"github.com/hexcc/hexcc/model"
	"github.com/hexcc/hexcc/schedule"
)

// This file prints what is found of the tile sizes of a case.

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

// run prints the lines of a case.
func (k kernelCase) run(near int, given string) error {
	fmt.Printf("\n%s\n%-22s %-6s %6s %6s %6s %9s %9s %6s %9s %9s %6s\n", k.name, "tile", "order", "regs", "blocks", "warps", "model", "replay", "ratio", "model", "replay", "ratio")
	fmt.Printf("%-22s %-6s %6s %6s %6s %9s %9s %6s %9s %9s\n", "", "", "", "", "", "clocks", "clocks", "", "GSt/s", "GSt/s")
	first, err := k.compile(hexcc.AnyLaunch, nil)
	if err != nil {
		return err
	}
	all := []outcome{first}
	first.print()
	other := map[hexcc.Launch]hexcc.Launch{hexcc.Phases: hexcc.Ready, hexcc.Ready: hexcc.Phases}[first.launch]
	if o, err := k.compile(other, nil); err != nil {
		fmt.Printf("%-22s %-6s %v\n", "", other, strings.SplitN(err.Error(), "\n", 2)[0])
	} else {
		o.print()
	}
	plain, err := model.ChooseUntiled(first.space, k.device, k.typical, model.Asked{})
	if err != nil {
		return err
	}
	fmt.Printf("%-22s %-6s %.0f GSt/s by the model\n", "plain loops", "", 1e-9/plain.PerPoint)
	sizes, err := k.others(first, near, given)
	if err != nil {
		return err
	}
	for _, s := range sizes {
		o, err := k.compile(first.launch, &s)
		if err != nil {
			fmt.Printf("%-22v %v\n", s, strings.SplitN(err.Error(), "\n", 2)[0])
			continue
		}
		o.print()
		if o.why == "" {
			all = append(all, o)
		}
	}
	if first.why != "" || len(all) < 3 {
		return nil
	}
	best := slices.MaxFunc(all, func(x, y outcome) int { return cmp.Compare(x.rate, y.rate) })
	fmt.Printf("rank correlation %.2f of %d; the chosen one has %.2f of the best, %v\n", spearman(all), len(all), first.rate/best.rate, best.sizes)
	return nil
}

// spearman returns how alike the orders are in which the model and the replay put outcomes: 1 where they are the same, -1 where
// one is the reverse of the other.
func spearman(all []outcome) float64 {
	ranks := func(of func(outcome) float64) []float64 {
		out := make([]float64, len(all))
		for i, x := range all {
			for _, y := range all {
				switch {
				case of(y) < of(x):
					out[i]++
				case of(y) == of(x):
					out[i] += 0.5
				}
			}
		}
		return out
	}
	a, b := ranks(func(o outcome) float64 { return o.expected }), ranks(func(o outcome) float64 { return o.rate })
	mean := float64(len(all)) / 2
	var ab, aa, bb float64
	for i := range a {
		ab += (a[i] - mean) * (b[i] - mean)
		aa += (a[i] - mean) * (a[i] - mean)
		bb += (b[i] - mean) * (b[i] - mean)
	}
	return ab / math.Sqrt(aa*bb)
}
