package model

import (
	"math"

	"github.com/hexcc/hexcc/cpu"
	"github.com/hexcc/hexcc/schedule"
)

// This file chooses parallelograms for a CPU, whose chains wait for each other (schedule/wavefront.go). What a chain has in use at a time
// is one tile and what it leans over, which the second level should hold; the next tile along the chain touches new columns of it
// only. The first tiles of a grid run one after the other, and so do its last: there should be as many chains at a time as cores
// take, and chains long enough that the next one starts soon.

// Parallelograms returns the sizes of parallelograms that take the least time by this, on a grid of typical sizes. The
// error, a diag.List, says what is wrong with those.
func (k Caches) Parallelograms(c *schedule.Canonical, cone schedule.Cone, typical Typical) (best schedule.Sizes, err error) {
	grid, err := NewGrid(c, typical)
	if err != nil {
		return best, err
	}
	least, hs := math.Inf(1), schedule.LegalH(c.K)
	factor := widthFactor(len(c.Space), len(hs))
	for _, h := range hs {
		for _, w := range parallelogramWidths(len(c.Space), factor) {
			t := cacheTile{cpu: k, c: c, cone: cone, grid: grid, bytes: float64(bytesAt(c)), sizes: schedule.Sizes{H: h, W: w}}
			if cost := t.parallelogram(); cost < least {
				least, best = cost, t.sizes
			}
		}
	}
	return best, nil
}

// parallelogramWidths returns the widths to try in so many dimensions.
func parallelogramWidths(dims int, factor int64) [][]int64 {
	var lists [][]int64
	for d := range dims {
		ws := classicalWidths(dims, d, factor)
		if d == 0 && dims > 1 {
			ws = classicalWidths(3, 1, 2)
		}
		lists = append(lists, ws)
	}
	return product(lists)
}

// rowEnds is a row of a group: its bounds, and its first and last points, which run with tests.
const rowEnds = 150

// waiting is how much longer a point takes that waits for the one before it in its row, where no other rows run meanwhile.
const waiting = 4

// latency returns by how much points take longer on average as they wait for those before them: where points of a step are in
// order, rows that do not run in a group.
func (t cacheTile) latency() float64 {
	dims := len(t.sizes.W)
	switch {
	case !t.c.Ordered:
		return 1
	case dims < 2:
		return waiting
	}
	rows := min(float64(t.sizes.W[dims-2]), t.whole(dims-2))
	alone := math.Mod(rows, cpu.Behind) / rows
	return 1 + (waiting-1)*alone
}

// parallelogram returns the time for a point of a parallelogram: its work, its part of the start of its row, of what the tile is the
// first of its chain to touch, and of what it leans over; all that as many times as cores wait for each other.
func (t cacheTile) parallelogram() float64 {
	height := float64(2*t.sizes.H + 2)
	fresh, touched, points := t.bytes, t.bytes, height
	for p, w := range t.sizes.W {
		lean := slope(t.cone.Lo[p]) * height
		touched *= min(float64(w)+lean, t.whole(p))
		points *= t.width(p)
		if p == 0 {
			fresh *= min(float64(w)+lean, t.whole(p))
		} else {
			fresh *= t.width(p)
		}
	}
	last := len(t.sizes.W) - 1
	cost := pointWork*t.latency() + rowEnds/t.width(last) + t.cpu.all(t.c, t.grid)*2*fresh/points
	cost += t.missed(touched)
	return cost * t.together()
}

// together returns how many times longer a run takes than if cores never waited for each other.
func (t cacheTile) together() float64 {
	height, last := float64(2*t.sizes.H+2), len(t.sizes.W)-1
	chains, length := math.Ceil(t.whole(0)/float64(t.sizes.W[0])), 1.0
	if last > 0 {
		length = math.Ceil(t.whole(1) / float64(t.sizes.W[1]))
	} else { // chains of one tile: those of several time tiles run at once
		length = math.Ceil(float64(t.grid.Steps*int64(t.c.K)) / height)
	}
	return 1 + float64(t.cpu.Cores-1)/min(chains, length)
}
