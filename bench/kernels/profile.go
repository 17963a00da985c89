package main

import (
	"errors"
	"fmt"

	"github.com/hexcc/hexcc"
	"github.com/hexcc/hexcc/diag"
	"github.com/hexcc/hexcc/emulate"
	"github.com/hexcc/hexcc/gpu"
	"github.com/hexcc/hexcc/scop"
)

// This file runs kernels on a small grid and counts what the warps of full tiles do.

// A small grid has at most about as many statement instances as one of these:
// the first at which full tiles run.
var limits = []int64{1 << 20, 1 << 23}

// A run is what full tiles did, and how many there were.
type run struct {
	*emulate.Profile
	tiles    int64
	tooLarge bool // for the shared memory of a block: nothing ran
}

// emulated runs the kernels of src under a strategy; what the options ask for
// beside that is kept. Where a tile takes too much shared memory, as one may
// whose sizes were chosen for another strategy, tooLarge is set.
func emulated(src hexcc.Source, o hexcc.Options, st gpu.Strategy) (all run, err error) {
	o.Memory, o.Stop = st, "gpu"
	res, err := hexcc.Compile(src, o)
	var list diag.List
	if errors.As(err, &list) && list[0].Code == "HX401" {
		return run{tooLarge: true}, nil
	}
	if err != nil {
		return run{}, err
	}
	for _, limit := range limits {
		if all, err = emulatedOn(res, limit); err != nil || all.tiles > 0 {
			break
		}
	}
	return all, err
}

// emulatedOn runs kernels on a grid of that many instances at most.
func emulatedOn(res *hexcc.Result, limit int64) (run, error) {
	sizes := emulate.Request{Program: res.GPU, Schedule: res.Schedule, Points: limit / 8}
	mem, err := scop.NewMemory(res.Scop, aligned(res.Scop, sizes.Roomy()), 1)
	if err != nil {
		return run{}, err
	}
	r, err := emulate.Run(res.GPU, mem, emulate.Options{Profile: true})
	if err != nil {
		return run{}, err
	}
	if !r.OK() {
		return run{}, fmt.Errorf("%s: %v", mem.Sizes(), r.Findings)
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
	switch {
	case r.tooLarge:
		return "  too large for a block"
	case r.tiles == 0:
		return "  no full tile on a small grid"
	}
	full, steps := r.Tile(emulate.Full), r.Profile[emulate.Full][emulate.Step]
	per := func(n, of int64) float64 { return float64(n) / float64(max(1, of)) }
	return fmt.Sprintf(" %8.3f %8.3f %9.3f %9.1f %5.0f%%", per(full.Global().Sectors, full.Points), per(full.Global().Excess(), full.Points),
		per(full.Shared().Conflicts(), full.Shared().Requests), per(steps.Divergent, r.tiles), 100*per(steps.Idle, 32*steps.Ops))
}

const emulatedHead = "  sectors   excess conflicts divergent   idle"
