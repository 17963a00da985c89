package frontend

import (
	"fmt"
	"slices"

	"github.com/hexcc/hexcc/poly"
)

// This file finds the extent that a pointer does not have: the region accesses
// p[i] for i < n, so there are at least n elements.

// guessExtents gives each pointer the extent that its accesses need, or notes
// that there is no such expression and returns false.
func (b *builder) guessExtents() bool {
	before := len(b.errs)
	for _, d := range inOrder(b.arrays) {
		if a := b.arrays[d]; a.guess {
			b.guessExtent(a)
		}
	}
	return len(b.errs) == before
}

// A reach is the largest subscript of an access, attained whenever its nest runs.
type reach struct {
	max  linear
	nest *nest
	access
}

func (b *builder) guessExtent(a *array) {
	var reaches []reach
	for _, n := range b.nests {
		for _, x := range n.accesses {
			if x.array != a {
				continue
			}
			top, ok := maximum(x.index[a.lead], n)
			if !ok {
				b.noExtent(x, "the largest subscript of this access is not one sum of parameters")
				return
			}
			reaches = append(reaches, reach{top, n, *x})
		}
	}
	for _, r := range reaches {
		if b.dominates(r, reaches) {
			a.extents[a.lead] = r.max.addc(1)
			return
		}
	}
	b.noExtent(&reaches[0].access, "none of the accesses reaches as far as all others, for all values of the parameters")
}

func (b *builder) noExtent(x *access, why string) {
	b.errorf("HX109", x.where, why+"; the generated code copies whole arrays, so it must know their extents",
		fmt.Sprintf("declare '%s' with all extents, such as '%s %s[n]'", x.array.Name, x.array.Elem, x.array.Name),
		"'%s' is a pointer, and its extent is not known", x.array.Name)
}

// maximum returns the largest value of s in n as a sum of parameters.
func maximum(s subscript, n *nest) (linear, bool) {
	if s.mod > 0 {
		return constant(s.mod - 1), true
	}
	top := s.linear
	for _, l := range slices.Backward(n.loops) {
		k := top.v[l.decl]
		if k == 0 {
			continue
		}
		limits := slices.DeleteFunc(slices.Clone(n.rows), func(r linear) bool { return r.v[l.decl]*k >= 0 })
		if len(limits) != 1 || abs(limits[0].v[l.decl]) != 1 {
			return linear{}, false
		}
		top = top.plus(abs(k), limits[0]) // limits[0] is 0 where the iterator ends
	}
	return top, true
}

// dominates reports whether r reaches at least as far as all others where they
// run, and its nest runs whenever one of theirs does.
func (b *builder) dominates(r reach, others []reach) bool {
	runs := b.runs(r.nest)
	for _, o := range others {
		fr := b.frame().with(o.nest.loops)
		if !fr.proves(slices.Concat(o.nest.rows, b.facts()), r.max.sub(o.max)) || o.nest != r.nest && !b.runs(o.nest).IsSubset(runs) {
			return false
		}
	}
	return true
}

// runs returns the values of parameters for which n has instances.
func (b *builder) runs(n *nest) poly.Set {
	fr := b.frame().with(n.loops)
	return fr.points(slices.Concat(n.rows, b.facts()), "0 = 0").ProjectOut(fr.iterNames...)
}
