package ranks

import (
	"fmt"
	"slices"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/poly"
	"github.com/hexcc/hexcc/scop"
)

// This file says where the elements of an array lie: the dimension that ranks share out, and how far beside their own tiles use elements.

// lies returns how an array lies on ranks. One that nothing writes, and that tiles do not read along with where they are, all ranks have as a whole.
func (p *planner) lies(a *scop.Array) (Array, error) {
	dim, unit, err := p.dimension(a)
	var array Array
	if err == nil {
		array, err = p.around(a, dim, unit)
	}
	if err != nil && !p.scop.Writes(a) {
		return Array{Array: a, Dim: -1, Unit: 1}, nil
	}
	return array, err
}

// dimension returns the dimension of an array that runs along a dimension of tiles, -1 if none does, and its unit.
func (p *planner) dimension(a *scop.Array) (dim int, unit int64, err error) {
	dim, unit = -1, 1
	for _, st := range p.scop.Stmts {
		place := p.Schedule.Canonical.Places[st.Order][p.along]
		if place.Iter < 0 {
			continue
		}
		for _, x := range st.Accesses {
			if x.Array != a {
				continue
			}
			for d, index := range x.Index {
				if place.Iter < len(index.Iters) && index.Iters[place.Iter] != 0 {
					c := index.Iters[place.Iter]
					if c = max(c, -c); dim < 0 {
						dim, unit = d, c
					}
					if dim != d || index.Mod > 0 || c != unit {
						return -1, 1, &NotShared{x.Pos, fmt.Sprintf("%s has %s for a subscript along which ranks would share out array %s", x.Text, st.Iters[place.Iter], a.Name),
							"index one dimension of each array by the outermost loop over space, plus a number"}
					}
				}
			}
		}
	}
	if dim < 0 {
		dim = p.dimensionOfPoints(a)
	}
	if dim < 0 && p.scop.Writes(a) {
		return -1, 1, &NotShared{a.Pos, fmt.Sprintf("array %s is written, and no dimension of it runs along the loop whose tiles ranks share out", a.Name),
			"index one dimension of each array that is written by the outermost loop over space, or keep the nest that writes it out of the region"}
	}
	return dim, unit, nil
}

// dimensionOfPoints returns the dimension of an array of which statements without a loop along a dimension of tiles, as a source at A[i0][j0], use one element, by whose subscript, which is no number, they have their
// place; -1 if there is none, or it is not the same for all.
func (p *planner) dimensionOfPoints(a *scop.Array) int {
	dim := -1
	for _, st := range p.scop.Stmts {
		place := p.Schedule.Canonical.Places[st.Order][p.along]
		row := p.scop.Sum(place.Shift, nil)
		for _, x := range st.Accesses {
			if x.Array != a {
				continue
			}
			at := slices.IndexFunc(x.Index, func(index scop.Index) bool {
				return place.Iter < 0 && index.Mod == 0 && !row.IsNum() && row.Minus(p.scop.Sum(index.Affine, poly.Ins(len(st.Iters)))).IsNum()
			})
			if at < 0 || dim >= 0 && dim != at {
				return -1
			}
			dim = at
		}
	}
	return dim
}

// around returns how a lies on ranks: how far before the first element of its own, and behind the last one, a rank's tiles use elements of it.
func (p *planner) around(a *scop.Array, dim int, unit int64) (array Array, err error) {
	array = Array{Array: a, Dim: dim, Unit: unit}
	if dim < 0 {
		return array, nil
	}
	own := p.home().Space[p.along]
	for _, st := range p.scop.Stmts {
		place := p.Schedule.Canonical.Places[st.Order][p.along]
		for _, x := range st.Accesses {
			if x.Array != a || place.Iter < 0 || place.Iter >= len(x.Index[dim].Iters) || x.Index[dim].Iters[place.Iter] != -place.Sign()*unit {
				continue
			}
			if unit > 1 {
				return array, &NotShared{x.Pos, fmt.Sprintf("%s runs through array %s backwards, or around its ends, by one subscript that stands for several", x.Text, a.Name),
					"declare the array with its dimensions, such as float A[n][m]"}
			}
			if place.Down && st.Folded == nil && Pipelined(p.Schedule) && p.scop.Sum(place.Shift, nil).IsNum() && (!array.Ring || array.Reversed()) {
				array.Ring, array.Sum = true, affine.Num(reversedSum)
				continue
			}
			if !place.Down || !slices.ContainsFunc(st.Folded, func(sum *scop.Affine) bool { return sum != nil }) {
				return array, &NotShared{x.Pos, fmt.Sprintf("%s runs through array %s backwards", x.Text, a.Name), "let all loops that touch the array count up"}
			}
			if sum := p.scop.Sum(place.Shift, nil); array.Ring && !sum.Minus(array.Sum).IsNum() {
				return array, &NotShared{x.Pos, fmt.Sprintf("array %s is a ring of two different sizes", a.Name), "let all loops over the array have one range"}
			} else if !array.Ring {
				array.Ring, array.Sum = true, sum
			}
		}
	}
	for _, st := range p.scop.Stmts {
		for _, x := range st.Accesses {
			if x.Array != a || array.Ring && !array.Reversed() {
				continue
			}
			near, far, err := p.apartFrom(st, x, array)
			if err != nil {
				return array, &NotShared{x.Pos, fmt.Sprintf("%s lies at any distance from what the instance computes, along the dimension of array %s that ranks would share out", x.Text, a.Name),
					"use numbers for distances along the outermost loop over space, and keep what all points read in an array of its own, with fewer dimensions"}
			}
			if near > far {
				continue
			}
			for _, ph := range p.Schedule.Phases {
				d := ph.Space[p.along]
				least, most, _ := d.Extent()
				array.Lo = min(array.Lo, (d.Offset+least-own.Offset)*unit-far)
				array.Hi = max(array.Hi, (d.Offset+most-own.Offset-own.Stride)*unit-near+1)
			}
		}
	}
	return array, nil
}

// apartFrom returns how many elements behind that which x touches its instances lie along tiles, at least and at most: near > far where there are no instances. The error is errUnbounded.
func (p *planner) apartFrom(st *scop.Stmt, x *scop.Access, a Array) (near, far int64, err error) {
	iters := poly.Ins(len(st.Iters))
	_, s := p.placeAlong(st, iters, p.along)
	at := p.scop.Sum(x.Index[a.Dim].Affine, iters)
	if a.Reversed() {
		at = a.Sum.Minus(at)
	}
	distance := s.Times(a.Unit).Minus(at)
	if distance.IsNum() {
		return distance.Const, distance.Const, nil
	}
	to := poly.NewMap(p.params, st.Tuple(), pairs, poly.Equal(poly.Out(0), distance), poly.Equal(poly.Out(1), affine.Num(0)))
	return between(to.Apply(st.Domain.IntersectParams(p.scop.Context)).ProjectOut(p.params...))
}
