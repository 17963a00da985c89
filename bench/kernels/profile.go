package main

import (
	"fmt"

	"github.com/hexcc/hexcc"
	"github.com/hexcc/hexcc/emulate"
	"github.com/hexcc/hexcc/gpu"
	"github.com/hexcc/hexcc/scop"
)

// This file runs kernels on a small grid and counts what the warps of full tiles do.

// maxInstances is about how many statement instances the small grid has at most.
const maxInstances = 1 << 20

// A run is what full tiles did, and how many there were.
type run struct {
	*emulate.Profile
	tiles int64
}

// emulated runs the kernels of src under a strategy; what the options ask for beside that is kept.
func emulated(src hexcc.Source, o hexcc.Options, st gpu.Strategy) (run, error) {
	o.Memory, o.Stop = st, "gpu"
	res, err := hexcc.Compile(src, o)
	if err != nil {
		return run{}, err
	}
	sizes := emulate.Request{Program: res.GPU, Schedule: res.Schedule, Points: maxInstances / 8}
	mem, err := scop.NewMemory(res.Scop, aligned(res.Scop, sizes.Roomy()), 1)
	if err != nil {
		return run{}, err
	}
	r, err := emulate.Run(res.GPU, mem, emulate.Options{Profile: true})
	if err != nil {
		return run{}, err
	}
	if !r.OK() {
		return run{}, fmt.Errorf("%v: %v", st, r.Findings)
	}
	all := run{Profile: r.Profile}
	for _, b := range r.Branches {
		if b.Note == gpu.FullTile {
			all.tiles += b.Then
		}
	}
	return all, nil
}

// lineBytes is where rows of arrays should start: at multiples of it.
const lineBytes = 128

// aligned returns params, each made larger by less than a line so that rows of
// as many arrays as it can start at multiples of lineBytes.
func aligned(p *scop.Program, params []int64) []int64 {
	for i := range params {
		best, most, from := params[i], rowsAligned(p, params), params[i]
		for v := from; v < from+lineBytes; v++ {
			params[i] = v
			if n := rowsAligned(p, params); n > most {
				best, most = v, n
			}
		}
		params[i] = best
	}
	return params
}

// rowsAligned returns the number of arrays whose rows are a multiple of lineBytes long.
func rowsAligned(p *scop.Program, params []int64) (n int) {
	for _, a := range p.Arrays {
		if d := len(a.Extents) - 1; d > 0 && a.Extents[d].At(nil, params)*int64(a.Elem.Size())%lineBytes == 0 {
			n++
		}
	}
	return n
}

// String returns the columns of a line: of full tiles, by update, sectors and
// how many more than the least possible; by shared request, wavefronts lost to
// bank conflicts; of their steps, divergent branches by tile and the share of idle lanes.
func (r run) String() string {
	full, steps := r.Tile(emulate.Full), r.Profile[emulate.Full][emulate.Step]
	if r.tiles == 0 {
		return fmt.Sprintf(" %8s %8s %9s %9s %6s", "-", "-", "-", "-", "-")
	}
	per := func(n, of int64) float64 { return float64(n) / float64(max(1, of)) }
	return fmt.Sprintf(" %8.3f %8.3f %9.3f %9.1f %5.0f%%", per(full.Global().Sectors, full.Points), per(full.Global().Excess(), full.Points),
		per(full.Shared().Conflicts(), full.Shared().Requests), per(steps.Divergent, r.tiles), 100*per(steps.Idle, 32*steps.Ops))
}

const emulatedHead = "  sectors   excess conflicts divergent   idle"
