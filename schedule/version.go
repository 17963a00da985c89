package schedule

import (
	"fmt"
	"slices"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/poly"
	"github.com/hexcc/hexcc/scop"
)

// This file lets tiles that overlap store what others of the same launch still read: an array then has two versions. The first phase of a time tile reads one of
// them and stores to the other, the second phase does it the other way round, so that each time tile ends with the array that it began with:
//
//	phase 0    A -> A_next      iterations 2hT .. 2hT + h - 1
//	phase 1    A_next -> A      iterations 2hT + h .. 2hT + 2h - 1
//
// A phase hands on all elements that its tiles own, those that no instance writes in it, too. So tiles of each phase own all elements of the array, and all
// of them run, whether they have instances or not. Then a version that a phase reads has what all instances before it have left.

// A Version says that an array is in two versions. An element belongs to the tile that owns the points s_p = subscript - Offset, of the subscript that follows
// dimension p of space.
type Version struct {
	Array, Next *scop.Array
	Space       []int        // by subscript: the dimension of space that it follows; -1: none
	Offset      []affine.Sum // by subscript that follows one, over parameters
}

// Version returns that of a, or of its second version; nil if a has none.
func (s *Schedule) Version(a *scop.Array) *Version {
	for i, v := range s.Versions {
		if v.Array == a || v.Next == a {
			return &s.Versions[i]
		}
	}
	return nil
}

// From returns the array that a phase reads in place of a, and To the one that it stores to.
func (v *Version) From(phase int) *scop.Array { return []*scop.Array{v.Array, v.Next}[phase%2] }

// To returns the array that a phase stores to in place of the one that statements write.
func (v *Version) To(phase int) *scop.Array { return v.From(phase + 1) }

// inVersions returns c with second versions of arrays, which is a program of its own, and what says so; ok is false if one of them cannot be in versions: where
// what statements write of it tells no tile.
func (c *Canonical) inVersions(arrays []*scop.Array) (_ *Canonical, versions []Version, ok bool) {
	p := *c.Scop
	p.Arrays = slices.Clone(p.Arrays)
	used := p.Names()
	for _, a := range arrays {
		v, ok := c.versionOf(a)
		if !ok {
			return nil, nil, false
		}
		name := a.Name + "_next"
		for used[name] {
			name += "_"
		}
		used[name] = true
		next := &scop.Array{Name: name, Elem: a.Elem, Extents: a.Extents, Local: true, Scratch: true, Pos: a.Pos}
		v.Next = next
		p.Arrays, versions = append(p.Arrays, next), append(versions, v)
	}
	out := *c
	out.Scop = &p
	return &out, versions, true
}

// versionOf returns how the elements of a belong to tiles, by what statements write of it.
func (c *Canonical) versionOf(a *scop.Array) (v Version, ok bool) {
	v.Array = a
	for _, st := range c.Scop.Stmts {
		for _, w := range st.Accesses {
			if !w.Write || w.Array != a {
				continue
			}
			space, offset, ok := c.follows(st, w)
			if !ok {
				return v, false
			}
			if v.Space == nil {
				v.Space, v.Offset = space, offset
			}
			for k, p := range space {
				if p >= 0 && v.Space[k] < 0 { // another statement is on one row
					v.Space[k], v.Offset[k] = p, offset[k]
				}
			}
		}
	}
	for p := range c.Space { // else several tiles would own an element
		if !slices.Contains(v.Space, p) {
			return v, false
		}
	}
	return v, v.Space != nil
}

// follows returns which dimension of space each subscript of w, by st, follows, and how far it is from it; ok is false if it is no sum of one and a number. Nor
// is it ok where each time step has elements of its own, w[t][i]: a phase would have to hand on those of all other steps, which it has nothing to do with.
func (c *Canonical) follows(st *scop.Stmt, w *scop.Access) (space []int, offset []affine.Sum, ok bool) {
	for _, x := range w.Index {
		at, rest := -1, c.Scop.Sum(scop.Affine{Const: x.Const, Params: x.Params}, nil)
		for i, coef := range x.Iters {
			if coef == 0 || i == 0 {
				continue
			}
			p := slices.IndexFunc(c.Places[st.Order], func(place Place) bool { return place.Iter == i })
			if at >= 0 || p < 0 || coef != 1 || c.Places[st.Order][p].Down || x.Mod > 0 {
				return nil, nil, false
			}
			at, rest = p, rest.Minus(c.Scop.Sum(c.Places[st.Order][p].Shift, nil))
		}
		byTime := len(x.Iters) > 0 && x.Iters[0] != 0
		if at >= 0 && (slices.Contains(space, at) || byTime) || byTime && x.Mod == 0 {
			return nil, nil, false
		}
		space, offset = append(space, at), append(offset, rest)
	}
	return space, offset, true
}

// home relates the elements of v's array to the points [s0, ..] that tell whose they are.
func (c *Canonical) home(v Version) poly.Map {
	values := make([]affine.Expr, len(c.Space))
	for k, p := range v.Space {
		if p >= 0 {
			values[p] = poly.In(k).Minus(v.Offset[k])
		}
	}
	return poly.NewFunction(c.Scop.ParamNames(), poly.Tuple{Name: v.Array.Name, Dims: poly.Dims(len(v.Space))}, poly.Tuple{Dims: poly.Dims(len(values))}, values)
}

// homeless returns an instance that writes an element of v's array which belongs to another place than its own, "" if none does.
func (p prover) homeless(v Version) string {
	c := p.s.Canonical
	home := c.home(v)
	for _, st := range c.Scop.Stmts {
		for _, w := range st.Accesses {
			if !w.Write || w.Array != v.Array {
				continue
			}
			place := poly.NewFunction(c.Scop.ParamNames(), st.Tuple(), poly.Tuple{Dims: poly.Dims(len(c.Space))}, exprs(c.vector(st, variables(st.Iters))[1:]))
			if bad := w.Map.ApplyRange(home).IntersectDomain(st.Domain).Subtract(place); !p.empty(bad) {
				return fmt.Sprintf("%s writes %s, which belongs to another tile", st.Name, w.Text)
			}
		}
	}
	return ""
}
