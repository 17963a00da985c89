package main

import (
	"fmt"
	"math"

	"github.com/hexcc/hexcc"
	"github.com/hexcc/hexcc/emulate"
	"github.com/hexcc/hexcc/gpu/lower"
	"github.com/hexcc/hexcc/scop"
)

// This file runs full tiles on a small grid and counts what their warps do.

// A run is what full tiles did.
type run struct {
	parts  *[workCount]emulate.Traffic // by emulate.Work
	tiles  int64
	after  int64  // those that follow a full tile; 0 if that makes no difference
	refuse string // why nothing ran
}

const workCount = emulate.Other + 1

// emulated runs the full tiles of src under a strategy; what the options ask for
// beside that is kept. Nothing runs where a tile takes too much shared memory.
func emulated(src hexcc.Source, o hexcc.Options, st lower.Strategy) (run, error) {
	o.Memory, o.Stop = st, "gpu"
	res, err := hexcc.Compile(src, o)
	if text, ok := tooLarge(err); ok {
		return run{refuse: text}, nil
	}
	if err != nil {
		return run{}, err
	}
	sizes := emulate.Request{Program: res.GPU, Schedule: res.Schedule}
	some, ok := sizes.Typical(func(params []int64) []int64 { return aligned(res.Scop, params) })
	if !ok {
		return run{refuse: "no full tile on a small grid"}, nil
	}
	return full(some)
}

// full runs full tiles.
func full(some emulate.Typical) (run, error) {
	mem, err := scop.NewMemory(some.Program.Scop, some.Params, 1)
	if err != nil {
		return run{}, err
	}
	did, err := emulate.Run(some.Program, mem, emulate.Options{Profile: true})
	if err != nil {
		return run{}, err
	}
	for kind, n := range did.Counts {
		if n > 0 && emulate.Kind(kind) != emulate.Missing { // of other tiles
			return run{}, fmt.Errorf("%s: %v", mem.Sizes(), did.Findings)
		}
	}
	return run{tiles: some.Full, after: some.After, parts: (*[workCount]emulate.Traffic)(&did.Profile[emulate.Full])}, nil
}

// A sum adds what a number of a Traffic is in the parts of a full tile that follows
// a full tile, by tile.
func (r run) sum(number func(emulate.Traffic) int64) (n float64) {
	for w, t := range r.parts {
		switch emulate.Work(w) {
		case emulate.CopyInFirst, emulate.StoreLast:
		case emulate.CopyInAfter, emulate.Move:
			n += float64(number(t)) / float64(max(1, r.after))
		default:
			n += float64(number(t)) / float64(r.tiles)
		}
	}
	return n
}

// agrees returns an error if the tile that ran did something else than was counted;
// where some reads are conditional, it may do less.
func (r run) agrees(c lower.Counts, conditional bool) error {
	if r.refuse != "" {
		return nil
	}
	for _, x := range []struct {
		what    string
		counted int64
		number  func(emulate.Traffic) int64
	}{
		{"updates", c.Points, func(t emulate.Traffic) int64 { return t.Points }},
		{"bytes of global memory", c.Bytes, func(t emulate.Traffic) int64 { return t.GlobalLoads.Bytes + t.GlobalStores.Bytes }},
		{"accesses to shared memory", c.Shared, func(t emulate.Traffic) int64 { return t.Shared().Elements }},
		{"stores to shared memory", c.SharedStores, func(t emulate.Traffic) int64 { return t.SharedStores.Elements }},
	} {
		if ran := r.sum(x.number); math.Abs(ran-float64(x.counted)) > 1e-6*ran && !(conditional && ran < float64(x.counted)) {
			return fmt.Errorf("a tile was counted to make %d %s, and made %v", x.counted, x.what, ran)
		}
	}
	return nil
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

const emulatedHead = "  loads  stores  sectors   excess conflicts divergent   idle operations"

// String returns the columns of emulatedHead.
func (r run) String() string {
	if r.refuse != "" {
		return "  " + r.refuse
	}
	type number = func(emulate.Traffic) int64
	per := func(x, of number) float64 {
		if y := r.sum(of); y > 0 {
			return r.sum(x) / y
		}
		return 0
	}
	step := r.parts[emulate.Step]
	points := func(t emulate.Traffic) int64 { return t.Points }
	return fmt.Sprintf(" %6.3f  %6.3f %8.3f %8.3f %9.3f %9.1f %5.0f%% %9.1f",
		per(func(t emulate.Traffic) int64 { return t.GlobalLoads.Sectors }, points),
		per(func(t emulate.Traffic) int64 { return t.GlobalStores.Sectors }, points),
		per(func(t emulate.Traffic) int64 { return t.Global().Sectors }, points),
		per(func(t emulate.Traffic) int64 { return t.Global().Excess() }, points),
		per(func(t emulate.Traffic) int64 { return t.Shared().Conflicts() }, func(t emulate.Traffic) int64 { return t.Shared().Requests }),
		float64(step.Divergent)/float64(r.tiles), 100*float64(step.Idle)/float64(max(1, 32*step.Ops)),
		32*per(func(t emulate.Traffic) int64 { return t.Instructions() }, points))
}
