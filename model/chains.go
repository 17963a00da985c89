package model

import (
	"errors"
	"math"

	"github.com/hexcc/hexcc/gpu"
	"github.com/hexcc/hexcc/gpu/lower"
	"github.com/hexcc/hexcc/machine"
	"github.com/hexcc/hexcc/schedule"
)

// This file weighs tiles of a GPU that start when those that they need have ended: one launch, in which blocks take chains of tiles in the
// order of phases. Several phases run at once, each some tiles behind the one before along their chains, so that all blocks that a device holds
// have work where a phase alone has not enough chains for them.

// What a block waits for at a turn of a chain, in clocks: of the order that published microbenchmarks find of trips to the second cache.
const (
	flagLatency  = 300 // to look at a flag there
	fenceLatency = 600 // until what all threads of a block have stored is where others find it, and its flag is set
)

// readyGain is by what share a point must take less for blocks to wait for each other, where the choice is ours: how long they wait has not been
// timed on a device.
const readyGain = 1. / 8

// errNoChains says that tiles cannot wait for each other.
var errNoChains = errors.New("model: no order of chains")

// Waits are what chains of a grid wait for.
type waits struct {
	flow
	turn    float64 // tiles of a chain at one place, between two waits, as if none were cut
	tiles   float64 // of these, as many as there are
	sources float64 // chains that one waits for
}

// chains returns how the tiles of s wait for each other, nil if they cannot.
func (s *search) chains(tiles *schedule.Schedule) *schedule.Chains {
	c, ok := schedule.FindChains(tiles, s.cone, lower.Axes(tiles), s.counter.Boxes(tiles)...)
	if !ok || c.Along {
		return nil
	}
	return &c
}

// wait lets tiles wait for each other, where that is what the search is for and they can.
func (s *search) wait(tiles *schedule.Schedule) {
	if s.ready {
		tiles.Waits = s.chains(tiles)
	}
}

// likely returns, at little cost, about what chains finds for tiles of those sizes.
func (s *search) likely(sizes schedule.Sizes) *schedule.Chains {
	c := &schedule.Chains{Blocks: 1}
	for c.Blocks < min(len(sizes.W), gpu.MaxAxes) && s.still(c.Blocks) {
		c.Blocks++
	}
	lo, hi := make([]int64, c.Blocks), make([]int64, c.Blocks)
	hi[0] = 1
	w := schedule.Wait{Lo: lo, Hi: hi}
	if p := c.Blocks; p < len(sizes.W) {
		w.Lag = int64(math.Ceil(slope(s.cone.Lo[p]) * float64(sizes.H+1) / float64(sizes.W[p])))
	}
	for phase := range 2 {
		w.From, w.Time = 1-phase, int64(1-phase)
		c.Steps = append(c.Steps, w)
	}
	return c
}

// waitsOf returns what the chains of s wait for on a grid that falls into launches as t says, nil if they do not.
func (t tiling) waitsOf(s *schedule.Schedule, g Grid) *waits {
	c, phases := s.Waits, float64(t.count())
	if c == nil || phases == 0 {
		return nil
	}
	w := &waits{flow: flow{Along: 1, Phases: phases}}
	for _, step := range c.Steps {
		sources := 1.0
		for i := range step.Lo {
			sources *= float64(step.Hi[i] - step.Lo[i] + 1)
		}
		w.sources += sources / float64(len(c.Steps))
		w.Hop += float64(1+step.Lag) / float64(len(c.Steps))
	}
	sequence := 0.0
	for _, x := range t.launches {
		share := float64(x.times) / phases
		w.Places += share * float64(x.blocks)
		sequence += share * float64(x.sequence)
	}
	middle, full := (g.Steps*int64(s.Canonical.K)-1)/s.Height/2, t.full
	for i, p := range s.Phases[0].Nest() {
		have, uncut := positions(s.Phases[0].Space[p], middle, g.Space[p])
		switch {
		case i < c.Blocks: // of chains that are not at the border, more tiles are full
			full *= float64(max(1, have)) / float64(max(1, uncut))
		case i == c.Blocks:
			w.Along = float64(max(1, have))
		}
	}
	w.tiles = max(1, sequence/w.Along)
	each := 1 + (partialCost-1)*(1-min(1, full))
	w.turn, w.Cut, w.Hop = w.tiles*each, partialCost/each, min(w.Hop, w.Along)
	return w
}

// clocks returns how long a block waits for a tile, on average.
func (w waits) clocks() float64 {
	return (2*barrierLatency + fenceLatency + w.sources*flagLatency) / w.tiles
}

// A flow is the chains of a run, and how they follow each other. A unit of time is what a chain takes at one place, unless it is at the border.
type flow struct {
	Places float64 // chains of a phase
	Along  float64 // places of a chain
	Phases float64
	Hop    float64 // how much later than a chain the one of the next phase can start that waits for it
	Cut    float64 // how long the first and the last chain of a phase take at a place, whose tiles are all cut
}

// held returns for how long the chains of a phase have blocks, where phases start a period one after the other. A chain at the border takes longer
// than others, those next to it of the next phase wait for it, and so do those next to these of the phase after that: each has its block for
// as long as the chain at the border that it follows, but for what it started later.
func (f flow) held(period float64) float64 {
	longer := (f.Cut - 1) * f.Along
	near := min(math.Floor(longer/period)+1, f.Places/2) // chains that wait, at each of both borders
	return f.Places*f.Along + 2*near*(longer-period*(near-1)/2)
}

