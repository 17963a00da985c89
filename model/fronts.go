package model

import (
	"math"

	"github.com/hexcc/hexcc/machine"
	"github.com/hexcc/hexcc/schedule"
)

// This file chooses parallelograms for a GPU, whose tiles run front by front and their points wave by wave (schedule/fronts.go). A wave has points of
// all steps and of all rows but along the last dimension: so many threads has a block. It takes the time of a barrier and of
// the chain of operations of a point, or what its instructions take to issue with those of other blocks; waves at both ends of a tile are not full. Fronts at both
// ends of the grid have few tiles, and each takes a launch.

// What waves take, in cycles.
const (
	waveLatency = 400.0 // loads, arithmetic, a store, a barrier
	pointIssue  = 60.0  // instructions of a point, by scheduler and warp
)

// frontThreads are blocks that are tried: of one warp to one that has all there are.
const frontThreads = 1024

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

// time returns the time of the whole grid, in cycles; infinite for blocks with more threads than there may be.
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
	if threads > float64(min(frontThreads, f.device.ThreadsPerBlock)) {
		return math.Inf(1)
	}
	times := math.Ceil(float64(f.grid.Steps*int64(f.c.K)) / height)
	fronts += weight * times
	warps := math.Ceil(threads / machine.WarpLanes)
	blocks := math.Max(1, math.Min(float64(f.device.ThreadsPerSM)/(warps*machine.WarpLanes), 16))
	perFront := tiles * times / fronts
	rounds := math.Max(1, perFront/(blocks*float64(f.device.SMs)))
	together := math.Min(blocks, math.Max(1, perFront/float64(f.device.SMs)))
	wave := math.Max(waveLatency, together*warps*pointIssue*float64(len(f.c.Scop.Stmts))/4)
	return fronts * (launchCycles + rounds*waves*wave)
}

// launchCycles is what a launch takes behind another one.
const launchCycles = 4000
