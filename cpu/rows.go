package cpu

import (
	"slices"
	"strconv"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/astgen"
	"github.com/hexcc/hexcc/schedule"
	"github.com/hexcc/hexcc/scop"
)

// This file says what the rows of a step, the loops over the last dimension, are
// to run like: several side by side, and from where a cache line starts.

// sideBySide is how many rows run side by side if any do. More rows load less still, but
// take more addresses than there are registers.
const sideBySide = 3

// rows returns how many rows of a step run side by side: SideBySide, where they are equally long.
func rows(c *schedule.Canonical, st astgen.Step) int {
	last := len(st.Loops) - 1
	if last < 1 {
		return 1
	}
	for _, e := range []affine.Expr{st.Loops[last].Lo, st.Loops[last].Hi} {
		mixed := false
		affine.Vars(e, func(name string) { mixed = mixed || name == st.Loops[last-1].Var })
		if mixed {
			return 1
		}
	}
	return SideBySide(c, st.Stmt)
}

// SideBySide returns how many rows next to each other run side by side, if they are equally long:
// several if they load, together, at most three quarters of what they load one after the other, else 1.
func SideBySide(c *schedule.Canonical, st *scop.Stmt) int {
	n, _, _ := Beside(c, st)
	return n
}

// Beside is SideBySide, and what points of so many rows load one row after the other, and together, at one place along them, in loads of whole cache lines.
func Beside(c *schedule.Canonical, st *scop.Stmt) (rows, alone, beside int) {
	next := across(c, st)
	if next < 0 || readsStored(st) {
		return 1, 0, 0
	}
	one, together, align := loads{}, loads{}, aligned(c, st)
	for _, a := range st.Accesses {
		if a.Write {
			continue
		}
		one.add(a, next, 0, align)
		for row := range int64(sideBySide) {
			together.add(a, next, row, align)
		}
	}
	if n := sideBySide * one.cost(); n > 0 && 4*together.cost() <= 3*n {
		return sideBySide, n, together.cost()
	}
	return 1, one.cost(), one.cost()
}

// across returns the iterator of st that leads from row to row, -1 if none does.
func across(c *schedule.Canonical, st *scop.Stmt) int {
	if len(c.Space) < 2 {
		return -1
	}
	return c.Places[st.Order][len(c.Space)-2].Iter
}

// loads are the elements that a point loads, by name: whether a vector of them
// crosses cache lines if the element of Align starts one.
type loads map[string]bool

// add adds the element that a touches where iterator next is row more.
func (l loads) add(a *scop.Access, next int, row int64, align *scop.Access) {
	crosses := false
	if n := len(a.Index); align != nil && n > 0 {
		last, stored := a.Index[n-1], align.Index[len(align.Index)-1]
		crosses = slices.Equal(last.Iters, stored.Iters) && slices.Equal(last.Params, stored.Params) && last.Const != stored.Const
	}
	l[element(a, next, row)] = crosses
}

// cost returns what the loads cost, in loads of whole cache lines: a load from two lines is two.
func (l loads) cost() (n int) {
	for _, crosses := range l {
		n++
		if crosses {
			n++
		}
	}
	return n
}

// readsStored reports whether the body of st reads an array after it stored to it.
func readsStored(st *scop.Stmt) (found bool) {
	st.Reads(func(_ *scop.Access, stored bool) { found = found || stored })
	return found
}

// element names the element that a touches, where iterator next is row more: its array, then each subscript in the same order of numbers.
func element(a *scop.Access, next int, row int64) string {
	name := append(make([]byte, 0, 96), a.Array.Name...)
	number := func(n int64) { name = strconv.AppendInt(append(name, ' '), n, 10) }
	for _, x := range a.Index {
		if row > 0 {
			x.Const += row * x.Iters[next]
		}
		if x.Mod > 0 {
			x.Const = affine.Remainder(x.Const, x.Mod)
		}
		number(x.Const)
		number(x.Mod)
		for _, factors := range [][]int64{x.Iters, x.Params} {
			for _, k := range factors {
				number(k)
			}
		}
	}
	return string(name)
}

// aligned returns the first access of the body that writes elements next to each
// other along rows, nil if there is none.
func aligned(c *schedule.Canonical, st *scop.Stmt) *scop.Access {
	place := c.Places[st.Order][len(c.Space)-1]
	if place.Sign() != 1 {
		return nil
	}
	for _, act := range st.Body {
		store, ok := act.(scop.Store)
		if !ok || len(store.To.Index) == 0 {
			continue
		}
		next := true
		for i, x := range store.To.Index {
			want := int64(0)
			if i == len(store.To.Index)-1 {
				want = 1
			}
			next = next && x.Iters[place.Iter] == want && (want == 0 || x.Mod == 0)
		}
		if next {
			return store.To
		}
	}
	return nil
}

// SinglePoints reports whether rows have one point at most, where a border crosses them.
func (s *Step) SinglePoints() bool { return crosses(s, len(s.Loops)-1) }

// border reports whether s has one row, plane or column of points at most, along any loop.
func border(s *Step) bool {
	for d := range s.Loops {
		if crosses(s, d) {
			return true
		}
	}
	return false
}

// Crosses reports whether a border crosses loop d: it has one turn at most.
func (s *Step) Crosses(d int) bool { return crosses(s, d) }

// crosses reports whether the iterators of s that loop d moves have one value each.
func crosses(s *Step, d int) bool {
	moved := false
	for k, e := range s.Iters {
		if s.Depth(e) != d {
			continue
		}
		if moved = true; !s.Stmt.HasOneValue(k) {
			return false
		}
	}
	return moved
}
