package lower

import (
	"fmt"
	"maps"
	"slices"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/astgen"
	"github.com/hexcc/hexcc/gpu"
	"github.com/hexcc/hexcc/gpu/pointset"
	"github.com/hexcc/hexcc/schedule"
	"github.com/hexcc/hexcc/scop"
)

// This file decides which arrays a tile keeps in shared memory. An array is
// staged if its elements lie in a box that moves with the tile, if the tile
// uses them more often than it would copy them, and if no other block can write
// what a partial tile copies in beyond its need.

// A staged array has its elements of a tile in a buffer.
type staged struct {
	layout
	base   []affine.Sum // index of x = 0
	buffer *gpu.Buffer
	bare   []int64    // its shape without room against bank conflicts
	full   *footprint // of a full tile
	any    *footprint // of the whole box, in the domain or not
	loop   []int      // the array dimensions that copies run through
	vars   []string   // their variables
	once   bool       // a block copies it in before its first tile, for all of them

	streams []stream         // by plane of full: full tiles use what the tile before left; nil: they do not
	apart   int64            // how far tiles lie apart along the last dimension, if there are streams
	again   []pointset.Cells // by plane of full: what a full tile writes and a full tile after it writes again, without loading it; nil: nothing
	ring    *ring            // of a tile that streams; nil: it does not
	wrapped int              // the array dimension that lies in the buffer modulo width; -1: none
	width   int64
}

// stage returns c with arrays staged; its remarks say what stays in global memory and why.
func stage(c code) plan {
	if n := c.options.Prefetch; n != nil && c.streaming() != nil {
		c.early = *n
		return stageAll(c)
	}
	if c.streaming() != nil {
		c.early = 1
		if p := stageAll(c); p.sharedBytes() <= int64(p.device.SharedBytes) {
			return p
		}
		c.early = 0
	}
	return stageAll(c)
}

// stageAll is stage with planes loaded as early as c says.
func stageAll(c code) plan {
	p := plan{code: c}
	if p.options.Strategy == Global {
		return p
	}
	for _, array := range p.layouts.all {
		why := p.layouts.none[array]
		if why == "" {
			why = p.options.Leave[array.Name]
		}
		var f *staged
		if why == "" {
			why = p.unordered(array)
		}
		if why == "" {
			f, why = p.stageArray(p.layouts.of[array])
		}
		if why == "" {
			p.rename(f.buffer)
			p.staged = append(p.staged, f)
		} else if said := fmt.Sprintf("%s stays in global memory: %s", array.Name, why); why != unused && !slices.Contains(p.remarks, said) {
			p.remarks = append(p.remarks, said)
		}
	}
	p.wholeArrays()
	p.remarks = append(p.remarks, p.unpad()...)
	return p
}

// rename gives b, the buffer of a view of an array, a name that no buffer of another view has.
func (p *plan) rename(b *gpu.Buffer) {
	used := maps.Clone(p.used)
	for _, f := range p.staged {
		used[f.buffer.Name] = true
	}
	b.Name = used.Fresh(b.Name)
}

// wholeArrays leaves arrays of which only some views are staged in global memory: steps would else not know which memory has the last values.
func (ph *plan) wholeArrays() {
	count := map[*scop.Array]int{}
	for _, f := range ph.staged {
		count[f.whole]++
	}
	views := map[*scop.Array]int{}
	for _, view := range ph.layouts.all {
		views[ph.layouts.array(view)]++
	}
	ph.staged = slices.DeleteFunc(ph.staged, func(f *staged) bool { return count[f.whole] < views[f.whole] })
}

