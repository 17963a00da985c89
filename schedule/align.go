package schedule

import (
	"slices"

	"github.com/hexcc/hexcc/scop"
)

// This file finds which loop of each nest is which space dimension. Space
// dimensions come in the order of array dimensions, so that the last one has
// stride one whatever the order of the loops, and nests of different depths meet
// where they touch the same elements: that keeps distances small. A nest that
// runs through its array backwards is placed descending.

// An axis is a dimension of an array that runs along a space dimension.
type axis struct {
	array *scop.Array
	dim   int
}

// align returns the places of all statements of p: first those as deep as the
// space, in the order that the array they write gives their loops, then the
// others, by the arrays they share with those placed before.
func align(p *scop.Program) [][]Place {
	n := dimensions(p)
	places := make([][]Place, p.K())
	axes := map[axis]int{}
	for _, st := range p.Stmts {
		if len(st.Iters)-1 == n {
			places[st.Order] = placeFull(st)
			addAxes(axes, st, places[st.Order])
		}
	}
	for _, st := range p.Stmts {
		if places[st.Order] == nil {
			places[st.Order] = placeShallow(st, n, axes)
			addAxes(axes, st, places[st.Order])
		}
	}
	center(p, places)
	return places
}

// center moves all places so that the first statement's shift along each space
// dimension that it has a loop for is 0.
func center(p *scop.Program, places [][]Place) {
	for dim := range dimensions(p) {
		first := slices.IndexFunc(places, func(at []Place) bool { return at[dim].Iter >= 0 })
		if first < 0 {
			continue
		}
		origin := places[first][dim].Shift
		for i := range places {
			places[i][dim].Shift = difference(places[i][dim].Shift, origin)
		}
	}
}

// difference returns a - b, which have no iterators.
func difference(a, b scop.Affine) scop.Affine {
	d := scop.Affine{Const: a.Const - b.Const}
	for i := range max(len(a.Params), len(b.Params)) {
		d.Params = append(d.Params, coef(a.Params, i)-coef(b.Params, i))
	}
	return d
}

// byWrites returns the accesses of st, writes first.
func byWrites(st *scop.Stmt) []*scop.Access {
	list := slices.Clone(st.Accesses)
	slices.SortStableFunc(list, func(a, b *scop.Access) int {
		switch {
		case a.Write == b.Write:
			return 0
		case a.Write:
			return -1
		}
		return 1
	})
	return list
}

// placeFull places st, which has a loop for each space dimension, by the first
// access whose subscripts tell its loops apart, and otherwise in the order of the loops.
func placeFull(st *scop.Stmt) []Place {
	for _, a := range byWrites(st) {
		var places []Place
		for _, x := range a.Index {
			if iter, down := spaceIterator(x); iter > 0 {
				places = append(places, Place{iter, down, shiftOf(x)})
			}
		}
		if len(places) == len(st.Iters)-1 && eachOnce(places, len(st.Iters)) {
			return places
		}
	}
	return inLoopOrder(st, len(st.Iters)-1)
}

// placeShallow places st, which has fewer loops than there are dimensions, by
// the first access to an array that is placed and whose subscripts tell its
// loops apart, and otherwise in the order of the loops, innermost last.
func placeShallow(st *scop.Stmt, n int, axes map[axis]int) []Place {
	for _, a := range byWrites(st) {
		if places, ok := placeBy(a, st, n, axes); ok {
			return places
		}
	}
	return inLoopOrder(st, n)
}

// placeBy places st where access a touches its array.
func placeBy(a *scop.Access, st *scop.Stmt, n int, axes map[axis]int) ([]Place, bool) {
	places := make([]Place, n)
	for i := range places {
		places[i].Iter = -1
	}
	placed := false
	for dim, x := range a.Index {
		p, ok := axes[axis{a.Array, dim}]
		if !ok {
			continue
		}
		placed = true
		iter, down := spaceIterator(x)
		places[p] = Place{max(-1, iter), down, shiftOf(x)}
	}
	return places, placed && eachOnce(places, len(st.Iters))
}

// inLoopOrder makes the loops of st the last of n space dimensions.
func inLoopOrder(st *scop.Stmt, n int) []Place {
	places := make([]Place, n)
	for i := range places {
		places[i].Iter = i + len(st.Iters) - n
		if places[i].Iter < 1 {
			places[i].Iter = -1
		}
	}
	return places
}

// addAxes notes along which space dimensions the arrays of st lie, where no
// earlier statement told. Writes count before reads.
func addAxes(axes map[axis]int, st *scop.Stmt, places []Place) {
	for _, a := range byWrites(st) {
		for dim, x := range a.Index {
			iter, _ := spaceIterator(x)
			p := slices.IndexFunc(places, func(at Place) bool { return iter > 0 && at.Iter == iter })
			if _, ok := axes[axis{a.Array, dim}]; !ok && p >= 0 {
				axes[axis{a.Array, dim}] = p
			}
		}
	}
}

// spaceIterator returns the space iterator of which x is a translation, or of
// whose negative if down; -1 if x has none, and -2 if x is anything else.
func spaceIterator(x scop.Index) (iter int, down bool) {
	iter = -1
	for i, c := range x.Iters {
		switch {
		case i == 0 || c == 0:
		case c*c == 1 && iter == -1 && x.Mod == 0:
			iter, down = i, c < 0
		default:
			return -2, false
		}
	}
	return iter, down
}

// shiftOf returns the part of x that does not depend on iterators.
func shiftOf(x scop.Index) scop.Affine {
	if x.Mod != 0 {
		return scop.Affine{}
	}
	return scop.Affine{Const: x.Const, Params: slices.Clone(x.Params)}
}

// eachOnce reports whether places have each of the iterators 1, .., iters-1 once.
func eachOnce(places []Place, iters int) bool {
	used := make([]bool, iters)
	count := 0
	for _, at := range places {
		if at.Iter < 0 {
			continue
		}
		if used[at.Iter] {
			return false
		}
		used[at.Iter] = true
		count++
	}
	return count == iters-1
}
