package lower

import (
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/hexcc/hexcc/astgen"
	"github.com/hexcc/hexcc/gpu/pointset"
	"github.com/hexcc/hexcc/schedule"
)

// A footprint is the elements of an array that a tile uses, by plane: a plane
// is the elements with the same x in all dimensions that copies do not loop over.
type footprint struct {
	planes []*plane
	around pointset.Box // of all elements
	uses   int64        // reads and writes of the statements
	// overlaps: tiles compute what others own, and store part of what they write.
	overlaps bool
	// temporary: tiles have the array for themselves. They load and store nothing of it.
	temporary bool
	version   *schedule.Version // a tile stores all elements that it owns, to the other version; nil: there is one
}

// A plane holds sets of elements, by their x in the looped dimensions.
type plane struct {
	at      []int64        // x of each dimension; meaningless where looped
	read    pointset.Cells // read at some step
	reach   pointset.Box   // around read; nil: empty
	first   pointset.Cells // read before they are written, if ever they are
	written pointset.Cells
	stored  pointset.Cells // of written, what the tile stores to global memory: where tiles overlap, what it owns
	bounds  pointset.Box   // around written; nil: empty
	writers []touch
}

// footprintOf runs through the slices in order.
func (ph *launch) footprintOf(l layout, all []astgen.Slice) *footprint {
	f := &footprint{overlaps: ph.schedule.Overlaps(), temporary: slices.Contains(ph.schedule.Temporaries, l.whole)}
	f.version = ph.schedule.Version(l.whole)
	dims := l.loopedDims()
	var steps [][]use
	var boxes []pointset.Box
	for i, s := range all {
		uses := f.usesOf(l, dims, ph.touchesOf(l, i, s))
		steps = append(steps, uses)
		for _, u := range uses {
			boxes = append(append(boxes, u.boxes...), u.owned...)
			for _, t := range u.touches { // which of several writes is the last is asked of each
				boxes = append(boxes, t.Only(dims), t.owned.Only(dims))
			}
		}
	}
	if f.version != nil {
		boxes = append(boxes, ph.home(l, f.version).Only(dims))
	}
	g := pointset.NewGrid(len(dims), boxes)
	for _, uses := range steps {
		f.step(l, g, uses)
	}
	if f.version != nil {
		f.handOn(l, g, ph.home(l, f.version))
	}
	slices.SortFunc(f.planes, func(x, y *plane) int { return slices.Compare(x.at, y.at) })
	return f
}

// home returns the elements, by x, that a tile owns of the array of l, which has two versions; subscripts that follow no coordinate are 0.
func (ph *launch) home(l layout, v *schedule.Version) pointset.Box {
	b := pointset.Box{Lo: make([]int64, len(l.space)), Hi: make([]int64, len(l.space))}
	for k, p := range v.Space {
		if p < 0 {
			continue
		}
		off := v.Offset[k].Minus(l.params[k])
		if l.space[k] != p || !off.IsNum() {
			panic(fmt.Sprintf("lower: subscript %d of %s follows s%d, %v away, in versions, and s%d, %v away, in tiles", k, l.whole.Name, p, v.Offset[k], l.space[k], l.params[k]))
		}
		b.Lo[k], b.Hi[k] = off.Const, off.Const+ph.schedule.Phases[ph.number].Space[p].Stride-1
	}
	return b
}

// handOn has a tile store all elements that it owns, in all planes, those that no instance writes, too: these it loads.
func (f *footprint) handOn(l layout, g *pointset.Grid, own pointset.Box) {
	for k, m := range l.mod { // all planes that time steps use in turn
		for _, pl := range slices.Clone(f.planes) {
			for x := range m {
				at := slices.Clone(pl.at)
				at[k] = x
				f.plane(l, g, at)
			}
		}
	}
	for _, pl := range f.planes {
		b := own.Only(l.loopedDims())
		pl.first.AddExcept(b, pl.written)
		pl.read.Add(b)
		pl.reach.Grow(b)
		pl.stored.Add(b)
		whole := pointset.Box{Lo: slices.Clone(pl.at), Hi: slices.Clone(pl.at)}
		for _, k := range l.loopedDims() {
			whole.Lo[k], whole.Hi[k] = own.Lo[k], own.Hi[k]
		}
		f.around.Grow(whole)
	}
}

// A use is all that a step reads, or all that it writes, of one plane. Reads of
// what the same instance has written just before are left out of fresh.
type use struct {
	write   bool
	at      []int64
	boxes   []pointset.Box // disjoint or not
	fresh   []pointset.Box
	touches []touch        // of a write
	owned   []pointset.Box // of boxes, what instances use that the tile owns
}

// usesOf sorts the touches of a step, and adds them to around and uses of f.
func (f *footprint) usesOf(l layout, dims []int, ts []touch) []use {
	var uses []use
	again := writtenBefore(ts)
	for n, t := range ts {
		f.around.Grow(t.Box)
		f.uses += t.Count() * t.times
		i := slices.IndexFunc(uses, func(u use) bool { return u.write == t.access.Write && l.samePlane(u.at, t.Lo) })
		if i < 0 {
			i = len(uses)
			uses = append(uses, use{write: t.access.Write, at: t.Lo})
		}
		u := &uses[i]
		b := t.Only(dims)
		u.boxes = append(u.boxes, b)
		if t.access.Write {
			u.touches = append(u.touches, t)
		}
		if f.overlaps && t.access.Write {
			u.owned = append(u.owned, t.owned.Only(dims))
		}
		if !again[n] {
			u.fresh = append(u.fresh, b)
		}
	}
	for i := range uses {
		u := &uses[i]
		u.boxes, u.fresh, u.owned = pointset.Merged(u.boxes), pointset.Merged(u.fresh), pointset.Merged(u.owned)
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
func (f *footprint) step(l layout, g *pointset.Grid, uses []use) {
	for _, u := range uses {
		pl := f.plane(l, g, u.at)
		for _, b := range u.fresh {
			if !u.write && !f.temporary {
				pl.first.AddExcept(b, pl.written)
			}
		}
		for _, b := range u.boxes {
			if u.write {
				pl.written.Add(b)
				pl.bounds.Grow(b)
			} else {
				pl.read.Add(b)
				pl.reach.Grow(b)
			}
		}
		if u.write {
			pl.writers = append(pl.writers, u.touches...)
			for _, b := range u.owned { // where tiles do not overlap, stored is written
				if !f.temporary {
					pl.stored.Add(b)
				}
			}
		}
	}
}

// plane returns the plane of x, a new one if there is none.
func (f *footprint) plane(l layout, g *pointset.Grid, x []int64) *plane {
	for _, pl := range f.planes {
		if l.samePlane(pl.at, x) {
			return pl
		}
	}
	pl := &plane{at: x, read: g.None(), first: g.None(), written: g.None()}
	if pl.stored = pl.written; f.overlaps {
		pl.stored = g.None()
	}
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
		n += pl.first.Count()
	}
	return n
}

// stores returns the number of elements that are written and have to be stored.
func (f *footprint) stores() (n int64) {
	for _, pl := range f.planes {
		n += pl.stored.Count()
	}
	return n
}
