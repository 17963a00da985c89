package model

import (
	"math"

	"github.com/hexcc/hexcc/gpu/lower"
	"github.com/hexcc/hexcc/machine"
)

// This file is the time model, which docs/tiles.md describes and works out for
// an example. Nothing of it is measured: it ranks tile sizes, and says why.

// What is assumed of all devices, in clocks but for LaunchSeconds: of the order
// that published microbenchmarks find from Volta to Hopper.
const (
	globalLatency  = 600  // from a load of global memory to its value
	sharedLatency  = 30   // from a load of shared memory to its value, and of the operations on it
	barrierLatency = 40   // until all threads of a block go on
	inFlight       = 4    // loads of a thread on their way at once while it copies in a loop
	busyRegisters  = 40   // registers of a thread that cannot hold them in straight code
	portBytes      = 64   // a clock, between one multiprocessor and the memory behind it
	LaunchSeconds  = 3e-6 // from the end of a kernel to the start of the next
	perPoint       = 4    // instructions for the loops around a point, 0 in straight code; addresses differ by constants
	perPlanePoint  = 17   // the same where tiles stream, and what a plane costs whatever its points: of the replay (docs/choice.md)
	partialCost    = 3    // times that of a full tile, for tests at each point
	loneIssue      = 2.6  // clocks for an instruction of a warp that has a scheduler for itself
	beside         = 1.1  // instructions for each that computes, loads or stores: addresses, moves, branches
	overlap        = 4    // the norm by which times add up that overlap: 1 would be their sum, much more the longest
)

// A Cost is what the run takes by the model, and where the time goes. Clocks are
// of a multiprocessor, for one full tile.
type Cost struct {
	Global float64 `json:"global"` // to move its bytes, at a fair share of the bandwidth of global memory
	Shared float64 `json:"shared"` // for its accesses to shared memory
	Issue  float64 `json:"issue"`  // for its instructions
	Wait   float64 `json:"wait"`   // for latencies and barriers, which other blocks may hide
	Tile   float64 `json:"tile"`   // for one tile of each block that runs at once

	// AtOnce is how many blocks run tiles at the same time, and Rounds how many tiles each of them runs one after the other in the whole run,
	// as if none were cut, where tiles start when those that they need have ended; 0: they do not.
	AtOnce float64 `json:"atOnce"`
	Rounds float64 `json:"rounds"`
	Pause  float64 `json:"pause"` // clocks that a block waits for others at a tile, on average, for flags and barriers alone

	Launches int64   `json:"launches"`
	Blocks   int64   `json:"blocks"`   // of a launch
	Sequence int64   `json:"sequence"` // tiles of a block, one after the other
	Waves    float64 `json:"waves"`    // blocks of a launch for each that runs at once
	Idle     float64 `json:"idle"`     // share of the multiprocessors' time that has no block
	Partial  float64 `json:"partial"`  // share of tiles that a bound cuts
	Overhead float64 `json:"overhead"` // share of the time between kernels

	Seconds  float64 `json:"seconds"`  // of the whole run
	PerPoint float64 `json:"perPoint"` // seconds by point; 0 where there are none
}

// A load is what one full tile asks of a multiprocessor, in clocks.
type load struct {
	global float64 // of its fair share of the bandwidth of global memory
	port   float64 // of its own connection
	shared float64
	issue  float64 // all warps of a block, one instruction of each scheduler a clock
	alone  float64 // the same, where no other block is there
	wait   float64
	first  float64 // share of the work of the steps that waits for the loads of the first points of each
}

