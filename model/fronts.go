package model

import (
	"math"

	"github.com/hexcc/hexcc/gpu/lower"
	"github.com/hexcc/hexcc/machine"
	"github.com/hexcc/hexcc/schedule"
)

// This file chooses parallelograms for a GPU, whose tiles run front by front and their points wave by wave (schedule/fronts.go). A wave has points of
// all steps and of all rows but along the last dimension: so many threads has a block. It takes the time of a barrier and of
// the chain of operations of a point, or what its instructions take to issue with those of other blocks; waves at both ends of a tile are not full. Fronts at both
// ends of the grid have few tiles, and each takes a launch. What it takes is stated in docs/tiles.md; none of it has been measured on a GPU.

// What waves take, in cycles, and instructions.
const (
	waveLatency      = 120.0 // a barrier, a load from shared memory, conditions, a store
	operationLatency = 8.0   // of one operation of a point behind another
	waveInstructions = 30.0  // conditions and addresses of a point
	fetchLatency     = 1000.0
	fetchInstruction = 6.0 // for an element that is copied in
	launchCycles     = 4000.0
	globalWave       = 4.0 // how much longer waves take for each array that stays in global memory
)

// frontRegisters are what a thread takes, about.
const frontRegisters = 40

// Fronts returns sizes of parallelograms that take the least time by this, on a grid of typical sizes. The error, a diag.List, says what is wrong with those.
func Fronts(c *schedule.Canonical, cone schedule.Cone, d machine.Device, typical Typical) (best schedule.Sizes, err error) {
	grid, err := NewGrid(c, typical)
	if err != nil {
		return best, err
	}
	least, hs := math.Inf(1), schedule.LegalH(c.K)
	for _, h := range hs {
		for _, w := range frontWidths(len(c.Space)) {
			f := frontTile{c: c, cone: cone, device: d, grid: grid, sizes: schedule.Sizes{H: h, W: w}}
			if cost := f.time(); cost < least {
				least, best = cost, f.sizes
			}
		}
	}
	return best, nil
}

// frontWidths returns the widths to try in so many dimensions.
func frontWidths(dims int) [][]int64 {
	lists := make([][]int64, dims)
	for p := range lists {
		lists[p] = []int64{4, 8, 16, 32}
		if p == dims-1 {
			lists[p] = []int64{16, 32, 64, 128, 256}
		}
	}
	return product(lists)
}

// A frontTile is a tile that is weighed.
type frontTile struct {
	c      *schedule.Canonical
	cone   schedule.Cone
	device machine.Device
	grid   Grid
	sizes  schedule.Sizes
}

// time returns the time of the whole grid, in cycles; infinite for blocks that the device does not have.
func (f frontTile) time() float64 {
	height := float64(2*f.sizes.H + 2)
	threads, waves, weight, tiles, fronts := height/float64(f.c.K), height, 1.0, 1.0, 0.0
	last := len(f.sizes.W) - 1
	for p, w := range f.sizes.W {
		if waves += float64(w) - 1; p != last {
			threads *= float64(w)
		}
		lean := math.Ceil(slope(f.cone.Lo[p]))
		weight += math.Ceil(lean * height / float64(w))
		n := math.Ceil((float64(f.grid.Space[p].Hi-f.grid.Space[p].Lo+1) + lean*height) / float64(w))
		tiles, fronts = tiles*n, fronts+n
	}
	s, err := schedule.FrontTiles(f.c, f.cone, f.sizes)
	if err != nil || threads > float64(f.device.ThreadsPerBlock) {
		return math.Inf(1)
	}
	bytes, elements, left := lower.FrontRoom(s, f.device)
	blocks := float64(f.device.Occupancy(int(threads), frontRegisters, bytes).Blocks)
	if blocks == 0 {
		return math.Inf(1)
	}
	times := math.Ceil(float64(f.grid.Steps*int64(f.c.K)) / height)
	fronts += weight * times
	perFront := tiles * times / fronts / float64(f.device.SMs) // tiles of a multiprocessor
	together := math.Min(blocks, math.Max(1, perFront))
	return fronts * (launchCycles + math.Max(1, perFront/blocks)*f.tile(threads, waves, together, float64(elements), left))
}

// tile returns how long a tile takes beside so many on its multiprocessor.
func (f frontTile) tile(threads, waves, together, elements float64, left int) float64 {
	warps := together * math.Ceil(threads/float64(f.device.Warp)) / float64(f.device.Partitions)
	wave := 0.0
	for _, st := range f.c.Scop.Stmts {
		operations := float64(st.Operations())
		issue := warps * (waveInstructions + operations + 2*float64(len(st.Accesses)))
		wave += math.Max(waveLatency+operations*operationLatency, issue)
	}
	for range left {
		wave *= globalWave
	}
	copies := fetchLatency + elements/threads*fetchInstruction*warps
	return waves*wave + copies
}
