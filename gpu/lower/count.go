package lower

import (
	"fmt"
	"math"
	"slices"

	"github.com/hexcc/hexcc/astgen"
	"github.com/hexcc/hexcc/gpu"
	"github.com/hexcc/hexcc/gpu/pointset"
	"github.com/hexcc/hexcc/machine"
	"github.com/hexcc/hexcc/schedule"
	"github.com/hexcc/hexcc/scop"
)

// Counts are what a full tile of a phase does, exactly but for Registers.
type Counts struct {
	Points int64 `json:"points"` // instances
	Loads  int64 `json:"loads"`  // elements copied in, by a full tile that follows a full tile
	First  int64 `json:"first"`  // elements copied in by a full tile that does not
	Moves  int64 `json:"moves"`  // elements moved within shared memory, by a full tile that follows a full tile
	// Fresh are those of Loads that the tile before in the block has not held:
	// what would be loaded if tiles kept what they can use of each other.
	Fresh  int64 `json:"fresh"`
	Stores int64 `json:"stores"` // elements copied out, by a full tile that a full tile follows
	Last   int64 `json:"last"`   // elements copied out by a full tile that no full tile follows
	// Bytes are moved between global memory and the chip, by copies and by statements.
	Bytes       int64 `json:"bytes"`
	SharedBytes int64 `json:"sharedBytes"` // of all buffers, which have room for partial tiles
	Barriers    int   `json:"barriers"`    // the one before the next tile included
	Global      int64 `json:"global"`      // accesses of statements that go to global memory
	GlobalLoads int64 `json:"globalLoads"` // those of Global that read
	Shared      int64 `json:"shared"`      // accesses to shared memory, by copies and by statements
	// SharedStores are those of Shared that write.
	SharedStores int64 `json:"sharedStores"`
	SharedMoved  int64 `json:"sharedMoved"` // the bytes of Shared
	Steps        int   `json:"steps"`       // not empty
	Straight     bool  `json:"straight"`    // the tile is straight code
	// Tests are places in the code of a full tile that follows a full tile where
	// threads branch or go around; CoreTests are those of its steps.
	Tests      int   `json:"tests"`
	CoreTests  int   `json:"coreTests"`
	Threads    int   `json:"threads"`    // of a block
	Turns      int64 `json:"turns"`      // points that the busiest thread runs
	Operations int64 `json:"operations"` // of the statements, by Operations
	Calls      int64 `json:"-"`          // quotients and functions among them
	// Waits is how often the busiest thread waits for what its points read, those whose statements have Calls: by scop.Stmt.Waits.
	Waits int64 `json:"-"`
	// Busy and BusyCalls are Operations and Calls if all threads of a warp that has a point did them: the units for arithmetic are taken by whole warps.
	Busy      int64 `json:"-"`
	BusyCalls int64 `json:"-"`
	Registers int   `json:"registers"` // of a thread: an estimate, see registers and registersFor
	// Positions are those of a tile that streams, at each of which all steps run one plane and one more is loaded: 0 where tiles do not stream. Ahead: what is loaded
	// there is used from the next one on.
	Positions int64 `json:"positions"`
	Ahead     bool  `json:"ahead"`
	// Spilled is how many registers more a thread needs for values, by the same estimate, than its block leaves for it. Exact counts have only those that
	// are too few when as many values as can be are loaded again instead (spill.go), which Shared counts.
	Spilled int `json:"spilled"`
}

// A Counter counts for a program whatever the tile sizes. It takes the same
// decisions as Map, on the same footprints.
type Counter struct {
	device  machine.Device
	options Options
	layouts layouts
	reaches []reach
	dims    int // the most of an array
	asked   map[asked][]demand
	work    map[*scop.Stmt]int64 // Operations
	calls   map[*scop.Stmt]int64
	waits   map[*scop.Stmt]int64 // Waits of those with calls
	strips  map[*scop.Stmt][]strip
	ordered bool // no array stays in global memory because tiles wait for each other
	last    whole
}

