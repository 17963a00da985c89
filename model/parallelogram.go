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

// Parallelograms returns parallelograms that take the least time by this, on a grid of typical sizes, the best first. The
// error, a diag.List, says what is wrong with those.
func (k Caches) Parallelograms(c *schedule.Canonical, cone schedule.Cone, typical Typical) ([]Weighed, error) {
	t, err := k.slantedTile(c, cone, typical)
	if err != nil {
		return nil, err
	}
	var all []Weighed
	hs := schedule.LegalH(c.K)
	factor := widthFactor(len(c.Space), len(hs))
	for _, h := range hs {
		for _, w := range parallelogramWidths(len(c.Space), factor) {
			t.resize(schedule.Sizes{H: h, W: w})
			all = append(all, Weighed{t.sizes, t.parallelogram()})
		}
	}
	return least(all), nil
}

// slantedTile returns a parallelogram without sizes yet.
func (k Caches) slantedTile(c *schedule.Canonical, cone schedule.Cone, typical Typical) (cacheTile, error) {
	t, err := k.tile(c, cone, typical)
	t.slanted = true
	return t, err
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

// parallelogram returns the weight of a parallelogram: what a point takes as many times as cores wait for each other, and its part of what its tile waits.
func (t cacheTile) parallelogram() Weight {
	_, cost := t.parallelogramParts()
	w := Weight{PerPoint: cost * t.together(), Tiles: int64(t.inLine()), Ready: true}
	if t.c.Ordered {
		return w
	}
	points := t.across()
	for p := 1; p < len(t.sizes.W); p++ {
		points *= t.width(p)
	}
	if w.moved = t.moved(points); t.cpu.Cores > 1 {
		w.PerPoint += waitWork / points
	}
	return w
}

// parallelogramParts returns what the time of a point goes into, and that time. Where points of a step are in order, rows run in groups, and all that a tile touches
// is in use at a time; else a tile runs as hexagons do.
func (t cacheTile) parallelogramParts() (p parts, cost float64) {
	if !t.c.Ordered {
		return t.parts()
	}
	height := float64(2*t.sizes.H + 2)
	fresh, touched, points := t.bytes, t.bytes, height
	for p, w := range t.sizes.W {
		lean, width := slope(t.cone.Lo[p])*height, t.whole(p)/math.Ceil(t.whole(p)/float64(w))
		touched *= min(float64(w)+lean, t.whole(p))
		points *= width
		if p == 0 {
			fresh *= min(float64(w)+lean, t.whole(p))
		} else {
			fresh *= width
		}
	}
	last := len(t.sizes.W) - 1
	p.work, p.rows = pointWork*t.latency(), rowEnds/(t.whole(last)/math.Ceil(t.whole(last)/float64(t.sizes.W[last])))
	p.bytes = t.cpu.all(t.c, t.grid)*2*fresh/points + t.missed(touched)
	return p, p.work + p.rows + p.bytes
}

// fromChain returns what a byte costs that a tile leans over in the first dimension. The chain before it touched it, and runs at the same time on another core, a little ahead, so that it
// is in the last level; but of as many chains as there are cores one follows a chain that has ended.
func (t cacheTile) fromChain(extents []float64) float64 {
	cores := float64(t.cpu.Cores)
	return ((cores-1)*lastByte + max(lastByte, t.from(t.since(extents, 0)))) / cores
}

// line returns how many chains a time tile has, how many tiles each of them, and how many time tiles there are.
func (t cacheTile) line() (chains, length, times float64) {
	times = math.Ceil(float64(t.grid.Steps*int64(t.c.K)) / float64(2*t.sizes.H+2))
	chains, length = math.Ceil(t.whole(0)/float64(t.sizes.W[0])), 1.0
	if len(t.sizes.W) > 1 {
		length = math.Ceil(t.whole(1) / float64(t.sizes.W[1]))
	} else { // chains of one tile: those of several time tiles run at once
		length = times
	}
	return chains, length, max(1, times)
}

// inLine returns how many chains run at once if there are cores for all: each behind the one before, which has to have ended a tile before the next one begins it. Were there as many as
// a chain has tiles, each would wait for the slowest at each tile; so one tile is left free.
func (t cacheTile) inLine() float64 {
	chains, length, _ := t.line()
	return max(1, min(chains, length-1))
}

// together returns how many times longer a run takes than if cores never waited for each other: at its start, and at its end, one core after the other has work, a tile of each chain
// later; and half of the cores wait for the last chain. Where points are in order, tiles are seldom as many, and what was found for them is that cores wait so in each time tile.
func (t cacheTile) together() float64 {
	chains, length, times := t.line()
	cores := float64(t.cpu.Cores)
	if t.c.Ordered || len(t.sizes.W) == 1 {
		return 1 + (cores-1)/min(chains, length)
	}
	return max(1, cores/t.inLine()) + min(cores-1, (cores/2+cores*(cores-1)/length)/(chains*times))
}