// period returns the time from the start of a phase to that of the next, if there are so many blocks: until they have run the chains of a phase,
// or until chains of the next can start, all along the border.
func (f flow) period(blocks float64) float64 {
	lo := f.Cut * f.Hop
	if blocks*lo >= f.held(lo) {
		return lo
	}
	hi := f.held(lo) / blocks // which falls as the period grows
	for range 50 {
		if mid := (lo + hi) / 2; blocks*mid >= f.held(mid) {
			hi = mid
		} else {
			lo = mid
		}
	}
	return hi
}

// run returns the time of the run with so many blocks, and how many of them run tiles at the same time, on average. Phases start one after the other, and
// end so; where a phase has more chains than there are blocks, these take them in rounds, the last of which may leave some without.
func (f flow) run(blocks float64) (time, busy float64) {
	blocks = min(blocks, f.Phases*f.Places)
	ends := max(min(blocks/f.Places, f.Along/f.Hop)-1, 0) * f.Cut * f.Hop // until all run
	if blocks > 1 {
		ends = max(ends, (f.Cut-1)*f.Along) // until the last chain has ended, which is at the border
	}
	time = max(f.Phases*f.period(blocks)+ends, f.Along*math.Ceil(f.Phases*f.Places/blocks))
	border := min(2, f.Places)
	work := f.Phases * f.Along * (f.Places - border + border*f.Cut)
	return time, min(work/time, blocks)
}

// whenReady returns what a run takes whose tiles ask l and wait as t says, where the device has room for so many blocks.
func (t tiling) whenReady(c Cost, l load, slots int64, g Grid, d machine.Device) Cost {
	w := t.waits
	time, busy := w.run(float64(slots))
	c.Launches, c.Waves = 1, w.Places/float64(slots)
	c.AtOnce, c.Idle, c.Pause = busy, 1-busy/float64(slots), w.clocks()
	c.Tile = l.clocks(busy/float64(d.SMs), busy, d)
	c.Rounds = time * w.turn
	c.Seconds = c.With(c.Tile, d)
	c.Overhead = LaunchSeconds / c.Seconds
	c.PerPoint = c.Seconds / float64(max(1, g.Points))
	return c
}

// Resident returns what x takes on d if a multiprocessor holds so many blocks, and a tile of each of those that are at work takes so many clocks as
// tile says for that many of them.
func (x Candidate) Resident(blocks int, tile func(here int64) float64, d machine.Device) Cost {
	c, slots := x.Cost, int64(max(1, blocks)*d.SMs)
	if w := x.tiling.waits; w != nil {
		c = x.tiling.whenReady(c, x.load, slots, Grid{}, d)
		here := c.AtOnce / float64(d.SMs)
		less := int64(here)
		more := less + 1
		rate := (here - float64(less)) * float64(more) / tile(more) // tiles a clock of a multiprocessor
		if less > 0 {
			rate += (float64(more) - here) * float64(less) / tile(less)
		}
		c.Tile = here / rate
		c.Seconds = c.With(c.Tile, d)
		return c
	}
	here := func(blocks int64) int64 { return ceilDiv(blocks, int64(d.SMs)) }
	c.Tile = tile(here(min(slots, c.Blocks)))
	launch := float64(c.Blocks/slots) * c.Tile
	if rest := c.Blocks % slots; rest > 0 {
		launch += tile(here(rest))
	}
	c.Seconds = c.With(launch, d)
	return c
}

// A Launcher chooses tile sizes for kernels that are launched phase by phase, for one that runs all chains, or for whichever takes less.
type Launcher struct {
	Phases, Ready bool // which of them may be chosen, one at least
}

// Choose returns the tile sizes that are best for the launches that l allows, as the function Choose does for phases; tiles that cannot wait for
// each other are launched in phases.
func (l Launcher) Choose(m *Memo, c *schedule.Canonical, cone schedule.Cone, d machine.Device, typical Typical, asked Asked) (*Choice, error) {
	t := tally{}
	return l.of(func(ready bool) (*Choice, error) {
		return remember(m, func() (*Choice, error) { return choose(c, cone, d, typical, asked, ready, t) }, "choose", c, cone, d, typical, asked, ready)
	})
}

// Assess returns what the given legal sizes cost with the better of the launches that l allows.
func (l Launcher) Assess(c *schedule.Canonical, cone schedule.Cone, d machine.Device, typical Typical, sizes schedule.Sizes, asked Asked) (*Choice, error) {
	return l.of(func(ready bool) (*Choice, error) { return assess(c, cone, d, typical, sizes, asked, ready) })
}

// of returns the better of the choices for launches in phases and for chains, and what the other one would take.
func (l Launcher) of(choose func(ready bool) (*Choice, error)) (*Choice, error) {
	if l.Ready {
		ready, err := choose(true)
		if err == nil && !l.Phases {
			return ready, nil
		}
		phases, no := choose(false)
		switch {
		case no != nil:
			return phases, no
		case err != nil && !errors.Is(err, errNoChains) && !l.Phases:
			return nil, err
		case err != nil:
			return phases, nil
		case phases.Loses(ready):
			return ready.beside(phases), nil
		}
		return phases.beside(ready), nil
	}
	return choose(false)
}

// Loses reports whether the tiles of c take more in phases than those of o that wait for each other, by more than what is not known of waiting.
func (c *Choice) Loses(o *Choice) bool {
	return c.Grid.Points > 0 && c.Best[0].Cost.PerPoint > (1+readyGain)*o.Best[0].Cost.PerPoint
}

// beside returns c beside o, which has the other order.
func (c *Choice) beside(o *Choice) *Choice {
	out := *c
	out.Other = o.expected()
	return &out
}
