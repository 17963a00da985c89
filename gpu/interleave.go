package gpu

import (
	"slices"

	"github.com/hexcc/hexcc/astgen"
	"github.com/hexcc/hexcc/scop"
)

// This file stores results to global memory as they are computed, in place of
// copies after the last step: each element by the step that writes it last in the tile.

// A final is what a write of a step writes for the last time in a full tile.
type final struct {
	plane *plane
	touch touch
	cells cells
}

// finals returns what acc writes for the last time at slice i of a full tile;
// ok is false if it writes nothing that stays.
func (f *staged) finals(i int, acc *scop.Access) (final, bool) {
	for _, pl := range f.full.planes {
		later := pl.written.grid.none()
		for _, w := range slices.Backward(pl.writers) {
			b := w.only(f.loop)
			if w.slice == i && w.access == acc {
				mine := later.grid.none()
				mine.addExcept(b, later)
				return final{pl, w, mine}, mine.count() > 0
			}
			later.add(b)
		}
	}
	return final{}, false
}

// stores returns the stores to global memory of what s, slice i of a full tile,
// writes for the last time: by the threads that have computed it.
func (ph *phase) stores(i int, s astgen.Step) []work {
	var all []work
	at := ph.slice(s.A)
	spans := ph.pointSpans(s)
	for k, acc := range s.Stmt.Accesses {
		f := ph.find(acc.Array)
		if !acc.Write || f == nil {
			continue
		}
		last, ok := f.finals(i, acc)
		if !ok || slices.ContainsFunc(s.Stmt.Accesses[k+1:], func(b *scop.Access) bool { return f.sameElement(ph, i, b, last.touch) }) {
			continue
		}
		shared := ph.ref(at, acc)
		global := f.globalOf(ph, last.touch)
		guard, around := f.whereFinal(ph, last)
		c := Copy{To: global, From: shared}
		all = append(all, work{
			nodes:   func() []Node { return ph.deal(spans, guard, "store "+f.array.Name, c.at) },
			effects: f.copyEffectsBy(last.plane, around, c, ph.effect(at, acc, loopsOf(spans)).by),
		})
	}
	return all
}

// sameElement reports whether b writes what t does at slice i.
func (f *staged) sameElement(ph *phase, i int, b *scop.Access, t touch) bool {
	return b.Write && b.Array == f.array && slices.Equal(f.layout.touch(i, ph.full[i], b, ph.timeOf(ph.full[i])).offset, t.offset)
}

// pointSpans returns the loops over the points of a step of a full tile.
func (ph *phase) pointSpans(s astgen.Step) []span {
	spans := make([]span, len(s.Loops))
	for p, l := range s.Loops {
		spans[p] = span{name: l.Var, lo: l.BoxLo, hi: l.BoxHi, axis: ph.axisOf(p)}
	}
	return spans
}

// globalOf returns the element of the array that t touches, over the local coordinates.
func (f *staged) globalOf(ph *phase, t touch) Ref {
	r := Ref{Array: f.array}
	for k := range f.space {
		r.Index = append(r.Index, f.globalAt(k, f.local(ph, t, k)))
	}
	return r
}

// whereFinal returns the points that write for the last time, and the box of their elements.
func (f *staged) whereFinal(ph *phase, last final) (astgen.Cond, box) {
	vars, offsets := make([]string, len(f.loop)), make([]int64, len(f.loop))
	for i, k := range f.loop {
		vars[i], offsets[i] = ph.names.Points[f.space[k]], last.touch.offset[k]
	}
	var guard astgen.Cond
	for _, r := range decompose(last.cells) {
		guard = append(guard, group{hull: r, parts: []region{r}}.rows(vars, offsets)...)
	}
	around, _ := last.cells.bounds()
	return guard, around
}