// stageArray returns how the array of l is staged, or why not.
func (ph *code) stageArray(l layout) (f *staged, why string) {
	f = &staged{layout: l, base: ph.base(l), any: ph.footprintOf(l, ph.all), loop: l.loopedDims(), wrapped: -1, once: ph.once(l)}
	f.full = f.any
	if n := len(ph.full); 0 < n && n < len(ph.all) { // where no tile is full, a whole one tells as much
		f.full = ph.footprintOf(l, ph.full)
	}
	view := l.array != l.whole
	if view { // of full tiles only
		f.any, f.once = f.full, false
	}
	moved := f.loads() + f.full.stores()
	switch {
	case f.any.uses == 0:
		return nil, unused
	case ph.schedule.Canonical.Ways != nil && !ph.private(l.whole):
		return nil, "tiles hold whole columns, and shared memory what they have for themselves"
	case f.full.uses <= moved && !ph.private(l.whole) && !ph.options.Stage[l.whole.Name]:
		return nil, fmt.Sprintf("a full tile uses %d elements and would copy %d", f.full.uses, moved)
	case !f.planesExist():
		return nil, "its extents may be less than the modulus of a subscript"
	case !view && ph.raced(f) && !ph.private(l.whole):
		return nil, "another block of the launch may write what a partial tile would copy in"
	case f.any.version == nil && ph.restored(f):
		return nil, "another block of the launch may use what a tile would store unchanged"
	case !view && f.any.version == nil && !ph.solvable(f):
		return nil, "a nest writes it in a way that partial tiles cannot tell"
	}
	if why := ph.inRing(f, ph.early); why != "" {
		return nil, why
	}
	if !f.once {
		ph.stream(f)
	}
	if ph.interleaves() && ph.lastKnown {
		f.again = ph.writtenAgain(f)
	}
	f.buffer = f.newBuffer(maps.Clone(ph.used))
	f.bare = f.buffer.Shape
	f.buffer.Shape = ph.padded(l, f.bare, f.wrapped)
	for i := range f.loop {
		f.vars = append(f.vars, ph.copyVar(i))
	}
	return f, ""
}

// private reports whether a tile has to keep what it computes of the array to itself: tiles overlap, and it computes what others store, or nobody does.
func (ph *launch) private(whole *scop.Array) bool {
	if ph.schedule.Version(whole) != nil {
		return true
	}
	temporary := slices.Contains(ph.schedule.Temporaries, whole) // of this launch, if any of its statements writes it
	return slices.ContainsFunc(ph.all, func(s astgen.Slice) bool {
		return (temporary || s.PartlyOwned()) && slices.ContainsFunc(s.Stmt.Accesses, func(a *scop.Access) bool { return a.Write && a.Array == whole })
	})
}

// once reports whether all tiles of a block read the same elements and write none,
// as they do of an array of coefficients.
func (ph *launch) once(l layout) bool {
	looped := Looped(ph.schedule.Phases[ph.number])
	return !l.write && len(looped) > 0 && !slices.ContainsFunc(l.space, func(p int) bool { return slices.Contains(looped, p) })
}

// newBuffer returns the buffer of the box around all elements of the tile.
func (f *staged) newBuffer(used astgen.Used) *gpu.Buffer {
	b := &gpu.Buffer{Name: used.Fresh("shared_" + f.array.Name), Array: f.whole, Mod: f.mod}
	if slices.Contains(f.down, true) {
		b.Down = f.down
	}
	for k, base := range f.base {
		b.Wrap = append(b.Wrap, k == f.wrapped)
		if k == f.wrapped {
			b.Shape, b.Origin = append(b.Shape, f.width), append(b.Origin, affine.Num(0))
			continue
		}
		b.Shape = append(b.Shape, f.any.around.Hi[k]-f.any.around.Lo[k]+1)
		origin := affine.Expr(base.Add(f.any.around.Lo[k]))
		if f.mod[k] > 0 {
			origin = affine.Modulo(base.Add(f.any.around.Lo[k]), f.mod[k])
		} else if f.down[k] {
			origin = base.Add(f.any.around.Lo[k]).Times(-1)
		}
		b.Origin = append(b.Origin, origin)
	}
	return b
}

// planesExist reports whether each dimension with a modulus is a known number of elements, no fewer than the modulus.
func (f *staged) planesExist() bool {
	for k, m := range f.mod {
		if x := f.array.Extents[k]; m > 0 && (!gpu.Constant(x) || x.Const < m) {
			return false
		}
	}
	return true
}