// loadOf returns what c asks of d, for a program that computes with doubles or not.
func loadOf(c lower.Counts, d machine.Device, double bool) load {
	warps := float64(ceilDiv(int64(c.Threads), int64(d.Warp)))
	copies := c.Loads + c.Stores // beside what they do with shared memory
	if d.AsyncCopies {
		copies = c.Stores // one instruction loads, and stores to shared memory
	}
	spills := 2 * float64(c.Spilled) * float64(c.Steps)             // of a thread: each step stores, and loads
	each, units, issue := 1.0*callWork, 1.0*callWork, 1.0*callIssue // what quotients and functions take beside what Operations counts, as in streams
	if double {
		each, units, issue = callWork2, 0, callIssue2 // units for double precision run scop.CallCost of a quotient alone: what is beside moves, compares and branches
	}
	work := float64(c.Busy) + float64(c.BusyCalls)*units
	evaluated := float64(c.Turns) * float64(c.Calls) / float64(max(1, c.Points)) // by a thread with the most points
	perWarp := beside * (spills + instructions(c) + evaluated*each + float64(copies)/float64(c.Threads))
	through := 1 + float64(c.Loads+c.Stores+c.Global)/float64(max(1, c.Shared)) // what takes the way to shared memory to global memory
	lanes := d.FP32
	if double && d.FP64 > 0 {
		lanes = d.FP64
	}
	share := float64(d.GBs) * 1e9 / d.Hertz() / float64(d.SMs) // bytes a clock
	l := load{
		global: float64(c.Bytes) / share,
		port:   float64(c.Bytes) / portBytes,
		shared: (float64(c.SharedMoved)*through + spills*4*float64(c.Threads)) / float64(d.SharedPerClock), // a cache of local memory lies where shared memory does
		issue:  max(perWarp*warps/float64(d.Partitions), work/float64(lanes)),
		alone:  max(perWarp*max(loneIssue, warps/float64(d.Partitions)), work/float64(lanes)),
		wait:   float64(trips(c, d, double))*globalLatency + float64(c.Steps)*sharedLatency + float64(c.Barriers)*barrierLatency + evaluated*max(0, issue-each*loneIssue),
		first:  float64(c.Steps) / float64(max(1, c.Turns)),
	}
	if c.GlobalLoads > 0 && c.Shared == 0 {
		l.wait += float64(max(0, c.Waits-c.Turns)) * sharedLatency // what a point reads between two quotients its first cache has, from rows that neighbours read
	}
	if c.Positions > 0 {
		l.first, l.wait = float64(c.Positions)*l.first, planesWait(c, d, l.alone)
	}
	return l
}

// planesWait returns the clocks that a block of a tile that streams waits, if it computes for so many: at each position for its barriers and for the first values of each step, and for the
// plane that is loaded, or what is left to wait of it where it is loaded while the position before is computed.
func planesWait(c lower.Counts, d machine.Device, computes float64) float64 {
	positions := float64(c.Positions)
	wait := positions*float64(c.Steps)*sharedLatency + float64(c.Barriers)*barrierLatency
	atOnce := float64(ceilDiv(c.Loads, c.Positions*int64(c.Threads)*inFlight)) * globalLatency
	if d.AsyncCopies {
		atOnce = globalLatency
	}
	if c.Ahead && d.AsyncCopies {
		atOnce = max(0, atOnce-(wait+computes)/positions)
	}
	if c.GlobalLoads > 0 {
		atOnce += float64(c.Steps) * globalLatency
	}
	return wait + positions*atOnce + globalLatency
}

// trips returns how often a thread waits for global memory in a tile.
func trips(c lower.Counts, d machine.Device, double bool) int64 {
	flight := int64(inFlight)
	switch {
	case d.AsyncCopies: // all are on their way at once: none needs a register
		flight = max(1, c.Loads)
	case c.Straight:
		flight = max(flight, int64(c.Registers-busyRegisters))
		if double {
			flight = max(inFlight, flight/2)
		}
	}
	n := ceilDiv(c.Loads, int64(c.Threads)*flight)
	switch {
	case c.GlobalLoads > 0 && c.Shared == 0 && c.Waits > 0 && double: // plain loops: no load of a point of a column is moved over the quotient of the one before
		n += max(c.Turns, int64(c.Steps))
	case c.GlobalLoads > 0:
		n += int64(c.Steps)
	}
	return n
}

