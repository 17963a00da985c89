package emulate

import (
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
	arrayBytes  = 256 // arrays in global memory start at multiples of it
)

// A Traffic counts what warps did.
type Traffic struct {
	Points     int64 // statement instances
	Ops        int64 // operations that warps executed: copies, loads into registers, statements
	Idle       int64 // lanes in which they did nothing, those that a block lacks included
	Arithmetic int64 // what statements calculate, by warp, as scop.Stmt.Operations counts
	Tests      int64 // of conditions, guards and ends of loops, by warp
	Divergent  int64 // tests that some lanes of a warp pass and others do not
	Barriers   int64 // by block

	GlobalLoads, GlobalStores Global
	SharedLoads, SharedStores Shared
}

// A Global counts requests of warps to global memory.
type Global struct {
	Requests int64
	Elements int64
	Bytes    int64 // of all elements
	Sectors  int64 // of sectorBytes, touched
	Lines    int64 // of lineBytes, touched
	Least    int64 // sectors, if the elements of each request lay side by side from the start of a sector on
}

// Efficiency returns the part of the sectors' bytes that was asked for: 1 where
// each request takes whole sectors and no element twice, above where lanes share elements.
func (g Global) Efficiency() float64 {
	return float64(g.Bytes) / float64(max(1, g.Sectors*sectorBytes))
}

// Excess returns the sectors beyond the least possible.
func (g Global) Excess() int64 { return g.Sectors - g.Least }

func (g *Global) add(d Global) {
	g.Requests += d.Requests
	g.Elements += d.Elements
	g.Bytes += d.Bytes
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

// Instructions returns about how many instructions warps executed: one for each
// request, each calculation and each test. Addresses, and what statements test, are not in it.
func (t Traffic) Instructions() int64 {
	return t.Global().Requests + t.Shared().Requests + t.Arithmetic + t.Tests
}

func (t *Traffic) add(d Traffic) {
	t.Points += d.Points
	t.Ops += d.Ops
	t.Idle += d.Idle
	t.Arithmetic += d.Arithmetic
	t.Tests += d.Tests
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
	CopyIn      Work = iota // from global to shared memory, but for
	CopyInFirst             // what a full tile loads in other ways if it follows no full tile,
	CopyInAfter             // and what if it does: what is new
	Move                    // within shared memory
	Step                    // statements
	Store                   // from shared to global memory, at the end or as results are computed, but for
	StoreLast               // what a full tile stores only if no full tile follows it
	Other                   // barriers, loops over tiles, what kind of tile it is
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

// Add adds the traffic of d.
func (p *Profile) Add(d *Profile) {
	for k := range p {
		for w := range p[k] {
			p[k][w].add(d[k][w])
		}
	}
}

// workOf returns the part that a node of that kind belongs to.
func workOf(kind gpu.RoleKind) Work {
	switch kind {
	case gpu.CopyIn:
		return CopyIn
	case gpu.Move:
		return Move
	case gpu.TimeStep, gpu.WavePoints:
		return Step
	case gpu.CopyOut, gpu.Store, gpu.StoreEarlier, gpu.StoreLast:
		return Store
	}
	return Other
}

var workNames = [workCount]string{"copy in", "copy in, first", "copy in, after", "move", "steps", "store", "store, last", "other"}

// String returns the name of w.
func (w Work) String() string { return workNames[w] }

// A profiler is the part of a machine that knows where in a tile it is.
type profiler struct {
	profile *Profile // of the present launch; nil: nothing is counted
	tile    Tile
	copyIn  Work  // what copies in are: CopyIn, CopyInFirst or CopyInAfter
	last    bool  // stores are StoreLast
	each    int64 // warps of a block of the present launch
}

// traffic returns where to count what work w of the present tile does.
func (p *profiler) traffic(w Work) *Traffic {
	switch {
	case w == CopyIn:
		w = p.copyIn
	case w == Store && p.last:
		w = StoreLast
	}
	return &p.profile[p.tile][w]
}

// tested counts a test that all threads of a block make alike.
func (p *profiler) tested() { p.traffic(Other).Tests += p.each }

// within returns the sides of an If of that kind, so that they tell where they are.
func (p *profiler) within(kind gpu.RoleKind, then, other func()) (func(), func()) {
	switch kind {
	case gpu.FullTile:
		full := func() {
			p.tile = Full
			then()
			p.tile = Partial
		}
		return full, other
	case gpu.AfterFull:
		as := func(w Work, run func()) func() {
			return func() {
				p.copyIn = w
				run()
				p.copyIn = CopyIn
			}
		}
		return as(CopyInAfter, then), as(CopyInFirst, other)
	case gpu.LastFull:
		last := func() {
			p.last = true
			then()
			p.last = false
		}
		return last, other
	}
	return then, other
}
