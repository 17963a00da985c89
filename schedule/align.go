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

// A frame says where the elements of an axis lie: with subscript x at
// s = x + shift in a space dimension, or at s = shift - x if down.
type frame struct {
	dim   int
	down  bool
	shift scop.Affine
}

// at returns the place that puts the iterator of subscript x where the elements lie.
func (f frame) at(x scop.Index) Place {
	iter, down := spaceIterator(x)
	shift := shiftOf(x)
	if f.down {
		shift = difference(scop.Affine{}, shift)
	}
	return Place{max(-1, iter), iter > 0 && down != f.down, difference(shift, difference(scop.Affine{}, f.shift))}
}

// frames are what is known of where arrays lie.
type frames map[axis]frame

// align returns the places of all statements of p: first those as deep as the
// space, then the others, each by the arrays it shares with those placed before; and
// those of folded halves reversed.
func align(p *scop.Program) [][]Place {
	places, _ := alignArrays(p)
	for _, st := range p.Stmts {
		for dim, sum := range st.Folded {
			if at := &places[st.Order][dim]; sum != nil {
				*at = at.reversed(*sum)
			}
		}
	}
	center(p, places)
	return places
}

// reversed returns the place sum - s of what at places at s.
func (at Place) reversed(sum scop.Affine) Place {
	return Place{at.Iter, at.Iter >= 0 && !at.Down, difference(sum, at.Shift)}
}

// alignArrays places all statements of p where the arrays lie, folded or not, and says where that is.
func alignArrays(p *scop.Program) ([][]Place, frames) {
	known := frames{}
	return known.placeAll(p, dimensions(p)), known
}

// placeAll places all statements of p in a space of n dimensions by what is known, and notes what they tell.
func (known frames) placeAll(p *scop.Program, n int) [][]Place {
	places := make([][]Place, p.K())
	stmts := slices.Clone(p.Stmts)
	slices.SortStableFunc(stmts, func(s, t *scop.Stmt) int { return reachesFar(s) - reachesFar(t) })
	for _, st := range stmts {
		if len(st.Iters)-1 == n {
			places[st.Order] = known.placeFull(st)
			known.add(st, places[st.Order])
		}
	}
	for _, st := range stmts {
		if places[st.Order] == nil {
			places[st.Order] = known.placeShallow(st, n)
			known.add(st, places[st.Order])
		}
	}
	return places
}

// reachesFar returns 1 if the elements that an instance of st uses lie apart by sums of parameters along one of its loops, as at
// the end of a ring, else 0: such statements tell least of where arrays lie.
func reachesFar(st *scop.Stmt) int {
	for iter := 1; iter < len(st.Iters); iter++ {
		var first *scop.Affine
		for _, a := range st.Accesses {
			for _, x := range a.Index {
				if at, down := spaceIterator(x); at != iter || down {
					continue
				}
				if shift := shiftOf(x); first == nil {
					first = &shift
				} else if !isNumber(difference(shift, *first)) {
					return 1
				}
			}
		}
	}
	return 0
}

// center moves all places so that the first statement's shift along each space
// dimension that it has a loop for is 0: the first one that is not placed the other way round, if there is one, so that arrays lie as they are subscripted.
func center(p *scop.Program, places [][]Place) {
	for dim := range dimensions(p) {
		first := slices.IndexFunc(places, func(at []Place) bool { return at[dim].Iter >= 0 && !at[dim].Down })
		if first < 0 {
			first = slices.IndexFunc(places, func(at []Place) bool { return at[dim].Iter >= 0 })
		}
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

// placeFull places st, which has a loop for each space dimension: by an array
// that it writes and that is placed; or in the order that the array it writes gives
// its loops, unless arrays that are placed tell otherwise; or by an array that it
// reads and that is placed; or else in the order of the loops.
func (known frames) placeFull(st *scop.Stmt) []Place {
	n := len(st.Iters) - 1
	for _, a := range byWrites(st) {
		if places, ok := known.placeBy(a, st, n); ok && a.Write {
			return places
		}
	}
	for _, a := range byWrites(st) {
		if places, ok := inArrayOrder(a, st); ok && known.agree(st, places) {
			return places
		}
	}
	for _, a := range byWrites(st) {
		if places, ok := known.placeBy(a, st, n); ok {
			return places
		}
	}
	for _, a := range byWrites(st) {
		if places, ok := inArrayOrder(a, st); ok {
			return places
		}
	}
	return inLoopOrder(st, n)
}

// inArrayOrder places st in the order of the subscripts of a, if they tell its loops apart.
func inArrayOrder(a *scop.Access, st *scop.Stmt) (places []Place, ok bool) {
	for _, x := range a.Index {
		if iter, down := spaceIterator(x); iter > 0 {
			places = append(places, Place{iter, down, shiftOf(x)})
		}
	}
	return places, len(places) == len(st.Iters)-1 && eachOnce(places, len(st.Iters))
}

// agree reports whether arrays that are placed give the loops of st the dimensions and
// directions that places give them.
func (known frames) agree(st *scop.Stmt, places []Place) bool {
	for _, a := range st.Accesses {
		for dim, x := range a.Index {
			f, found := known[axis{a.Array, dim}]
			if at := f.at(x); found && at.Iter > 0 && (places[f.dim].Iter != at.Iter || places[f.dim].Down != at.Down) {
				return false
			}
		}
	}
	return true
}

// placeShallow places st, which has fewer loops than there are dimensions, by
// the first access to an array that is placed and whose subscripts tell its
// loops apart, and otherwise in the order of the loops, innermost last.
func (known frames) placeShallow(st *scop.Stmt, n int) []Place {
	for _, a := range byWrites(st) {
		if places, ok := known.placeBy(a, st, n); ok {
			return places
		}
	}
	return inLoopOrder(st, n)
}

// placeBy places st where access a touches its array.
func (known frames) placeBy(a *scop.Access, st *scop.Stmt, n int) ([]Place, bool) {
	places := make([]Place, n)
	for i := range places {
		places[i].Iter = -1
	}
	placed := false
	for dim, x := range a.Index {
		if f, found := known[axis{a.Array, dim}]; found {
			placed = true
			places[f.dim] = f.at(x)
		}
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

// add notes where the arrays of st lie, as far as no earlier statement told.
// Writes count before reads. Numbers are left out of shifts where the array
// runs upwards: the nests are moved by numbers later.
func (known frames) add(st *scop.Stmt, places []Place) {
	for _, a := range byWrites(st) {
		for dim, x := range a.Index {
			iter, down := spaceIterator(x)
			p := slices.IndexFunc(places, func(at Place) bool { return iter > 0 && at.Iter == iter })
			if _, found := known[axis{a.Array, dim}]; found || p < 0 {
				continue
			}
			f := frame{dim: p, down: down != places[p].Down}
			f.shift = places[p].Shift
			f.shift = difference(f.shift, frame{down: f.down}.at(x).Shift)
			if !f.down {
				f.shift.Const = 0
			}
			known[axis{a.Array, dim}] = f
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