// instructions returns about how many a thread with the most points runs in a tile.
func instructions(c lower.Counts) float64 {
	perInstance := float64(c.Shared+c.Global+c.Operations) / float64(max(1, c.Points))
	switch {
	case c.Positions > 0:
		perInstance += perPlanePoint
	case !c.Straight:
		perInstance += perPoint
	}
	return float64(c.Turns) * perInstance
}

// clocks returns how long a multiprocessor that runs n blocks takes for
// a tile of each, where all blocks run on the device: about as long as the busiest
// unit, or as a block alone, which copies, then computes, and waits: with few warps no scheduler has
// something to issue at each clock. At the start of a step it has nothing to compute until values are loaded.
func (l load) clocks(n, all float64, d machine.Device) float64 {
	alone := l.port + max(l.shared, l.alone) + l.first*min(l.shared, l.alone) + l.wait
	sum := 0.0
	for _, x := range []float64{alone, n * l.port, n * l.shared, n * l.issue, l.global * all / float64(d.SMs)} {
		sum += math.Pow(x, overlap)
	}
	return math.Pow(sum, 1.0/overlap)
}

// costOf returns what a run takes whose tiles ask l, so many blocks on a
// multiprocessor; one where a tile is not to be had at all.
func costOf(l load, blocksPerSM int, t tiling, g Grid, d machine.Device) Cost {
	most := t.most()
	c := Cost{
		Global: l.global, Shared: l.shared, Issue: l.issue, Wait: l.wait,
		Launches: t.count(), Blocks: most.blocks, Sequence: most.sequence, Partial: 1 - t.full,
	}
	if len(t.launches) == 0 {
		return c
	}
	slots := int64(max(1, blocksPerSM) * d.SMs)
	if t.waits != nil {
		return t.whenReady(c, l, slots, g, d)
	}
	c.Waves = float64(most.blocks) / float64(slots)
	var kernels, idle float64 // seconds
	for _, x := range t.launches {
		clocks, wave, unused := l.launch(x.blocks, slots, d)
		if x.blocks == most.blocks {
			c.Tile = wave
		}
		kernel := float64(x.times) * clocks * float64(x.sequence) * (1 + (partialCost-1)*c.Partial) / d.Hertz()
		kernels += kernel
		idle += kernel * unused
	}
	c.Idle = idle / kernels
	gaps := float64(c.Launches) * LaunchSeconds
	c.Seconds = kernels + gaps
	c.Overhead = gaps / c.Seconds
	c.PerPoint = c.Seconds / float64(max(1, g.Points))
	return c
}

// With returns the seconds of the run if a launch took so many clocks for a tile of each of its blocks, or of those that run at once where
// tiles start when those that they need have ended.
func (c Cost) With(clocks float64, d machine.Device) float64 {
	if c.Rounds > 0 {
		return c.Rounds*clocks/d.Hertz() + LaunchSeconds
	}
	return float64(c.Launches)*clocks*float64(c.Sequence)*(1+(partialCost-1)*c.Partial)/d.Hertz() + float64(c.Launches)*LaunchSeconds
}

// launch returns the clocks for a tile of each of so many blocks, of which so many
// run at once, those for the first wave of them, and the share of the
// multiprocessors' time that has no block.
func (l load) launch(blocks, slots int64, d machine.Device) (clocks, wave, idle float64) {
	whole, rest := blocks/slots, blocks%slots
	wave = l.clocks(float64(slots/int64(d.SMs)), float64(slots), d)
	clocks = float64(whole) * wave
	if rest > 0 {
		here := ceilDiv(rest, int64(d.SMs))
		last := l.clocks(float64(here), float64(rest), d)
		clocks += last
		idle = last / clocks * (1 - float64(rest)/float64(here*int64(d.SMs)))
		if whole == 0 {
			wave = last
		}
	}
	return clocks, wave, idle
}