// A whole is a phase as phaseOf has it, and the boxes around all that its tile uses of the arrays that have a layout.
type whole struct {
	schedule *schedule.Schedule
	*plan
	around []pointset.Box
}

// NewCounter returns a Counter for schedules of c.
func NewCounter(c *schedule.Canonical, d machine.Device, o Options) *Counter {
	k := &Counter{device: d, options: o, layouts: layoutsOf(c), asked: map[asked][]demand{}, work: map[*scop.Stmt]int64{}, calls: map[*scop.Stmt]int64{}, waits: map[*scop.Stmt]int64{}, strips: map[*scop.Stmt][]strip{}}
	for _, st := range c.Scop.Stmts {
		k.work[st], k.calls[st], k.strips[st] = int64(math.Round(st.OperationsAcross())), st.Calls(), stripsOf(c, st)
		if k.calls[st] > 0 {
			k.waits[st] = st.Waits()
		}
	}
	k.ordered = true
	for _, array := range k.layouts.all {
		if l, ok := k.layouts.of[array]; ok {
			k.ordered = k.ordered && k.layouts.unordered(array, c.Scop, len(c.Space)) == ""
			k.reaches = append(k.reaches, k.layouts.newReach(c.Scop, l))
			k.dims = max(k.dims, len(l.space))
		}
	}
	return k
}

// Ordered reports whether counts of tiles that wait for each other are those of the same tiles in phases.
func (k *Counter) Ordered() bool { return k.ordered }

// Halves reports whether full tiles have code of its own for each half of a folded dimension.
func (k *Counter) Halves() bool { return k.layouts.halves() }

// Counts returns the counts of each phase of s.
func (k *Counter) Counts(s *schedule.Schedule) []Counts {
	counts := make([]Counts, len(s.Phases))
	for i := range s.Phases {
		counts[i] = k.PhaseCounts(s, i)
	}
	return counts
}

// Traffic returns the counts of a phase of s, less Barriers and Fresh, which
// take the most time to count. Where tiles are straight code, Shared, Global,
// what follows from them, and Registers are estimates.
func (k *Counter) Traffic(s *schedule.Schedule, phase int) Counts {
	if ph := k.phase(s, phase); ph.streaming() == nil {
		return k.count(ph)
	}
	return k.PhaseCounts(s, phase)
}

// PhaseCounts returns the counts of a phase of s.
func (k *Counter) PhaseCounts(s *schedule.Schedule, phase int) Counts {
	ph := k.phase(s, phase)
	if ph.streaming() != nil {
		return k.inPlanes(ph)
	}
	return k.exactly(ph)
}

func (k *Counter) phase(s *schedule.Schedule, phase int) *plan {
	m := newProgram(s, astgen.NamesOf(s), k.layouts, k.device, k.options)
	m.known = make([]astgen.Known, len(s.Phases))
	p := m.launch(phase).plan()
	return &p
}

// Rough returns, at little cost, the counts of a whole tile, in the domain or
// not, as if it copied the boxes around all that it uses of arrays that have a
// layout, in, and out where it writes them. Points, SharedBytes, Turns and Operations are
// exact if all of these arrays are staged; Barriers is a guess.
//
// Tiles that stream it counts as PhaseCounts does, which takes little time where there are no straight code and no registers to count.
func (k *Counter) Rough(s *schedule.Schedule, phase int) Counts {
	if s.Stream() != nil {
		return k.PhaseCounts(s, phase)
	}
	ph, around := k.whole(s, phase)
	full := k.mostly(ph)
	c := k.compute(ph, full, ph.unroll)
	c.Barriers = c.Steps + 1
	for _, at := range full {
		c.demanded(k, ph, at, k.stages)
	}
	planes := int64(0)
	for i, b := range around {
		if b.Lo == nil || !k.stages(k.reaches[i].array) {
			continue
		}
		planes += k.reaches[i].planes(b)
		n, stores := b.Count(), int64(0)
		if k.reaches[i].write {
			stores = n
		}
		loads := n
		if ph.once(k.reaches[i].layout) {
			loads = 0
		}
		c.copied(loads, stores, k.reaches[i].array)
	}
	if ph.unroll {
		c.Registers, c.Spilled = ph.wanted(k.held(ph, full))
		c.Registers = min(c.Registers+perPlane*int(planes), ph.registersAtMost())
	}
	c.SharedBytes = k.shared(ph, around)
	return c
}

