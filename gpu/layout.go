package gpu

import (
	"fmt"
	"slices"

	"github.com/hexcc/hexcc/astgen"
	"github.com/hexcc/hexcc/schedule"
	"github.com/hexcc/hexcc/scop"
)

// A layout says where the elements of an array lie relative to a tile. Element
// x of a dimension has index base + x there, modulo mod if mod > 0. At each
// access of a slice x is a number, or local coordinate b_p plus a number.
type layout struct {
	array *scop.Array
	base  []astgen.Sum // without constant; the same for all accesses
	space []int        // the p of each dimension; -1: x is a number
	mod   []int64
	write bool // some access writes
}

// looped reports whether copies run through dimension k with a loop: where x
// follows a coordinate, or is one of several numbers in an array that is only read.
func (l layout) looped(k int) bool {
	return l.space[k] >= 0 || !l.write && l.mod[k] == 0
}

// loopedDims returns the array dimensions that copies run through with loops.
func (l layout) loopedDims() []int {
	var dims []int
	for k := range l.space {
		if l.looped(k) {
			dims = append(dims, k)
		}
	}
	return dims
}

// index returns the subscripts of acc at the instances of s. Inside the
// domain they are those of the program.
func index(sc *scop.Program, s astgen.Slice, acc *scop.Access) []astgen.Sum {
	sums := make([]astgen.Sum, len(acc.Index))
	for k, ix := range acc.Index {
		sums[k] = astgen.Affine(sc, ix.Affine, s.Iters)
	}
	return sums
}

// globalIndex returns the subscripts of acc at the instances of s as expressions.
func globalIndex(sc *scop.Program, s astgen.Slice, acc *scop.Access) []astgen.Expr {
	var es []astgen.Expr
	for k, x := range index(sc, s, acc) {
		if m := acc.Index[k].Mod; m > 0 {
			es = append(es, astgen.Modulo(x, m))
		} else {
			es = append(es, x)
		}
	}
	return es
}

// layoutOf returns the layout of array in the tiles with these slices, or why it has none.
func layoutOf(c *schedule.Canonical, n astgen.Names, all []astgen.Slice, array *scop.Array) (layout, string) {
	l := layout{array: array}
	for k := range array.Extents {
		p, why := spaceOf(c.Scop, n, all, array, k)
		if why != "" {
			return l, why
		}
		if p >= 0 && slices.Contains(l.space, p) {
			return l, fmt.Sprintf("two subscripts follow space dimension %d", p)
		}
		l.space = append(l.space, p)
	}
	why := ""
	forAccesses(all, array, func(s astgen.Slice, acc *scop.Access) {
		l.write = l.write || acc.Write
		for k, ix := range acc.Index {
			x, ok := l.relative(c, n, s, acc, k)
			if !ok {
				why = fmt.Sprintf("subscript %d of %s follows no loop", k, acc.Text)
				return
			}
			if len(l.base) <= k {
				l.base = append(l.base, x.Add(-x.Const))
				l.mod = append(l.mod, ix.Mod)
			}
			if !l.base[k].Equal(x.Add(-x.Const)) || l.mod[k] != ix.Mod || ix.Mod > 0 && l.space[k] >= 0 {
				why = fmt.Sprintf("subscript %d of %s is no constant away from that of another access", k, acc.Text)
				return
			}
		}
	})
	if why == "" && l.base == nil {
		why = unused
	}
	return l, why
}

// unused is why an array that no tile uses has no layout.
const unused = "no tile uses it"

// spaceOf returns the space dimension that subscript k of the accesses follows, -1 for none.
func spaceOf(sc *scop.Program, n astgen.Names, all []astgen.Slice, array *scop.Array, k int) (space int, why string) {
	space = -1
	forAccesses(all, array, func(s astgen.Slice, acc *scop.Access) {
		x := index(sc, s, acc)[k]
		for p, b := range n.Points {
			switch c := x.Coef(b); {
			case c == 0:
			case c != 1 || space >= 0 && space != p:
				why = fmt.Sprintf("subscript %d of %s is not one loop variable plus a constant", k, acc.Text)
			default:
				space = p
			}
		}
	})
	return space, why
}

