package poly

import "sync"

// A workspace is the memory of a system or a solver that ends within one operation, which leaves it to the next one: an operation on
// sets of many parts makes a system for each pair of them, and most of these are empty.
type workspace struct {
	ints  []Int
	rows  []row
	merge merger
}

var workspaces = sync.Pool{New: func() any { return new(workspace) }}

// borrowWorkspace returns one with room for rows, and with so many Ints, which are 0.
func borrowWorkspace(rows, ints int) *workspace {
	w := workspaces.Get().(*workspace)
	if cap(w.ints) < ints {
		w.ints = make([]Int, ints)
	} else {
		w.ints = w.ints[:ints]
		clear(w.ints)
	}
	if cap(w.rows) < rows {
		w.rows = make([]row, 0, rows)
	}
	return w
}

// spoil makes giveBack overwrite the memory, so that results of operations that still refer to it are wrong: tests set it.
var spoil = false

// giveBack leaves the memory to others, with what merge has grown to: nothing may refer to it any more.
func (w *workspace) giveBack(merge merger) {
	if spoil {
		w.overwrite()
	}
	w.merge = merge
	workspaces.Put(w)
}

// overwrite fills the memory with nonsense.
func (w *workspace) overwrite() {
	for i := range w.ints {
		w.ints[i] = Int{small: int64(i)*7919 + 13}
	}
	rows := w.rows[:cap(w.rows)]
	for i := range rows {
		rows[i] = row{eq: i%2 == 0}
	}
}

// borrow lets s, which has no rows yet, have those of parts in a workspace. Once what is made of s is finished, which copies, it is to be given back.
func (s *system) borrow(parts ...Basic) {
	rows, divs := 0, 0
	for _, b := range parts {
		rows, divs = rows+len(b.rows), divs+len(b.divs)
	}
	const perDiv = 3 // vecs that addDiv takes
	s.rowsIn(borrowWorkspace(rows, (rows+perDiv*divs)*(s.width()+divs+spareDivs)))
}

// rowsIn lets s, which has no rows yet, have them in w.
func (s *system) rowsIn(w *workspace) {
	s.memory, s.slab, s.rows, s.merge = w, w.ints, w.rows[:0], w.merge
}

// with returns a copy of s and rows, in a workspace, which is to be given back.
func (s *system) with(rows ...row) *system {
	c := s.withoutRows()
	n := len(s.rows) + len(rows)
	c.rowsIn(borrowWorkspace(n, n*(s.width()+spareDivs)))
	c.copyRows(s.rows)
	c.copyRows(rows)
	return c
}

// giveBack gives the workspace back: s is not to be used any more.
func (s *system) giveBack() { s.memory.giveBack(s.merge) }

// only is solve of a solver that is not to be used any more, and gives its workspace back.
func (s *solver) only() (vec, bool) {
	x, ok := s.solve()
	s.memory.giveBack(s.merge)
	return x, ok
}
