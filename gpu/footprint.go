package gpu

import (
	"encoding/binary"
	"slices"

	"github.com/hexcc/hexcc/astgen"
)

// A footprint is the elements of an array that a tile uses, by plane: a plane
// is the elements with the same x in all dimensions that copies do not loop over.
type footprint struct {
	planes []*plane
	around box   // of all elements
	uses   int64 // reads and writes of the statements
}

// A plane holds sets of elements, by their x in the looped dimensions.
type plane struct {
	at      []int64 // x of each dimension; meaningless where looped
	read    cells   // read at some step
	reach   box     // around read; nil: empty
	first   cells   // read before they are written, if ever they are
	written cells
	bounds  box // around written; nil: empty
	writers []touch
}

// footprintOf runs through the slices in order.
func (ph *phase) footprintOf(l layout, all []astgen.Slice) *footprint {
	f := &footprint{}
	dims := l.loopedDims()
	var steps [][]use
	var boxes []box
	for i, s := range all {
		uses := f.usesOf(l, dims, ph.touchesOf(l, i, s))
		steps = append(steps, uses)
		for _, u := range uses {
			boxes = append(boxes, u.boxes...)
		}
	}
	g := newGrid(len(dims), boxes)
	for _, uses := range steps {
		f.step(l, g, uses)
	}
	slices.SortFunc(f.planes, func(x, y *plane) int { return slices.Compare(x.at, y.at) })
	return f
}

// A use is all that a step reads, or all that it writes, of one plane. Reads of
// what the same instance has written just before are left out of fresh.
type use struct {
	write   bool
	at      []int64
	boxes   []box // disjoint or not
	fresh   []box
	touches []touch
}

// usesOf sorts the touches of a step, and adds them to around and uses of f.
func (f *footprint) usesOf(l layout, dims []int, ts []touch) []use {
	var uses []use
	again := writtenBefore(ts)
	for n, t := range ts {
		f.around.grow(t.box)
		f.uses += t.count() * t.times
		i := slices.IndexFunc(uses, func(u use) bool { return u.write == t.access.Write && l.samePlane(u.at, t.lo) })
		if i < 0 {
			i = len(uses)
			uses = append(uses, use{write: t.access.Write, at: t.lo})
		}
		u := &uses[i]
		b := t.only(dims)
		u.boxes, u.touches = append(u.boxes, b), append(u.touches, t)
		if !again[n] {
			u.fresh = append(u.fresh, b)
		}
	}
	for i := range uses {
		uses[i].boxes, uses[i].fresh = merged(uses[i].boxes), merged(uses[i].fresh)
	}
	slices.SortStableFunc(uses, func(x, y use) int { // reads before writes
		if x.write == y.write {
			return 0
		}
		if y.write {
			return -1
		}
		return 1
	})
	return uses
}

// writtenBefore reports of each touch whether the instance has stored to the same element just before.
func writtenBefore(step []touch) []bool {
	again := make([]bool, len(step))
	stored := map[string]bool{}
	var key []byte
	for i, t := range step {
		if len(stored) == 0 && !t.access.Write { // most have no store before a read
			continue
		}
		key = key[:0]
		for _, x := range t.offset {
			key = binary.AppendVarint(key, x)
		}
		again[i] = stored[string(key)]
		if t.access.Write {
			stored[string(key)] = true
		}
	}
	return again
}

// step adds the uses of a step to the planes.
func (f *footprint) step(l layout, g *grid, uses []use) {
	for _, u := range uses {
		pl := f.plane(l, g, u.at)
		for _, b := range u.fresh {
			if !u.write {
				pl.first.addExcept(b, pl.written)
			}
		}
		for _, b := range u.boxes {
			if u.write {
				pl.written.add(b)
				pl.bounds.grow(b)
			} else {
				pl.read.add(b)
				pl.reach.grow(b)
			}
		}
		if u.write {
			pl.writers = append(pl.writers, u.touches...)
		}
	}
}

// plane returns the plane of x, a new one if there is none.
func (f *footprint) plane(l layout, g *grid, x []int64) *plane {
	for _, pl := range f.planes {
		if l.samePlane(pl.at, x) {
			return pl
		}
	}
	pl := &plane{at: x, read: g.none(), first: g.none(), written: g.none()}
	f.planes = append(f.planes, pl)
	return pl
}

// samePlane reports whether x and y lie in the same plane.
func (l layout) samePlane(x, y []int64) bool {
	for k := range l.space {
		if !l.looped(k) && x[k] != y[k] {
			return false
		}
	}
	return true
}

// loads returns the number of elements read before they are written.
func (f *footprint) loads() (n int64) {
	for _, pl := range f.planes {
		n += pl.first.count()
	}
	return n
}

// stores returns the number of elements written.
func (f *footprint) stores() (n int64) {
	for _, pl := range f.planes {
		n += pl.written.count()
	}
	return n
}
