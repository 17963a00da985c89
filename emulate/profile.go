package emulate

import (
	"strings"

	"github.com/hexcc/hexcc/gpu"
)

// This file says what Options.Profile counts: what a profiler of a GPU counts,
// by warp. A warp is warpLanes threads of a block in the order of their index, x
// fastest. It executes an operation for all of its lanes at once.
//
// Caches are not in it, nor what a compiler makes of the code: an operation that
// reads an element twice makes two requests.

// What the hardware counts in.
const (
	warpLanes   = 32
	sectorBytes = 32  // what global memory moves
	lineBytes   = 128 // what a cache looks up
	banks       = 32  // of shared memory, each bankBytes wide
	bankBytes   = 4
	arrayBytes  = 256 // arrays in global memory start at multiples of it
)

// A Traffic counts what warps did.
type Traffic struct {
	Points    int64 // statement instances
	Ops       int64 // operations that warps executed: copies, loads into registers, statements
	Idle      int64 // lanes in which they did nothing, those that a block lacks included
	Divergent int64 // tests of a guard or the end of a loop that some lanes of a warp pass and others do not
	Barriers  int64 // by block

	GlobalLoads, GlobalStores Global
	SharedLoads, SharedStores Shared
}

// A Global counts requests of warps to global memory.
type Global struct {
	Requests int64
	Elements int64
	Sectors  int64 // of sectorBytes, touched
	Lines    int64 // of lineBytes, touched
	Least    int64 // sectors, if the elements of each request lay side by side from the start of a sector on
}

// Excess returns the sectors beyond the least possible.
func (g Global) Excess() int64 { return g.Sectors - g.Least }

func (g *Global) add(d Global) {
	g.Requests += d.Requests
	g.Elements += d.Elements
	g.Sectors += d.Sectors
	g.Lines += d.Lines
	g.Least += d.Least
}

// A Shared counts requests of warps to shared memory.
type Shared struct {
	Requests   int64
	Elements   int64
	Wavefronts int64 // passes over the banks
	Least      int64 // wavefronts, if no two lanes wanted different words of a bank
}

// Conflicts returns the wavefronts beyond the least possible.
func (s Shared) Conflicts() int64 { return s.Wavefronts - s.Least }

func (s *Shared) add(d Shared) {
	s.Requests += d.Requests
	s.Elements += d.Elements
	s.Wavefronts += d.Wavefronts
	s.Least += d.Least
}

// Global returns the loads and stores of t together.
func (t Traffic) Global() Global {
	g := t.GlobalLoads
	g.add(t.GlobalStores)
	return g
}

// Shared returns the loads and stores of t together.
func (t Traffic) Shared() Shared {
	s := t.SharedLoads
	s.add(t.SharedStores)
	return s
}

func (t *Traffic) add(d Traffic) {
	t.Points += d.Points
	t.Ops += d.Ops
	t.Idle += d.Idle
	t.Divergent += d.Divergent
	t.Barriers += d.Barriers
	t.GlobalLoads.add(d.GlobalLoads)
	t.GlobalStores.add(d.GlobalStores)
	t.SharedLoads.add(d.SharedLoads)
	t.SharedStores.add(d.SharedStores)
}

// A Tile is a kind of tile.
type Tile uint8

// The kinds of tile. What runs outside of a test for full tiles is Partial.
const (
	Partial Tile = iota
	Full
	tileCount
)

// A Work is a part of a tile.
type Work uint8

// The parts of a tile.
const (
	CopyIn      Work = iota // from global to shared memory
	CopyInAfter             // the same, in a full tile after a full tile: what is new
	Move                    // within shared memory
	Step                    // statements
	Store                   // from shared to global memory, at the end or as results are computed
	Other                   // barriers
	workCount
)

// A Profile is the traffic of a launch, or of a whole run, by kind and part of tiles.
type Profile [tileCount][workCount]Traffic

// Tile returns the traffic of all parts of a kind of tile.
func (p *Profile) Tile(k Tile) (all Traffic) {
	for _, t := range p[k] {
		all.add(t)
	}
	return all
}

// Total returns all traffic.
func (p *Profile) Total() Traffic {
	all := p.Tile(Partial)
	all.add(p.Tile(Full))
	return all
}

func (p *Profile) add(d *Profile) {
	for k := range p {
		for w := range p[k] {
			p[k][w].add(d[k][w])
		}
	}
}

// works are the parts by how the notes of their nodes start.
var works = []struct {
	prefix string
	work   Work
}{{"copy in", CopyIn}, {"copy out", Store}, {"store", Store}, {"move", Move}, {"step", Step}}

// workOf returns the part that a node with that note belongs to.
func workOf(note string) Work {
	for _, w := range works {
		if strings.HasPrefix(note, w.prefix) {
			return w.work
		}
	}
	return Other
}

// A profiler is the part of a machine that knows where in a tile it is.
type profiler struct {
	profile *Profile // of the present launch; nil: nothing is counted
	tile    Tile
	after   bool // in what a full tile does after a full tile
}

// traffic returns where to count what work w of the present tile does.
func (p *profiler) traffic(w Work) *Traffic {
	if w == CopyIn && p.after {
		w = CopyInAfter
	}
	return &p.profile[p.tile][w]
}

// within returns the sides of a noted If, so that they tell where they are.
func (p *profiler) within(note string, then, other func()) (func(), func()) {
	switch note {
	case gpu.FullTile:
		full := func() {
			p.tile = Full
			then()
			p.tile = Partial
		}
		return full, other
	case gpu.AfterFull:
		after := func() {
			p.after = true
			then()
			p.after = false
		}
		return after, other
	}
	return then, other
}
