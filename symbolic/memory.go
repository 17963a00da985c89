package symbolic

import (
	"fmt"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/gpu"
	"github.com/hexcc/hexcc/scop"
)

// An area is elements of an array in global memory whose subscripts have the same symbols, or a shared
// buffer. Its subscripts are numbers from lo on.
type area struct {
	name     string
	array    *scop.Array
	buffer   *gpu.Buffer // nil: of global memory
	symbols  string
	dims     []string         // the symbols of each dimension
	at       []map[int64]bool // global: by dimension, the numbers of subscripts that are one number each; nil: others occur
	lo, size []int64
	inside   []int64 // global: by dimension, the range of what the program touches
	own      []span  // global: by dimension, the subscripts of one tile; nil: not known
	written  bool
	first    int // its first cell
}

// A span is the subscripts from + lo to from + hi, where from is of symbols.
type span struct {
	from   affine.Sum
	lo, hi int64
	known  bool
}

// apart reports whether no element of a is one of b: along a dimension in which both have the same symbols, their
// numbers differ. True is certain, false is not.
func (a *area) apart(b *area) bool {
	for d := range a.dims {
		if a.dims[d] != b.dims[d] {
			continue
		}
		if a.at[d] != nil && b.at[d] != nil {
			common := false
			for v := range a.at[d] {
				common = common || b.at[d][v]
			}
			if !common {
				return true
			}
		}
		if a.lo[d] >= b.lo[d]+b.size[d] || b.lo[d] >= a.lo[d]+a.size[d] {
			return true
		}
	}
	return false
}

// note remembers the numbers of subscript s in dimension d.
func (a *area) note(d int, s *subscript) {
	switch {
	case len(s.slots) > 0 || s.of != nil:
		a.at[d] = nil
	case a.at[d] != nil:
		a.at[d][s.value(nil)] = true
	}
}

// grow makes room for subscripts from lo to hi.
func (a *area) grow(dim int, lo, hi int64) {
	if a.buffer != nil {
		return // its size is known; checked when it runs
	}
	if a.size[dim] == 0 {
		a.lo[dim], a.size[dim] = lo, hi-lo+1
		return
	}
	end := max(a.lo[dim]+a.size[dim]-1, hi)
	a.lo[dim] = min(a.lo[dim], lo)
	a.size[dim] = end - a.lo[dim] + 1
}

func (a *area) cells() int {
	n := int64(1)
	for _, x := range a.size {
		n *= x
	}
	return int(n)
}

// element names a cell.
func (a *area) element(cell int) string {
	rest := int64(cell - a.first)
	index := make([]int64, len(a.size))
	for d := len(a.size) - 1; d >= 0; d-- {
		index[d] = rest%a.size[d] + a.lo[d]
		rest /= a.size[d]
	}
	text := a.name
	for _, x := range index {
		text += fmt.Sprintf("[%d]", x)
	}
	if a.buffer == nil {
		text += " from the base of the tile"
	}
	return text
}

// A cell is an element of memory: its value, and who touched it since when. Epochs are counted by barriers.
type cell struct {
	value                 int32
	writer, reader        int32 // threads; reader is several if there were more since the epoch of reads
	writeEpoch, readEpoch int32
}

// several stands for more than one thread.
const several = -2

// A value is 0 for what was never written, then one for each cell of global memory: what it was
// at first; then one for each store of each instance of the tiles.
const nothing = 0

// maxCells bounds the elements of a tile that are watched.
const maxCells = 1 << 24

// A machine is the memory of a block.
type machine struct {
	cells     []cell
	registers [][]int32 // by register and thread
	epoch     int32
	vars      []int64
}

// read returns the value of a cell, read by a thread. race is whether another thread may still write it.
func (m *machine) read(at int, thread int32) (v int32, race bool) {
	c := &m.cells[at]
	race = c.writeEpoch == m.epoch && c.writer != thread
	switch {
	case c.readEpoch < m.epoch:
		c.readEpoch, c.reader = m.epoch, thread
	case c.reader != thread:
		c.reader = several
	}
	return c.value, race
}

// write sets a cell. race is whether another thread may still read or write it.
func (m *machine) write(at int, thread, v int32) (race bool) {
	c := &m.cells[at]
	race = c.writeEpoch == m.epoch && c.writer != thread || c.readEpoch == m.epoch && c.reader != thread
	c.value, c.writer, c.writeEpoch = v, thread, m.epoch
	return race
}
