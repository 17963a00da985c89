package model

import (
	"math"

	"github.com/hexcc/hexcc/schedule"
)

// This file weighs tiles of a CPU that start when those that they need have ended. No barrier lies between phases, and no core waits
// for the last tile of one; a tile waits for its neighbours instead, and looks whether they have ended.

// waitWork is what a core takes to look how far neighbours are and to say how far a chain is, in the unit of pointWork: some
// hundred nanoseconds, as cache lines move from core to core.
const waitWork = 4_000

// atOnce returns how many chains run at once if there are cores for all: those of a phase, times how many phases follow each other along a
// chain, each so many tiles behind the one before as the waits say. Chains of one tile follow when the one before has ended.
func (t cacheTile) atOnce() float64 {
	inFlight := 1.0
	if len(t.sizes.W) > 1 {
		w := float64(t.sizes.W[1])
		lag := math.Ceil(slope(t.cone.Lo[1]) * float64(t.sizes.H+1) / w)
		inFlight = max(1, math.Ceil(t.whole(1)/w)/(1+lag))
	}
	return t.tiles() * min(inFlight, t.phases())
}

// phases returns how many phases there are.
func (t cacheTile) phases() float64 {
	return max(1, 2*float64(t.grid.Steps*int64(t.c.K))/float64(2*t.sizes.H+2))
}

// whenReady returns what the time of a point becomes where tiles start when they can, that takes so long by itself: longer where fewer chains run at once
// than there are cores, as half of them wait at the end of the run, and by what tiles of so many points wait and signal.
func (t cacheTile) whenReady(cost, points float64) float64 {
	cores := float64(t.cpu.Cores)
	if cores == 1 {
		return cost
	}
	idle := max(1, cores/t.atOnce()) + min(cores-1, cores/2/(t.phases()*t.tiles()))
	return cost*idle + waitWork/points
}

// Yields reports whether tiles that weigh w in phases are to start when they can in place of that, where they weigh ready: unless that is worse by more than what sizes about as good differ by. With one
// core, for which both weigh the same, nobody waits, and they stay.
func (w Weight) Yields(ready Weight) bool { return w.PerPoint != ready.PerPoint && !ready.Loses(w) }

// WhenReady returns the weights of tiles of the given sizes on a CPU, in phases and when each starts as soon as those that it needs have ended. The cone is
// one that Aligned made. The error, a diag.List, says what is wrong with typical sizes.
func (cpu Caches) WhenReady(c *schedule.Canonical, cone schedule.Cone, typical Typical, sizes schedule.Sizes) (phases, ready Weight, err error) {
	t, err := cpu.tile(c, cone, typical)
	if err != nil {
		return phases, ready, err
	}
	t.resize(sizes)
	phases, ready = t.weights()
	return phases, ready, nil
}
