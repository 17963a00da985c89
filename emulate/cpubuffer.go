package emulate

import (
	"fmt"
	"slices"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/scop"
)

// This file runs tiles that overlap as a CPU does: each with buffers of its own, in which nothing is when it starts, whatever the tile before has left there.

// A scratch is what makes elements those of a buffer.
type scratch struct {
	origin []affine.Sum
	from   []func() int64 // what to subtract from subscripts, over the variables of the tile that runs
	by     []uint32       // by element, the tile that wrote it last; 0: none
	shadow []uint32       // by element, the tile whose accesses are remembered
}

// overlap prepares a run of tiles that overlap.
func (m *processor) overlap() {
	for _, d := range m.domains {
		d.by = make([]uint32, len(d.ran)*64)
	}
	for i := range m.prog.Buffers {
		b := &m.prog.Buffers[i]
		cells := int64(1)
		for _, n := range b.Shape {
			cells *= n
		}
		x := newElements(&scop.Storage{Array: b.Array, Extent: b.Shape, Cells: make([]uint64, cells)}, m)
		x.planes, x.first, x.used = 1, 0, cells
		x.scratch = &scratch{origin: b.Origin, by: make([]uint32, cells), shadow: make([]uint32, cells)}
		m.arrays[b.Array] = x
	}
}

// ownTile returns the code of a tile, which starts with empty buffers: unless it has run another part of the tile just before.
func (m *processor) ownTile(run func()) func() {
	if !m.prog.Schedule.Overlaps() {
		return run
	}
	var vars []*int64
	for _, name := range append([]string{m.prog.Names.T}, m.prog.Names.Tiles...) {
		vars = append(vars, m.vars[name])
	}
	from := map[*elements][]func() int64{} // each phase has variables of its own
	for _, x := range m.arrays {
		if x.scratch != nil {
			for _, e := range x.origin {
				from[x] = append(from[x], m.expr(e))
			}
		}
	}
	return func() {
		for x, origin := range from {
			x.from = origin
		}
		place := make([]int64, len(vars))
		for i, v := range vars {
			place[i] = *v
		}
		if !slices.Equal(place, m.place) {
			m.place = place
			m.serial++
		}
		run()
	}
}

// own returns subscript k of an access to the array of x in what the tile has of it, of one that is v in the array.
func (x *elements) own(a *scop.Access, k int, v int64) int64 {
	if x.scratch != nil && a.Index[k].Mod == 0 {
		return v - x.from[k]()
	}
	return v
}

// ofTile reports whether the tile that runs has written element at of x, which is in a buffer, and notes it if not.
func (m *processor) ofTile(x *elements, at int64, st *scop.Stmt) {
	if x.scratch == nil || x.by[at] == m.serial {
		return
	}
	if !m.wanted(Uninitialised) {
		m.report.Counts[Uninitialised]++
		return
	}
	m.found(Finding{Kind: Uninitialised, Element: m.inArray(x, at), Msg: fmt.Sprintf("the tile has not written it, and %s reads it", st.Name)})
}

// fresh forgets who has used element at of x, which is in a buffer, in another tile.
func (m *processor) fresh(x *elements, at int64) {
	if x.scratch != nil && x.shadow[at] != m.serial {
		x.shadow[at], x.shadows[at] = m.serial, elementShadow{}
	}
}

// inArray names the element of the array that element at of a buffer stands for.
func (m *processor) inArray(x *elements, at int64) string {
	index := make([]int64, len(x.Extent))
	for d := len(index) - 1; d >= 0; d-- {
		index[d] = at%x.Extent[d] + x.from[d]()
		at /= x.Extent[d]
	}
	return elementName(x.Array.Name, index)
}