// raced reports whether a tile of another block may write an element that a
// partial tile copies in: one of the box around all that a whole tile reads of a
// plane. Tiles of other blocks of a launch have the same T and differ in an index that blocks have, by d != 0, and in
// the others by any amount, so for all sizes and positions it is enough
// to move the writes of one tile by d strides along that, and freely in other dimensions.
func (ph *launch) raced(f *staged) bool {
	for p, d := range ph.schedule.Phases[ph.number].Space {
		if d.Role != schedule.Block {
			continue
		}
		for _, pl := range f.any.planes {
			for _, w := range pl.writers {
				if pl.reach.Lo != nil && f.meetsMovedAlong(p, f.wholeBox(pl, pl.reach), w.Box, d.Stride) {
					return true
				}
			}
		}
	}
	return false
}

// restored reports whether a tile of another block may use an element that a tile stores though no instance of its own does anything there:
// of a statement that does something at some points only, such as every second one, a tile stores all. Other blocks differ in one of the
// indices that blocks have, by d != 0, and in the others by any amount.
func (ph *launch) restored(f *staged) bool {
	if f.array != f.whole { // others may use the element by another view
		return slices.ContainsFunc(ph.scop.Stmts, func(st *scop.Stmt) bool {
			return len(st.When) > 0 && slices.ContainsFunc(st.Accesses, func(a *scop.Access) bool { return a.Write && a.Array == f.whole })
		})
	}
	for p, d := range ph.schedule.Phases[ph.number].Space {
		if d.Role != schedule.Block {
			continue
		}
		for _, pl := range f.any.planes {
			for _, w := range pl.writers {
				if len(ph.all[w.slice].Stmt.When) == 0 {
					continue
				}
				used := []pointset.Box{f.wholeBox(pl, pl.reach)}
				for _, x := range pl.writers {
					used = append(used, x.Box)
				}
				if slices.ContainsFunc(used, func(r pointset.Box) bool { return f.meetsMovedAlong(p, r, w.Box, d.Stride) }) {
					return true
				}
			}
		}
	}
	return false
}

// meetsMovedAlong reports whether w, moved by a multiple of stride other than 0
// where it follows a coordinate and by any amount where it follows another one, may meet r.
func (l layout) meetsMovedAlong(along int, r, w pointset.Box, stride int64) bool {
	for k, p := range l.space {
		// w + d*stride meets r just for r.lo-w.hi <= d*stride <= r.hi-w.lo.
		least, most := r.Lo[k]-w.Hi[k], r.Hi[k]-w.Lo[k]
		if p < 0 && (least > 0 || most < 0) || p == along && least > -stride && most < stride {
			return false
		}
	}
	return true
}

// wholeBox returns box b of the looped dimensions of pl as a box of all dimensions.
func (f *staged) wholeBox(pl *plane, b pointset.Box) pointset.Box {
	whole := pointset.Box{Lo: slices.Clone(pl.at), Hi: slices.Clone(pl.at)}
	for i, k := range f.loop {
		whole.Lo[k], whole.Hi[k] = b.Lo[i], b.Hi[i]
	}
	return whole
}

// solvable reports whether the element tells the instance, for each write: a
// coordinate that no subscript follows is fixed by its nest.
func (ph *launch) solvable(f *staged) bool {
	for _, pl := range f.any.planes {
		for _, w := range pl.writers {
			places := ph.schedule.Canonical.Places[ph.all[w.slice].Stmt.Order]
			for p := range places {
				if !slices.Contains(f.space, p) && places[p].Iter >= 0 {
					return false
				}
			}
		}
	}
	return true
}

// holding returns what has that buffer.
func (ph *plan) holding(b *gpu.Buffer) *staged {
	i := slices.IndexFunc(ph.staged, func(f *staged) bool { return f.buffer == b })
	return ph.staged[i]
}

// find returns the staged form of array, nil if it has none.
func (ph *plan) find(array *scop.Array) *staged {
	for _, f := range ph.staged {
		if f.array == array {
			return f
		}
	}
	return nil
}