// Room returns the bytes that the arrays of a whole tile take, in buffers that have no padding. No tile of the same
// height and widths that are no less takes fewer; one for which this is more than the device has does not fit.
func (k *Counter) Room(s *schedule.Schedule, phase int) int64 {
	return k.room(k.whole(s, phase))
}

// SharedBytes returns those of Rough.
func (k *Counter) SharedBytes(s *schedule.Schedule, phase int) int64 {
	return k.shared(k.whole(s, phase))
}

// whole returns the phase of a whole tile, and the boxes around what it uses. It remembers them until it is asked for others.
func (k *Counter) whole(s *schedule.Schedule, phase int) (*plan, []pointset.Box) {
	if k.last.schedule != s || k.last.number != phase {
		ph := k.phaseOf(s, phase)
		k.last = whole{s, ph, k.around(&ph.launch)}
	}
	return k.last.plan, k.last.around
}

// around returns the boxes around all that a whole tile uses of the arrays that have a layout.
func (k *Counter) around(ph *launch) []pointset.Box {
	around := make([]pointset.Box, len(k.reaches))
	room := pointset.Box{Lo: make([]int64, k.dims), Hi: make([]int64, k.dims)}
	for _, at := range ph.all {
		t := ph.timeOf(at)
		for i, r := range k.reaches {
			r.grow(&around[i], at, t, room)
		}
	}
	return around
}

// room returns the bytes of buffers for those boxes.
func (k *Counter) room(ph *plan, around []pointset.Box) (bytes int64) {
	for i, b := range around {
		if b.Lo != nil && k.stages(k.reaches[i].array) {
			n := b.Count()
			if d, _ := ph.follow(k.reaches[i].layout); d >= 0 {
				n = n / (b.Hi[d] - b.Lo[d] + 1) * ph.width(b, d)
			}
			bytes += gpu.Aligned(n * int64(k.reaches[i].array.Elem.Size()))
		}
	}
	return bytes
}

// shared returns the bytes of buffers for those boxes, padded where they then fit.
func (k *Counter) shared(ph *plan, around []pointset.Box) (bytes int64) {
	bare, limit := k.room(ph, around), int64(k.device.SharedBytes)
	for i, b := range around {
		if b.Lo == nil || !k.stages(k.reaches[i].array) {
			continue
		}
		l, shape := k.reaches[i].layout, b.Shape()
		wrapped := -1
		if d, _ := ph.follow(l); d >= 0 {
			shape[d] = ph.width(b, d)
			if ph.options.Strategy == Static {
				wrapped = d
			}
		}
		bytes += gpu.Aligned(volume(ph.padded(l, shape, wrapped)) * int64(l.array.Elem.Size()))
	}
	if bytes > limit && bare <= limit {
		return bare // see unpad
	}
	return bytes
}

// stages reports whether array might lie in shared memory.
func (k *Counter) stages(array *scop.Array) bool {
	_, ok := k.layouts.of[array]
	return ok && k.options.Strategy != Global && !k.options.Leave.Has(array)
}

