package gpu

import (
	"fmt"

	"github.com/hexcc/hexcc/astgen"
	"github.com/hexcc/hexcc/schedule"
)

// Counts are what a full tile of a phase does, exactly but for Registers.
type Counts struct {
	Points int64 `json:"points"` // instances
	Loads  int64 `json:"loads"`  // elements copied in
	Stores int64 `json:"stores"` // elements copied out
	// Bytes are moved between global memory and the chip, by copies and by statements.
	Bytes       int64 `json:"bytes"`
	SharedBytes int64 `json:"sharedBytes"` // of all buffers, which have room for partial tiles
	Barriers    int   `json:"barriers"`    // the one before the next tile included
	Global      int64 `json:"global"`      // accesses of statements that go to global memory
	Shared      int64 `json:"shared"`      // accesses to shared memory, by copies and by statements
	SharedMoved int64 `json:"sharedMoved"` // the bytes of Shared
	Steps       int   `json:"steps"`       // not empty
	Threads     int   `json:"threads"`     // of a block
	Turns       int64 `json:"turns"`       // points that the busiest thread runs
	Operations  int64 `json:"operations"`  // of the statements, by Operations
	Registers   int   `json:"registers"`   // of a thread: an estimate, see registers
}

// A Counter counts for a program whatever the tile sizes. It takes the same
// decisions as Map, on the same footprints.
type Counter struct {
	device  Device
	options Options
	layouts layouts
	reaches []reach
	dims    int // the most of an array
}

// NewCounter returns a Counter for schedules of c.
func NewCounter(c *schedule.Canonical, d Device, o Options) *Counter {
	k := &Counter{device: d, options: o, layouts: layoutsOf(c)}
	for _, array := range c.Scop.Arrays {
		if l, ok := k.layouts.of[array]; ok {
			k.reaches = append(k.reaches, newReach(c.Scop, l))
			k.dims = max(k.dims, len(l.space))
		}
	}
	return k
}

// Counts returns the counts of each phase of s.
func (k *Counter) Counts(s *schedule.Schedule) []Counts {
	counts := make([]Counts, len(s.Phases))
	for i := range s.Phases {
		ph := k.phase(s, i)
		counts[i] = ph.count()
		counts[i].Barriers = ph.barriers()
	}
	return counts
}

// Traffic returns the counts of a phase of s, less Barriers, which take the most time to count.
func (k *Counter) Traffic(s *schedule.Schedule, phase int) Counts { return k.phase(s, phase).count() }

// Barriers returns the Barriers of a phase of s.
func (k *Counter) Barriers(s *schedule.Schedule, phase int) int { return k.phase(s, phase).barriers() }

func (k *Counter) phase(s *schedule.Schedule, phase int) *phase {
	ph, _ := newMapping(s, astgen.NamesOf(s), k.layouts, k.device, k.options).newPhase(phase)
	return ph
}

// Rough returns, at little cost, the counts of a whole tile, in the domain or
// not, as if it copied the boxes around all that it uses of arrays that have a
// layout, in, and out where it writes them. Points, SharedBytes, Turns and Operations are
// exact if all of these arrays are staged; Barriers is a guess.
func (k *Counter) Rough(s *schedule.Schedule, phase int) Counts {
	ph := k.phaseOf(s, phase)
	c := ph.compute(ph.all)
	c.Barriers = c.Steps + 1
	around := make([]box, len(k.reaches))
	room := box{make([]int64, k.dims), make([]int64, k.dims)}
	for _, at := range ph.all {
		points, t := box{at.Lo, at.Hi}.count(), ph.timeOf(at)
		for i, r := range k.reaches {
			r.grow(&around[i], at, t, room)
		}
		for _, acc := range at.Stmt.Accesses {
			bytes := points * int64(acc.Array.Elem.Size())
			if _, ok := k.layouts.of[acc.Array]; ok {
				c.Shared += points
				c.SharedMoved += bytes
			} else {
				c.Global += points
				c.Bytes += bytes
			}
		}
	}
	for i, b := range around {
		if b.lo == nil {
			continue
		}
		size := int64(k.reaches[i].array.Elem.Size())
		moved := b.count()
		c.Loads += moved
		if k.reaches[i].write {
			c.Stores += moved
			moved *= 2
		}
		c.Bytes += moved * size
		c.Shared += moved
		c.SharedMoved += moved * size
		c.SharedBytes += aligned(b.count() * size)
	}
	return c
}

// phaseOf returns a phase with slices that know their box and no rows.
func (k *Counter) phaseOf(s *schedule.Schedule, number int) *phase {
	m := &mapping{schedule: s, scop: s.Canonical.Scop, device: k.device, options: k.options}
	ph := &phase{mapping: m, number: number}
	for a := range s.Height {
		at := astgen.Slice{Phase: number, A: a, Stmt: ph.scop.Stmts[a%int64(s.Canonical.K)]}
		for _, d := range s.Phases[number].Space {
			at.Lo, at.Hi = append(at.Lo, d.Lo[a]), append(at.Hi, d.Hi[a])
		}
		if !at.Empty() {
			ph.all = append(ph.all, at)
		}
	}
	ph.threads = m.shape(ph.all)
	return ph
}

func (ph *phase) count() Counts {
	c := ph.compute(ph.full)
	for _, s := range ph.full {
		points := box{s.Lo, s.Hi}.count()
		for _, acc := range s.Stmt.Accesses {
			bytes := points * int64(acc.Array.Elem.Size())
			if ph.find(acc.Array) == nil {
				c.Global += points
				c.Bytes += bytes
			} else {
				c.Shared += points
				c.SharedMoved += bytes
			}
		}
	}
	for _, f := range ph.staged {
		loads, stores := f.full.loads(), f.full.stores()
		bytes := (loads + stores) * int64(f.array.Elem.Size())
		c.Loads += loads
		c.Stores += stores
		c.Bytes += bytes
		c.Shared += loads + stores
		c.SharedMoved += bytes
		c.SharedBytes += f.buffer.Bytes()
	}
	return c
}

// compute counts what does not depend on where elements are.
func (ph *phase) compute(full []astgen.Slice) Counts {
	c := Counts{
		Steps: len(full), Registers: ph.registers(len(full)),
		Threads: ph.threads[0] * ph.threads[1] * ph.threads[2],
	}
	for _, s := range full {
		points := box{s.Lo, s.Hi}.count()
		c.Points += points
		c.Turns += ph.turns(s)
		c.Operations += points * Operations(s.Stmt)
	}
	return c
}

// turns returns the most points of s that one thread runs.
func (ph *phase) turns(s astgen.Slice) int64 {
	n := int64(1)
	for d := range s.Lo {
		extent := s.Hi[d] - s.Lo[d] + 1
		if a := axis(d, len(s.Lo)); a >= 0 {
			extent = (extent + int64(ph.threads[a]) - 1) / int64(ph.threads[a])
		}
		n *= extent
	}
	return n
}

// barriers returns the number of barriers of a full tile.
func (ph *phase) barriers() (n int) {
	tile := astgen.Tile{Phase: ph.number, Full: true}
	for _, s := range ph.full {
		tile.Steps = append(tile.Steps, astgen.FullStep(s, ph.names))
	}
	starts, end := barriers(ph.tile(tile), ph.threads, len(ph.names.Points) > 1)
	for _, barrier := range append(starts, end) {
		if barrier {
			n++
		}
	}
	return n
}

// String returns the counts on one line.
func (c Counts) String() string {
	return fmt.Sprintf("%d points, %d loads, %d stores, %d bytes shared, %d steps", c.Points, c.Loads, c.Stores, c.SharedBytes, c.Steps)
}
