package lower

import (
	"slices"

	"github.com/hexcc/hexcc/astgen"
	"github.com/hexcc/hexcc/gpu"
	"github.com/hexcc/hexcc/gpu/pointset"
	"github.com/hexcc/hexcc/scop"
)

// This file stores results to global memory as they are computed, in place of
// copies after the last step: each row by the step that writes to it last in
// the tile, so that no sector is stored twice; elements, unless a full tile that follows in the block writes it again. Then it
// is enough that it lies in shared memory; only the last full tile of a row
// stores such elements, once all is computed.

// A final is what a write of a step writes for the last time in a full tile.
type final struct {
	plane *plane
	touch touch
	cells pointset.Cells
}

// finals returns what acc writes for the last time at slice i of a full tile, of
// rows that no later step writes to; ok is false if that is nothing, or if the next
// full tile writes all that again. before is what earlier steps wrote of these rows.
func (f *staged) finals(i int, acc *scop.Access) (last final, before pointset.Cells, ok bool) {
	for p, pl := range f.full.planes {
		later := pl.written.Grid.None()
		for k, w := range slices.Backward(pl.writers) {
			b := w.owned.Only(f.loop)
			if w.slice != i || w.access != acc {
				later.Add(pl.rowsOf(b))
				continue
			}
			mine, rest, earlier := later.Grid.None(), later.Grid.None(), later.Grid.None()
			mine.AddExcept(b, later)
			for _, e := range pl.writers[:k] {
				earlier.Add(e.owned.Only(f.loop))
			}
			rest.AddExcept(pl.rowsOf(b), later)
			rest.Remove(b)
			rest = rest.Meet(earlier)
			if f.again != nil {
				mine, rest = mine.Without(f.again[p]), rest.Without(f.again[p])
			}
			return final{pl, w, mine}, rest, mine.Count()+rest.Count() > 0
		}
	}
	return final{}, pointset.Cells{}, false
}

// rowsOf returns the rows of what the plane has that b has a part of: b, as long as the plane is.
func (pl *plane) rowsOf(b pointset.Box) pointset.Box {
	b = b.Clone()
	if last := len(b.Lo) - 1; last >= 0 && pl.bounds.Lo != nil {
		b.Lo[last], b.Hi[last] = pl.bounds.Lo[last], pl.bounds.Hi[last]
	}
	return b
}

// stores returns the stores to global memory of what s, slice i of a full tile,
// writes for the last time: by the threads that have computed it.
func (ph *tiles) stores(i int, s astgen.Step) []work {
	var all []work
	at := ph.slice(s)
	spans := ph.pointSpans(s)
	for k, acc := range s.Stmt.Accesses {
		f := ph.find(ph.view(acc))
		if !acc.Write || f == nil || f.full.temporary || f.full.version != nil {
			continue
		}
		last, before, ok := f.finals(i, acc)
		if !ok || slices.ContainsFunc(s.Stmt.Accesses[k+1:], func(b *scop.Access) bool { return f.sameElement(&ph.launch, i, b, last.touch) }) {
			continue
		}
		if before.Count() > 0 {
			from, to := f.refs(last.plane)
			all = append(all, f.copiesByRow(ph, last.plane, before, gpu.Copy{To: to, From: from}, f.role(gpu.StoreEarlier))...)
		}
		if last.cells.Count() == 0 {
			continue
		}
		shared := ph.ref(at, acc)
		global := f.globalOf(&ph.launch, last.touch)
		guard, around := f.whereFinal(&ph.launch, last)
		c := gpu.Copy{To: global, From: shared}
		all = append(all, work{
			nodes:   func() []gpu.Node { return ph.deal(spans, guard, f.role(gpu.Store), ph.at(c)) },
			effects: f.copyEffectsBy(last.plane, around, c, ph.inRows(ph.effect(at, acc, loopsOf(spans))).by),
		})
	}
	return all
}

// sameElement reports whether b writes what t does at slice i.
func (f *staged) sameElement(ph *launch, i int, b *scop.Access, t touch) bool {
	return b.Write && ph.view(b) == f.array && slices.Equal(f.layout.touch(i, ph.full[i], b, ph.timeOf(ph.full[i])).offset, t.offset)
}

// pointSpans returns the loops over the points of a step of a full tile.
func (ph *code) pointSpans(s astgen.Step) []span {
	spans := make([]span, len(s.Loops))
	for p, l := range s.Loops {
		spans[p] = span{name: l.Var, lo: l.BoxLo, hi: l.BoxHi, each: ph.each(p), axis: ph.axisOf(p)}
		if spans[p].axis == 1 && ph.rows > 1 {
			spans[p].rows = ph.rows
		}
	}
	return spans
}

