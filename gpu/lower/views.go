package lower

import (
	"slices"

	"github.com/hexcc/hexcc/schedule"
	"github.com/hexcc/hexcc/scop"
)

// This file takes arrays of folded programs apart into views. Where dimensions are folded (schedule/fold.go), a tile uses an array in several
// places: elements i near s, by statements of the lower half, and n-1-i by those of the upper. A view is the elements that the
// statements of one combination of halves use in full tiles, where no other does (scop.Stmt.Whole): it has a layout of its own, in which
// subscripts may fall where coordinates grow, and a buffer of its own. Tiles that are not full, as those at the seams, use elements of several
// halves by one access, and leave such arrays in global memory.

// A views is which view of its array an access of a full tile uses.
type views struct {
	all []*scop.Array // arrays, and in place of those that are taken apart their views: copies of the array, which stand for it
	by  map[*scop.Access]*scop.Array
	of  map[*scop.Array]*scop.Array // the array of each view
}

// viewsOf returns the views of the arrays of a program.
func viewsOf(c *schedule.Canonical) views {
	v := views{by: map[*scop.Access]*scop.Array{}, of: map[*scop.Array]*scop.Array{}}
	for _, array := range c.Scop.Arrays {
		v.all = append(v.all, v.take(c, array)...)
	}
	return v
}

// take returns the views of array, or array.
func (v views) take(c *schedule.Canonical, array *scop.Array) []*scop.Array {
	var views []*scop.Array
	var sides [][]bool
	by := map[*scop.Access]*scop.Array{}
	folded := false
	for _, st := range c.Scop.Stmts {
		if never(st) {
			continue
		}
		for _, acc := range st.Accesses {
			if acc.Array != array {
				continue
			}
			side := falling(c, st, acc)
			folded = folded || slices.Contains(side, true)
			i := slices.IndexFunc(sides, func(have []bool) bool { return slices.Equal(have, side) })
			if i < 0 {
				i = len(sides)
				view := *array
				views, sides = append(views, &view), append(sides, side)
			}
			by[acc] = views[i]
		}
	}
	if !folded {
		return []*scop.Array{array}
	}
	for _, view := range views {
		v.of[view] = array
	}
	for acc, view := range by {
		v.by[acc] = view
	}
	return views
}

// halves reports whether some array is taken apart.
func (v views) halves() bool { return len(v.of) > 0 }

// never reports whether no full tile has st.
func never(st *scop.Stmt) bool {
	return slices.ContainsFunc(st.Whole, func(row scop.Affine) bool {
		variable := func(k int64) bool { return k != 0 }
		return row.Const < 0 && !slices.ContainsFunc(row.Iters, variable) && !slices.ContainsFunc(row.Params, variable)
	})
}

// falling returns, by dimension, whether the subscript of acc, an access of a folded statement, falls where the coordinate that it follows grows.
func falling(c *schedule.Canonical, st *scop.Stmt, acc *scop.Access) []bool {
	side := make([]bool, len(acc.Index))
	if len(st.Whole) == 0 {
		return side
	}
	for k, ix := range acc.Index {
		for i, coef := range ix.Iters {
			for _, at := range c.Places[st.Order] {
				side[k] = side[k] || i > 0 && at.Iter == i && coef*at.Sign() < 0
			}
		}
	}
	return side
}

// view returns the view that acc uses in full tiles, or its array.
func (v views) view(acc *scop.Access) *scop.Array {
	if view := v.by[acc]; view != nil {
		return view
	}
	return acc.Array
}

// array returns what view is a view of.
func (v views) array(view *scop.Array) *scop.Array {
	if array := v.of[view]; array != nil {
		return array
	}
	return view
}
