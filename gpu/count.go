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
	SharedBytes int64 // of all buffers, which have room for partial tiles
	Barriers    int   // the one before the next tile included
	Global      int64 // accesses of statements that go to global memory
	Steps       int   // not empty
}

// Count returns the counts of each phase of s, without the code: the same
// decisions as Map's, on the same footprints.
func Count(s *schedule.Schedule, d Device, o Options) []Counts {
	n := astgen.NamesOf(s)
	m := newMapping(s, n, d, o)
	counts := make([]Counts, len(s.Phases))
	for i := range s.Phases {
		ph, _ := m.newPhase(i)
		counts[i] = ph.count()
		counts[i].Barriers = ph.barriers()
	}
	return counts
}

func (ph *phase) count() Counts {
	c := Counts{Steps: len(ph.full)}
	for _, s := range ph.full {
		points := box{s.Lo, s.Hi}.count()
		c.Points += points
		for _, acc := range s.Stmt.Accesses {
			if ph.find(acc.Array) == nil {
				c.Global += points
			}
		}
	}
	for _, f := range ph.staged {
		c.Loads += f.full.loads()
		c.Stores += f.full.stores()
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
