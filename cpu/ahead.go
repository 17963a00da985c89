package cpu

import (
	"fmt"
	"maps"
	"slices"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/machine"
	"github.com/hexcc/hexcc/scop"
)

// This file says what to fetch from memory while a step runs: what the next iteration of
// the time loop is the first to touch, as the hexagon grows and tiles lean.

// An Ahead says what a step of a statement is the first to touch that comes so many steps later: the next one, or one of the next pass.
type Ahead struct {
	Lean  int64  // elements by which its rows start earlier
	Grows int64  // it has more rows than this step while Var of the Tile is less
	Rows  []Rows // by array
}

// Rows are the rows of an array that points of the next step read.
type Rows struct {
	From  *scop.Access // one that a point itself reads then, in the row of the point or next to it
	Reach int64        // elements by which points read earlier ones of the row
	Index int          // the subscript that counts rows along the first dimension
	// Before and After are the rows that neither this step touches, nor one before that one, as ranges from that of From at its
	// first row, and at its last: [-2, -1] and [1, 2]. Where the first number is larger there are none.
	Before, After [2]int64
}

// ahead returns what to fetch while a step runs, for the step that many later.
func (m *maker) ahead(st *scop.Stmt, steps int64) Ahead {
	c := m.loops.Schedule.Canonical
	last := len(c.Space) - 1
	if first := c.Places[st.Order][0]; last < 1 || first.Sign() != 1 || aligned(c, st) == nil {
		return Ahead{}
	}
	lows, highs := m.loops.Boxes(m.phase, st, 0)
	starts, _ := m.loops.Boxes(m.phase, st, last)
	a := Ahead{}
	down, up := int64(0), int64(0)
	for q := range len(lows) - int(steps) {
		then := q + int(steps)
		down, up = max(down, lows[q]-lows[then]), max(up, highs[then]-highs[q])
		if lows[then] < lows[q] || highs[then] > highs[q] {
			a.Grows = int64(q) + 1
		}
		a.Lean = max(a.Lean, starts[q]-starts[then])
	}
	now, next := m.touched(st, 0), m.touched(st, steps)
	for k := range steps - 1 { // steps between touch rows, too, of hexagons that have grown less
		for key, t := range m.touched(st, k+1) {
			grown := [2]int64{t.all[0] - down*(k+1)/steps, t.all[1] + up*(k+1)/steps}
			if have, ok := now[key]; ok {
				t.all = [2]int64{min(have.all[0], grown[0]), max(have.all[1], grown[1])}
			} else {
				t.all = grown
			}
			now[key] = t
		}
	}
	for _, key := range slices.Sorted(maps.Keys(next)) {
		t := next[key]
		if t.from == nil {
			continue
		}
		have, ok := now[key]
		if !ok {
			have = t
		}
		own := t.from.Index[t.index].Const
		a.Rows = append(a.Rows, Rows{
			From: t.from, Reach: t.from.Index[len(t.from.Index)-1].Const - t.start, Index: t.index,
			Before: [2]int64{t.reads[0] - down - own, have.all[0] - 1 - own}, After: [2]int64{have.all[1] + 1 - own, t.reads[1] + up - own},
		})
	}
	return a
}

// touched is what the points of a step touch of an array: with subscripts that differ only in
// constants, and there only as space iterators move them.
type touched struct {
	index      int          // the subscript that counts rows along the first dimension
	all, reads [2]int64     // the range of its constant
	from       *scop.Access // that which is read next to the point, nil: none
	start      int64        // the least constant of the last subscript that is read
}

// touched returns what the points of a step touch so many iterations of the time loop later.
func (m *maker) touched(st *scop.Stmt, later int64) map[string]touched {
	found := map[string]touched{}
	for _, a := range st.Accesses {
		a, index, key := m.rowsOf(st, a, later)
		if index < 0 {
			continue
		}
		row, start := a.Index[index].Const, a.Index[len(a.Index)-1].Const
		t, ok := found[key]
		if !ok {
			t.index, t.all = index, [2]int64{row, row}
		}
		t.all = [2]int64{min(t.all[0], row), max(t.all[1], row)}
		if !a.Write {
			if t.from == nil {
				t.reads, t.start = [2]int64{row, row}, start
			}
			t.reads, t.start = [2]int64{min(t.reads[0], row), max(t.reads[1], row)}, min(t.start, start)
			if t.from == nil || distance(a) < distance(t.from) {
				t.from = a
			}
		}
		found[key] = t
	}
	return found
}

// rowsOf returns a so many iterations of the time loop later, the subscript that counts rows along the
// first dimension, and what tells which array it is of; -1: rows do not lie along the last dimension.
func (m *maker) rowsOf(st *scop.Stmt, a *scop.Access, later int64) (moved *scop.Access, index int, key string) {
	places := m.loops.Schedule.Canonical.Places[st.Order]
	first, along := places[0].Iter, places[len(places)-1].Iter
	at := *a
	at.Index = slices.Clone(a.Index)
	index = -1
	key = a.Array.Name
	for i := range at.Index {
		x := &at.Index[i]
		x.Const += later * x.Coef(0)
		if x.Mod > 0 {
			x.Const = affine.Remainder(x.Const, x.Mod)
		}
		space := false
		for iter := 1; iter < len(st.Iters); iter++ {
			space = space || x.Coef(iter) != 0
		}
		if c := x.Coef(first); c != 0 {
			if c != 1 || x.Mod > 0 || index >= 0 {
				return a, -1, ""
			}
			index = i
		}
		if c := x.Coef(along); (c != 0) != (i == len(at.Index)-1) || c > 1 || c < 0 || c != 0 && x.Mod > 0 {
			return a, -1, ""
		}
		fixed := *x
		if space {
			fixed.Const = 0
		}
		key += fmt.Sprint(" ", fixed)
	}
	if index == len(at.Index)-1 {
		return a, -1, ""
	}
	return &at, index, key
}

// distance returns how far what a touches is from the point, in all dimensions together.
func distance(a *scop.Access) (d int64) {
	for _, x := range a.Index {
		if x.Mod == 0 {
			d += max(x.Const, -x.Const)
		}
	}
	return d
}

// fetches returns what to fetch while a group of so many rows runs, in a nest of so many loops, by row, then array.
func (a Ahead) fetches(size, loops int) (all []Fetch) {
	for row := range size {
		for _, rows := range a.Rows {
			f := Fetch{Row: row, Rows: rows, Since: a.Lean + rows.Reach}
			if bytes := f.Since * int64(rows.From.Array.Elem.Size()); a.Lean > 0 {
				for at := int64(0); at < bytes && at < mostLines*machine.CacheLine; at += machine.CacheLine {
					f.Lines = append(f.Lines, at)
				}
			}
			f.Beyond = a.Grows > 0 && rows.beyond() > 0 && a.beyond() <= mostBeyond && (row == 0 || loops > 2)
			all = append(all, f)
		}
	}
	return all
}

// beyond returns how many rows the next step touches that this one does not.
func (r Rows) beyond() int64 {
	return max(0, r.Before[1]-r.Before[0]+1) + max(0, r.After[1]-r.After[0]+1)
}

// beyond returns how many those are of all arrays.
func (a Ahead) beyond() (n int64) {
	for _, rows := range a.Rows {
		n += rows.beyond()
	}
	return n
}

// mostBeyond is how many rows beyond are fetched at most: of more, computing their addresses takes longer than is gained.
const mostBeyond = 7

// mostLines is how many lines are fetched at the start of a row.
const mostLines = 4