// phaseOf returns the plan of a phase with slices that know their box and no rows.
func (k *Counter) phaseOf(s *schedule.Schedule, number int) *plan {
	m := &program{schedule: s, scop: s.Canonical.Scop, device: k.device, options: k.options, layouts: k.layouts}
	dims := len(s.Phases[number].Space)
	levels, most := make([][]*scop.Stmt, s.Canonical.K), 0
	for level := range levels {
		levels[level] = s.Canonical.At(level)
		most += len(levels[level]) * int(s.Height/int64(s.Canonical.K)+1)
	}
	l := launch{program: m, number: number, all: make([]astgen.Slice, 0, most), neighbours: neighbours{lastKnown: true}}
	bounds := make([]int64, 2*dims*int(s.Height))
	for a := range s.Height {
		at := astgen.Slice{Phase: number, A: a, Lo: bounds[:dims:dims], Hi: bounds[dims : 2*dims : 2*dims]}
		bounds = bounds[2*dims:]
		for p, d := range s.Phases[number].Space {
			at.Lo[p], at.Hi[p] = d.Lo[a], d.Hi[a]
		}
		if at.Empty() {
			continue
		}
		for _, at.Stmt = range levels[a%int64(s.Canonical.K)] {
			l.all = append(l.all, at)
		}
	}
	return &plan{code: code{block: blockOf(l), unroll: !m.options.Rolled}}
}

// count returns the counts of a full tile but for those that take time; it
// takes registers to hold what the points of a step share.
func (k *Counter) count(ph *plan) Counts {
	c := k.compute(ph, ph.full, ph.unroll)
	for _, s := range ph.full {
		c.demanded(k, ph, s, func(array *scop.Array) bool { return ph.find(array) != nil })
	}
	if ph.unroll {
		c.Registers, c.Spilled = ph.wanted(k.held(ph, ph.full))
	}
	for _, f := range ph.staged {
		c.copied(f.loads(), f.stores(), f.array)
		c.First += f.firstLoads()
		c.Last += ph.lastStores(f)
		c.SharedBytes += f.buffer.Bytes()
	}
	return c
}

// access adds n accesses to an array, in shared memory or global.
func (c *Counts) access(n int64, array *scop.Array, shared, write bool) {
	bytes := n * int64(array.Elem.Size())
	if shared {
		if write {
			c.SharedStores += n
		}
		c.Shared += n
		c.SharedMoved += bytes
	} else {
		if !write {
			c.GlobalLoads += n
		}
		c.Global += n
		c.Bytes += bytes
	}
}

// copied adds copies between global and shared memory.
func (c *Counts) copied(loads, stores int64, array *scop.Array) {
	c.Loads += loads
	c.Stores += stores
	c.Bytes += (loads + stores) * int64(array.Elem.Size())
	c.access(loads, array, true, true)
	c.access(stores, array, true, false)
}

// demanded adds about what the threads ask of memory in s.
func (c *Counts) demanded(k *Counter, ph *plan, s astgen.Slice, shared func(*scop.Array) bool) {
	mine := ph.mine(s)
	times := float64(pointset.Box{Lo: s.Lo, Hi: s.Hi}.Count()) / float64(product(mine))
	for _, d := range k.demands(s.Stmt, mine, ph.unroll) {
		c.access(int64(times*float64(d.reads)), d.array, shared(d.array), false)
		c.access(int64(times*float64(d.writes)), d.array, shared(d.array), true)
	}
}

// compute counts what does not depend on where elements are.
func (k *Counter) compute(ph *plan, full []astgen.Slice, straight bool) Counts {
	c := Counts{
		Registers: ph.registers(len(full)), Straight: straight,
		Threads: ph.size(),
	}
	for i, s := range full {
		if i == 0 || s.A != full[i-1].A {
			c.Steps++
		}
		if s.Way != schedule.Any { // each point of a column waits for the one before
			c.Steps += int(s.Hi[0] - s.Lo[0])
		}
		points := pointset.Box{Lo: s.Lo, Hi: s.Hi}.Count()
		c.Points += points
		c.Turns += ph.turns(s)
		c.Operations += points * k.work[s.Stmt]
		c.Calls += points * k.calls[s.Stmt]
		c.Waits += ph.turns(s) * k.waits[s.Stmt]
		lanes := ph.lanes(s, int64(k.device.Warp))
		c.Busy += lanes * k.work[s.Stmt]
		c.BusyCalls += lanes * k.calls[s.Stmt]
	}
	return c
}

