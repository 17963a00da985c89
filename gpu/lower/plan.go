package lower

import "github.com/hexcc/hexcc/astgen"

// This file has what is decided of the tiles of a launch before there are nodes. Each value holds
// the one before it: what a decision may depend on is what has been decided then.

// A launch is the steps of its tiles, and the loops that a block runs through them.
type launch struct {
	*program
	number     int
	all        []astgen.Slice // of any tile
	full       []astgen.Slice // of a full tile
	neighbours                // of a full tile in the loop over the tiles of a block
}

// neighbours say when the tile before or after a full tile in its block is full.
type neighbours struct {
	lastKnown bool        // last is; or there is no loop over tiles, so that nothing depends on it
	after     astgen.Cond // where the tile before runs and is full
	last      astgen.Cond // where the tile after does not run or is not full
}

// A block is a launch with the threads of its blocks.
type block struct {
	launch
	threads [3]int
	rows    int64 // consecutive points along y that a thread runs in straight code; 1: points are block-cyclic
}

// A code says of a block whether full tiles are straight code, and how much of it is spelled out.
type code struct {
	block
	unroll  bool    // full tiles are straight code,
	factors []int64 // in which loops remain, by space dimension: how many points a body has; nil: none do
	limited string  // why they do, if that was not asked for
	early   int64   // how many positions before its first use a plane is loaded, where tiles stream
}

// A plan is a code with arrays staged: all that is decided before there are nodes.
type plan struct {
	code
	staged  []*staged
	remarks []string
}

// plan returns what is decided of a launch.
func (l launch) plan() plan { return stage(unroll(blockOf(l))) }

// launch returns the steps of a launch of which nothing else is known.
func (m *program) launch(phase int) launch {
	l := launch{program: m, number: phase, neighbours: neighbours{lastKnown: true}}
	l.all = astgen.Slices(m.schedule, m.names, phase)
	if l.full = astgen.FullSlices(l.all, m.names); m.schedule.Canonical.Ways != nil { // no tile runs the code of full ones: any tells what tiles do
		l.full = l.all
	}
	return l
}

// all remarks on what was decided.
func (p *plan) told() []string {
	if p.limited == "" {
		return p.remarks
	}
	return append(p.remarks[:len(p.remarks):len(p.remarks)], p.limited)
}
