package symbolic

import (
	"fmt"
	"slices"

	"github.com/hexcc/hexcc/scop"
)

// This file compares what full tiles leave in global memory with what the program leaves there.
//
// An element may be left with an older value if the next tile of the block, full or not, writes it before
// anything reads it. That is certain where the element is written by an instance that exists
// wherever the full tile does: its time is that of a step of the full tile, its place
// in space one where the full tile runs the same statement, and no bound of the statement mixes the two.

// left fails unless all elements are left as the program leaves them, after so many tiles.
func (x *execution) left(tiles int) {
	old := map[int]bool{}
	for _, a := range x.areas {
		if a.buffer != nil {
			continue
		}
		for i := a.first; i < a.first+a.cells(); i++ {
			if x.cells[i].value != x.leaves[i] {
				old[i] = true
			}
		}
	}
	if len(old) == 0 {
		return
	}
	if x.body.loop != "" {
		x.follow(tiles, old)
	}
	for _, a := range x.areas {
		for i := a.first; i < a.first+a.cells(); i++ {
			if a.buffer == nil && old[i] {
				panic(wrong(fmt.Sprintf("%s is left as %s, where the program leaves %s", a.element(i), x.name(x.cells[i].value), x.name(x.leaves[i]))))
			}
		}
	}
}

// follow takes those elements out of old that the tile after so many full ones writes.
func (x *execution) follow(tiles int, old map[int]bool) {
	x.vars[i0] = int64(tiles)
	dim := slices.Index(x.names.Tiles, x.body.loop)
	stride := x.schedule.Phases[x.kernel.Phase].Space[dim].Stride
	certain := map[*scop.Stmt]map[string]bool{} // places where the last full tile runs a statement, as the next tile names them
	for _, s := range x.slices {
		if certain[s.Stmt] == nil {
			certain[s.Stmt] = map[string]bool{}
		}
		if mixes(s.Stmt) {
			continue
		}
		x.eachPoint(s, func(int) {
			at := x.place(s)
			at[dim] -= stride
			certain[s.Stmt][fmt.Sprint(at)] = true
		})
	}
	for _, s := range x.slices {
		x.eachPoint(s, func(int) {
			sure := certain[s.Stmt][fmt.Sprint(x.place(s))]
			for k := range s.touch {
				a := &s.touch[k]
				cell, ok := x.inArea(a)
				if !ok || !old[cell] {
					continue
				}
				if !a.write || a.keeps {
					panic(wrong(fmt.Sprintf("%s is left as %s, and the next tile may read it by %s", a.area.element(cell), x.name(x.cells[cell].value), s.Stmt.Accesses[k].Text)))
				}
				if sure {
					delete(old, cell)
				}
			}
		})
	}
}

// mixes reports whether a bound of st depends on time and space.
func mixes(st *scop.Stmt) bool {
	return slices.ContainsFunc(st.Bounds, func(row scop.Affine) bool {
		return len(row.Iters) > 0 && row.Iters[0] != 0 && slices.ContainsFunc(row.Iters[1:], func(c int64) bool { return c != 0 })
	})
}

// place returns the local coordinates of the present point.
func (x *execution) place(s slice) []int64 {
	at := make([]int64, len(s.Lo))
	for p, b := range x.names.Points {
		at[p] = x.vars[x.slots[b]]
	}
	return at
}

// inArea returns the cell that a touches, if it is one of those watched.
func (x *execution) inArea(a *access) (cell int, ok bool) {
	for d := range a.index {
		if v := a.index[d].value(x.vars); v < a.area.lo[d] || v >= a.area.lo[d]+a.area.size[d] {
			return 0, false
		}
	}
	return x.address(a), true
}