// forAccesses calls f with each access to array in each slice.
func forAccesses(all []astgen.Slice, array *scop.Array, f func(s astgen.Slice, acc *scop.Access)) {
	for _, s := range all {
		for _, acc := range s.Stmt.Accesses {
			if acc.Array == array {
				f(s, acc)
			}
		}
	}
}

// relative returns subscript k of acc at s without local coordinates. A
// subscript that does not follow space dimension p, in a nest that runs at
// s_p = Shift only, is taken to: Shift stands for s_p.
func (l layout) relative(c *schedule.Canonical, n astgen.Names, s astgen.Slice, acc *scop.Access, k int) (astgen.Sum, bool) {
	x := index(c.Scop, s, acc)[k]
	p := l.space[k]
	if p < 0 {
		return x, true
	}
	if x.Coef(n.Points[p]) == 0 {
		place := c.Places[s.Stmt.Order][p]
		if place.Iter >= 0 {
			return x, false
		}
		x = x.Plus(s.Space[p]).Minus(astgen.Affine(c.Scop, place.Shift, nil))
	}
	return x.Without(n.Points[p]), true
}

// A touch is the elements x of an array that an access of a slice uses, as a
// box that is one point in dimensions that follow no coordinate.
type touch struct {
	slice  int // index in the slices of the phase
	access *scop.Access
	offset []int64 // x - b_p, or x
	box
}

// touches returns what the accesses of the slices use, in the order they run.
func (l layout) touches(c *schedule.Canonical, n astgen.Names, all []astgen.Slice) []touch {
	var ts []touch
	for i, s := range all {
		for _, acc := range s.Stmt.Accesses {
			if acc.Array != l.array {
				continue
			}
			t := touch{slice: i, access: acc}
			for k := range acc.Index {
				x, _ := l.relative(c, n, s, acc, k)
				off := x.Const
				if m := l.mod[k]; m > 0 {
					off = ((off % m) + m) % m
				}
				lo, hi := off, off
				if p := l.space[k]; p >= 0 {
					lo, hi = off+s.Lo[p], off+s.Hi[p]
				}
				t.offset, t.lo, t.hi = append(t.offset, off), append(t.lo, lo), append(t.hi, hi)
			}
			ts = append(ts, t)
		}
	}
	return ts
}

// instanceRows returns rows that hold where an instance of s uses element x by
// t: the coordinates of the instance, solved from x, lie in the box and make the
// rows of the domain >= 0. A coordinate that neither an element nor its nest
// fixes is left out, with the rows in it: see solvable.
func (ph *phase) instanceRows(l layout, s astgen.Slice, t touch, x []astgen.Sum) []astgen.Sum {
	by := map[string]astgen.Sum{}
	for k, p := range l.space {
		if p >= 0 {
			by[ph.names.Points[p]] = x[k].Add(-t.offset[k])
		}
	}
	places := ph.schedule.Canonical.Places[s.Stmt.Order]
	for p, b := range ph.names.Points {
		if _, ok := by[b]; !ok && places[p].Iter < 0 { // s_p = Shift
			by[b] = astgen.Affine(ph.scop, places[p].Shift, nil).Minus(s.Space[p].Without(b))
		}
	}
	var rows []astgen.Sum
	for p, b := range ph.names.Points {
		if at, ok := by[b]; ok {
			rows = append(rows, at.Add(-s.Lo[p]), at.Times(-1).Add(s.Hi[p]))
		}
	}
	for _, r := range s.Rows {
		if !slices.ContainsFunc(ph.names.Points, func(b string) bool { _, ok := by[b]; return !ok && r.Coef(b) != 0 }) {
			rows = append(rows, r.Subst(by))
		}
	}
	return simplest(rows)
}