// globalOf returns the element of the array that t touches, over the local coordinates.
func (f *staged) globalOf(ph *launch, t touch) gpu.Ref {
	r := gpu.Ref{Array: f.whole}
	for k := range f.space {
		r.Index = append(r.Index, f.globalAt(k, f.local(ph, t, k)))
	}
	return r
}

// whereFinal returns the points that write for the last time, and the box of their elements.
func (f *staged) whereFinal(ph *launch, last final) (astgen.Cond, pointset.Box) {
	vars, offsets := make([]string, len(f.loop)), make([]int64, len(f.loop))
	for i, k := range f.loop {
		vars[i], offsets[i] = ph.names.Points[f.space[k]], last.touch.offset[k]
	}
	var guard astgen.Cond
	for _, r := range pointset.Decompose(last.cells) {
		guard = append(guard, pointset.Group{Hull: r, Parts: []pointset.Region{r}}.Constraints(vars, offsets)...)
	}
	around, _ := last.cells.Bounds()
	return guard, around
}

// writtenAgain returns what a full tile writes, by plane of f.full, and a full
// tile after it in the block writes again and does not load; nil if that is nothing.
func (ph *code) writtenAgain(f *staged) []pointset.Cells {
	k, w := ph.follow(f.layout)
	if k < 0 {
		return nil
	}
	var all []pointset.Cells
	some := int64(0)
	for i, pl := range f.full.planes {
		c := pl.written.Meet(pl.written.Moved(w))
		if f.streams == nil {
			c = c.Without(pl.first.Moved(w))
		} else if fresh := f.streams[i].fresh; len(fresh) > 0 {
			c = c.Without(pointset.CellsOf(len(f.loop), fresh).Moved(w))
		}
		all, some = append(all, c), some+c.Count()
	}
	if some == 0 {
		return nil
	}
	return all
}

// missed returns which elements of again, by plane, a tile that is not full needs
// of the full one before it, or may not write. If one access makes all writes, in a
// nest that runs at the same points in each time step, any tile after it writes
// all of again, as a full one does: only what it reads before is left.
func (ph *code) missed(f *staged) []pointset.Cells {
	if f.again == nil || !ph.rewrites(f) {
		return f.again
	}
	_, w := ph.follow(f.layout)
	var all []pointset.Cells
	for i, c := range f.again {
		all = append(all, c.Meet(f.full.planes[i].first.Moved(w)))
	}
	return all
}

// rewrites reports whether one access makes all writes of f, at the same points in each time step.
func (ph *launch) rewrites(f *staged) bool {
	var by *scop.Stmt
	for _, s := range ph.scop.Stmts {
		for _, acc := range s.Accesses {
			if acc.Array != f.whole || !acc.Write {
				continue
			}
			if by != nil {
				return false
			}
			by = s
		}
	}
	return by != nil && !slices.ContainsFunc(by.Bounds, func(row scop.Affine) bool {
		return len(row.Iters) > 0 && row.Iters[0] != 0 && slices.ContainsFunc(row.Iters[1:], func(c int64) bool { return c != 0 })
	})
}

// storesOfLast returns the stores of what a full tile after this one would write
// again, where none follows and the next needs it: only that there are some, where what is between full tiles is wanted.
func (ph *tiles) storesOfLast() []gpu.Node {
	var nodes []gpu.Node
	for _, f := range ph.staged {
		for i, c := range ph.missed(f) {
			if c.Count() == 0 {
				continue
			}
			if ph.between {
				return []gpu.Node{gpu.If{Cond: ph.last, Role: gpu.Role{Kind: gpu.LastFull}}}
			}
			shared, global := f.refs(f.full.planes[i])
			for _, g := range pointset.Gather(pointset.Decompose(c)) {
				nodes = append(nodes, ph.points(loopsOver(g.Hull, f.vars, f.origin()), g.Guard(f.vars, f.origin()),
					gpu.Copy{To: global, From: shared}, f.role(gpu.StoreLast)))
			}
		}
	}
	if len(nodes) == 0 {
		return nil
	}
	return []gpu.Node{gpu.If{Cond: ph.last, Then: append(nodes, gpu.Barrier{}), Role: gpu.Role{Kind: gpu.LastFull}}}
}

// lastStores returns the elements that a full tile copies out that no full tile follows.
func (ph *plan) lastStores(f *staged) int64 {
	n := f.stores()
	for _, c := range ph.missed(f) {
		n += c.Count()
	}
	return n
}

// stores returns the elements that a full tile copies out that a full tile follows.
func (f *staged) stores() int64 {
	n := f.full.stores()
	for _, c := range f.again {
		n -= c.Count()
	}
	return n
}
