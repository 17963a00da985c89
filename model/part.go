package model

import "github.com/hexcc/hexcc/machine"

// A Part is what an Estimate has of one phase, for those who know more of its kernel than the model: how many blocks fit, and what they take.
type Part struct {
	Phase  int
	Memory float64 // bytes that a block moves between the chip and memory
	Port   float64 // and between its multiprocessor and what is behind it, where the cache there is counted on; else 0
	Cost   Cost    // by the model
	tiling tiling
}

// Resident returns the seconds of all launches of p if a multiprocessor of d holds so many blocks, and as many as it has take the clocks that block says.
// A launch is full waves, and one of what is left; blocks that bounds cut take more, as in the model.
func (p Part) Resident(blocks int, block func(here int64) float64, d machine.Device) (seconds float64) {
	slots := int64(max(1, blocks) * d.SMs)
	here := func(n int64) int64 { return ceilDiv(n, int64(d.SMs)) }
	cut := 1 + (partialCost-1)*p.Cost.Partial
	for _, x := range p.tiling.launches {
		clocks := 0.0
		if whole := x.blocks / slots; whole > 0 {
			clocks = float64(whole) * block(here(slots))
		}
		if rest := x.blocks % slots; rest > 0 {
			clocks += block(here(rest))
		}
		seconds += float64(x.times) * (clocks*float64(x.sequence)*cut/d.Hertz() + LaunchSeconds)
	}
	return seconds
}