// exactly returns the counts of a full tile, all of them, from its nodes.
func (k *Counter) exactly(ph *plan) Counts {
	c := k.compute(ph, ph.full, ph.unroll)
	tile := astgen.Tile{Phase: ph.number, Full: true}
	for _, s := range ph.full {
		tile.Steps = append(tile.Steps, astgen.FullStep(s, ph.names))
	}
	t := tiles{plan: ph, between: true}
	nodes := t.full(tile, len(Looped(ph.schedule.Phases[ph.number])) > 0)
	values := 0
	if ph.unroll {
		nodes = ph.spilled(ph.promoted(nodes))
		values = live(nodes)
		nodes = ph.ahead(nodes, values)
	}
	c.nodes(nodes, ph.unroll)
	c.tests(nodes, ph.threads)
	for _, f := range ph.staged {
		if !ph.unroll {
			c.copied(f.loads(), f.stores(), f.array)
		}
		c.First += f.firstLoads()
		c.Last += ph.lastStores(f)
		c.SharedBytes += f.buffer.Bytes()
	}
	c.Fresh = ph.fresh()
	if ph.unroll && c.Points > 0 {
		c.Registers, c.Spilled = ph.wanted(values)
	}
	return c
}

// fresh returns the elements that a full tile copies in and the full tile
// before it, along the innermost loop over tiles, has not held at any step. (What
// that tile held is what memory has: a later tile would else run too late.)
func (ph *plan) fresh() (n int64) {
	dims := ph.schedule.Phases[ph.number].Space
	last := len(dims) - 1
	for _, f := range ph.staged {
		if f.once {
			continue
		}
		at := slices.Index(f.loop, slices.Index(f.space, last))
		for _, pl := range f.full.planes {
			if last == 0 { // one tile a block
				n += pl.first.Count()
				continue
			}
			var boxes, before []pointset.Box
			pl.first.Each(func(b pointset.Box) { boxes = append(boxes, b.Clone()) })
			for _, held := range []pointset.Cells{pl.read, pl.written} {
				held.Each(func(b pointset.Box) {
					b = b.Clone()
					if at >= 0 {
						b.Lo[at] -= dims[last].Stride
						b.Hi[at] -= dims[last].Stride
					}
					before = append(before, b)
				})
			}
			g := pointset.NewGrid(len(f.loop), slices.Concat(boxes, before))
			old, fresh := g.None(), g.None()
			for _, b := range before {
				old.Add(b)
			}
			for _, b := range boxes {
				fresh.AddExcept(b, old)
			}
			n += fresh.Count()
		}
	}
	return n
}

// String returns the counts on one line.
func (c Counts) String() string {
	return fmt.Sprintf("%d points, %d loads, %d stores, %d bytes shared, %d steps", c.Points, c.Loads, c.Stores, c.SharedBytes, c.Steps)
}

// Start returns where tiles have to begin along the last dimension, at 0 or up
// to a line before, so that the most elements that a full tile of s loads lie in rows that
// start at multiples of lineBytes. s starts at 0.
func (k *Counter) Start(s *schedule.Schedule) []int64 {
	start := make([]int64, len(s.Phases[0].Space))
	if !k.options.Strategy.aligns() {
		return start
	}
	votes, best := map[int64]int64{}, int64(0)
	for _, f := range k.phase(s, 0).staged {
		last := len(f.loop) - 1
		if last < 0 || f.space[f.loop[last]] != len(start)-1 || len(start) == 1 {
			continue
		}
		behind := f.ahead(f.loop[last], f.full.front()+1)
		if votes[behind] += f.loads(); votes[behind] > best {
			best, start[len(start)-1] = votes[behind], -behind
		}
	}
	return start
}
