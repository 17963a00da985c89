package gpu

import (
	"fmt"

	"github.com/hexcc/hexcc/astgen"
	"github.com/hexcc/hexcc/schedule"
)

// Counts are what a full tile of a phase does, exactly.
type Counts struct {
	Points      int64 // instances
	Loads       int64 // elements copied in
	Stores      int64 // elements copied out
	Bytes       int64 // loaded and stored, by copies and by statements
	SharedBytes int64 // of all buffers, which have room for partial tiles
	Barriers    int   // the one before the next tile included
	Global      int64 // accesses of statements that go to global memory
	Steps       int   // not empty
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

func (k *Counter) phase(s *schedule.Schedule, phase int) *phase {
	ph, _ := newMapping(s, astgen.NamesOf(s), k.layouts, k.device, k.options).newPhase(phase)
	return ph
}

// Footprint returns, at little cost, the points of a tile and the bytes of the
// boxes around what it uses of arrays that have a layout: what shared memory it
// takes if all of them are staged.
func (k *Counter) Footprint(s *schedule.Schedule, phase int) (points, bytes int64) {
	ph := phaseOf(s, phase)
	around := make([]box, len(k.reaches))
	room := box{make([]int64, k.dims), make([]int64, k.dims)}
	for _, at := range ph.all {
		points += box{at.Lo, at.Hi}.count()
		t := ph.timeOf(at)
		for i, r := range k.reaches {
			r.grow(&around[i], at, t, room)
		}
	}
	for i, b := range around {
		if b.lo != nil {
			bytes += aligned(b.count() * int64(k.reaches[i].array.Elem.Size()))
		}
	}
	return points, bytes
}

// phaseOf returns a phase with slices that know their box and no rows.
func phaseOf(s *schedule.Schedule, number int) *phase {
	ph := &phase{mapping: &mapping{schedule: s, scop: s.Canonical.Scop}, number: number}
	for a := range s.Height {
		at := astgen.Slice{Phase: number, A: a, Stmt: ph.scop.Stmts[a%int64(s.Canonical.K)]}
		for _, d := range s.Phases[number].Space {
			at.Lo, at.Hi = append(at.Lo, d.Lo[a]), append(at.Hi, d.Hi[a])
		}
		if !at.Empty() {
			ph.all = append(ph.all, at)
		}
	}
	return ph
}

func (ph *phase) count() Counts {
	c := Counts{Steps: len(ph.full)}
	for _, s := range ph.full {
		points := box{s.Lo, s.Hi}.count()
		c.Points += points
		for _, acc := range s.Stmt.Accesses {
			if ph.find(acc.Array) == nil {
				c.Global += points
				c.Bytes += points * int64(acc.Array.Elem.Size())
			}
		}
	}
	for _, f := range ph.staged {
		c.Loads += f.full.loads()
		c.Stores += f.full.stores()
		c.Bytes += (f.full.loads() + f.full.stores()) * int64(f.array.Elem.Size())
		c.SharedBytes += f.buffer.Bytes()
	}
	return c
}

// barriers returns the number of barriers of a full tile.
func (ph *phase) barriers() (n int) {
	tile := astgen.Tile{Phase: ph.number, Full: true}
	for _, s := range ph.full {
		tile.Steps = append(tile.Steps, astgen.FullStep(s, ph.names))
	}
	for _, node := range synchronize(ph.tile(tile), ph.threads, len(ph.names.Points) > 1) {
		if _, ok := node.(Barrier); ok {
			n++
		}
	}
	return n
}

// String returns the counts on one line.
func (c Counts) String() string {
	return fmt.Sprintf("%d points, %d loads, %d stores, %d bytes shared, %d steps", c.Points, c.Loads, c.Stores, c.SharedBytes, c.Steps)
}
